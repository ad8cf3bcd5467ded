// The shipped scenarios as plain values, so that neither the server's start nor a browser pays for
// YAML. The default one has its animals, since every mock starts with it; src/scenario/shipped.ts
// expands the others. The contract and the pools must have been written before this module is
// loaded.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash } from '../src/contract/random.ts'
import type { ScenarioDocument } from '../src/scenario/document.ts'
import { expandScenario } from '../src/scenario/expand.ts'
import { readDocument } from '../src/scenario/read.ts'
import { printOrigin } from '../src/world/saved-state.ts'
import { createOrigin } from '../src/world/state.ts'
import { toLiteral, withComment, writeModule } from './module.ts'

/** Writes the modules of the shipped scenarios into the project at that path. */
export async function compileScenarios(root: string): Promise<void> {
  const fixtures = join(root, 'fixtures')
  const read = async (file: string) =>
    (await readDocument(readFileSync(join(fixtures, file), 'utf8'), file)).value as ScenarioDocument
  const base = expandScenario(await read('default.yaml'))
  const documents: Record<string, ScenarioDocument> = {}
  const scenarios = [base]
  for (const file of readdirSync(fixtures).sort()) {
    if (!file.endsWith('.yaml') || file === 'default.yaml') continue
    const { $schema, ...document } = await read(file)
    // Shipped scenarios extend the default one or none.
    const scenario = expandScenario(document, document.extends === undefined ? undefined : base)
    documents[scenario.name as string] = document
    scenarios.push(scenario)
  }
  const list = scenarios.map(({ name, description = '', pets = [] }) => ({
    name,
    description,
    pets: pets.length,
  }))
  // Frozen, since every mock of a process starts from the same values.
  const frozen = `/* @__PURE__ */ deepFreeze(${toLiteral(base)})`
  writeModule(
    root,
    'scenario/default-scenario',
    'fixtures/',
    "import { deepFreeze } from '../../contract/values.ts'",
    "import type { ReadScenario } from '../../world/scenario.ts'",
    `export const defaultScenario: ReadScenario = ${frozen}`,
  )
  const names = list.map(({ name }) => `'${name}'`).join(' | ')
  writeModule(
    root,
    'scenario/scenarios',
    'fixtures/',
    withComment('The names of the shipped scenarios.', `export type ScenarioName = ${names}`),
    withComment(
      'The others, checked where they are expanded. @internal',
      `export const documents = ${toLiteral(documents)} as const`,
    ),
  )
  // What `control.scenarios()` returns, apart from the animals that only a few callers need.
  const digests = Object.fromEntries(
    scenarios.map((one) => [one.name, hash(printOrigin(createOrigin(one)))]),
  )
  const typed = `export const digests: Readonly<Record<string, number>> = ${toLiteral(digests)}`
  writeModule(
    root,
    'scenario/scenario-list',
    'fixtures/',
    `export const scenarioList = ${toLiteral(list)}`,
    typed,
  )
}
