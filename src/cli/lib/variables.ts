// The variables of the environment that commands read, and typos in their names.
import { UsageError } from '../../contract/errors.ts'
import { suggest } from '../../contract/suggest.ts'
import { type FlagTable, nameVariable } from '../../scenario/settings/flag.ts'
import { SURPRISE_REPORT } from '../../world/surprise.ts'
import type { CliCommand } from './command.ts'

type Commands = Readonly<Record<string, CliCommand>>

/** The API key of the real service, for `calibrate`. */
export const REAL_KEY = nameVariable('--real-key')
/** Those that no flag of a command has. Kits read the last two. */
const OTHERS = [REAL_KEY, nameVariable('--record'), SURPRISE_REPORT]
const PREFIX = nameVariable('')

/** `loadAll` is for names that `commands` do not know, since loading takes time. */
export async function checkVariables(
  env: NodeJS.ProcessEnv,
  commands: Commands,
  loadAll: () => Promise<Commands>,
): Promise<void> {
  // An empty one counts as absent.
  const given = Object.keys(env).filter((name) => name.startsWith(PREFIX) && env[name])
  if (findUnknown(given, listVariables(commands)).length === 0) return
  const known = listVariables(await loadAll())
  const unknown = findUnknown(given, known)
  if (unknown.length === 0) return
  throw new UsageError(unknown.map((name) => `unknown variable ${name}; ${explain(name, known)}`))
}

function findUnknown(given: readonly string[], known: readonly string[]): string[] {
  return given.filter((name) => !known.includes(name))
}

function explain(name: string, known: readonly string[]): string {
  return suggest(name, known, 'each is named after an option, as in ANIMAL_STORE_API_KEY')
}

function listVariables(commands: Commands): string[] {
  return [...OTHERS, ...Object.values(commands).flatMap(listOwn)]
}

/** Flags without a heading have no variable. */
function listOwn({ flags = {}, commands = {} }: CliCommand): string[] {
  const own = Object.values(flags satisfies FlagTable).filter((flag) => flag.group !== undefined)
  const below = Object.values(commands).flatMap(listOwn)
  return [...own.map(({ syntax }) => nameVariable(syntax)), ...below]
}
