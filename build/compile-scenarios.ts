// The shipped scenarios as plain values, so that neither the server's start nor a browser pays for YAML. The default one has its animals, since
// every mock starts with it; src/scenarios.ts expands the others. The contract module must have been written before this one is loaded.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScenarioDocument } from '../src/scenario/document.ts'
import { readScenarioFile } from '../src/scenario/files.ts'
import { readDocument } from '../src/scenario/read.ts'
import { toLiteral, writeModule } from './module.ts'

/** Writes the modules of the shipped scenarios into the project at that path. */
export async function compileScenarios(root: string): Promise<void> {
  const fixtures = join(root, 'fixtures')
  const base = await readScenarioFile(join(fixtures, 'default.yaml'), { shipped: async () => ({}) })
  const documents: Record<string, ScenarioDocument> = {}
  const scenarios = [base]
  for (const file of readdirSync(fixtures).sort()) {
    if (!file.endsWith('.yaml') || file === 'default.yaml') continue
    // Shipped scenarios extend the default one or none.
    const scenario = await readScenarioFile(join(fixtures, file), { shipped: async () => ({ default: base }) })
    const { value } = await readDocument(readFileSync(join(fixtures, file), 'utf8'), file)
    const { $schema, ...document } = value as ScenarioDocument
    documents[scenario.name as string] = document
    scenarios.push(scenario)
  }
  const list = scenarios.map(({ name, description = '', pets = [] }) => ({ name, description, pets: pets.length }))
  writeModule(
    root,
    'default-scenario',
    'fixtures/',
    "import { deepFreeze } from '../contract/describe-value.ts'\nimport type { ReadScenario } from '../world/scenario.ts'",
    // Frozen, since every mock of a process starts from the same values.
    `export const defaultScenario: ReadScenario = /* @__PURE__ */ deepFreeze(${toLiteral(base)})`,
  )
  writeModule(
    root,
    'scenarios',
    'fixtures/',
    "import type { ScenarioDocument } from '../scenario/document.ts'",
    `/** The names of the shipped scenarios. */\nexport type ScenarioName = ${list.map(({ name }) => `'${name}'`).join(' | ')}`,
    `/** @internal */\nexport const documents: Readonly<Record<Exclude<ScenarioName, 'default'>, ScenarioDocument>> = ${toLiteral(documents)}`,
  )
  // What `control.scenarios()` returns, apart from the animals that only a few callers need.
  writeModule(root, 'scenario-list', 'fixtures/', `export const scenarioList = ${toLiteral(list)}`)
}
