// A mock whose options are in an address: `?scenario=sold-out&fail=listPets=503:1&frozen`. The
// parameters are the flags of the command line that set up a state.
import { UsageError } from '../../contract/errors.ts'
import { suggest } from '../../contract/suggest.ts'
import type { MockOptions } from '../../mock/mock-options.ts'
import { findShipped } from '../../scenario/scenario-names.ts'
import { type Flag, nameBinding, readFlag } from '../../scenario/settings/flag.ts'
import { readSettings, settingTexts } from '../../scenario/settings/texts.ts'
import type { ReadScenario } from '../../world/scenario.ts'

const SCENARIO = 'scenario'

export async function readPlayground(search: string): Promise<MockOptions> {
  const given = new URLSearchParams(search)
  const flags = listFlags()
  const values: Record<string, unknown> = {}
  for (const name of new Set(given.keys())) {
    if (name === SCENARIO) continue
    const found = flags.get(name)
    if (!found) throw new UsageError(`unknown parameter ${name}; ${explain(name, flags)}`)
    const [key, flag] = found
    values[key] = readFlag(flag, readText(given.getAll(name), flag), name)
  }
  const settings = readSettings(values, (flag) => flag)
  const scenario = given.get(SCENARIO)
  return scenario === null ? settings : { ...settings, scenario: await readScenario(scenario) }
}

/** A parameter without a value turns a switch on. */
function readText(texts: readonly string[], flag: Flag): string {
  const text = texts.join(',')
  return text === '' && !flag.syntax.endsWith('>') ? '1' : text
}

/** By the names of their parameters, with the names of their values. */
function listFlags(): Map<string, readonly [string, Flag]> {
  const tables = Object.values(settingTexts).map(({ flags }) => flags)
  const flags: Record<string, Flag> = Object.assign({}, ...tables)
  const entries = Object.entries(flags).map(([key, flag]) => {
    const name = nameBinding(flag.syntax).toLowerCase().replaceAll('_', '-')
    return [name, [key, flag]] as const
  })
  return new Map(entries)
}

function explain(name: string, flags: ReadonlyMap<string, unknown>): string {
  const known = [SCENARIO, ...flags.keys()]
  return suggest(name, known, `expected ${known.join(', ')}`)
}

async function readScenario(name: string): Promise<ReadScenario> {
  const { scenarios } = await import('../../scenario/shipped.ts')
  const found = findShipped(scenarios, name, SCENARIO)
  if ('kind' in found) throw new UsageError(found)
  return found
}
