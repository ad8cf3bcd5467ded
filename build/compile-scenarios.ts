// The shipped scenarios, read as any other and written down as plain values, so that neither the server's start nor a browser pays for
// YAML. They are frozen, since every mock of a process starts from the same values. The contract module must have been written before
// this one is loaded.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { GenerateOptions } from '../src/generate/generate-pets.ts'
import { firstGeneratedId } from '../src/scenario/check.ts'
import type { ScenarioDocument } from '../src/scenario/document.ts'
import { readScenarioFile } from '../src/scenario/files.ts'
import type { Scenario } from '../src/world/situation.ts'
import type { Yaml } from './dereference.ts'
import { toScenarioSchema } from './scenario-schema.ts'

const HEAD = [
  '// Made by `npm run build` from fixtures/: change the scenarios there, not here.',
  "import { deepFreeze } from '../contract/describe-value.ts'",
  "import type { Scenario } from '../world/situation.ts'",
].join('\n')

/** Writes the modules of the shipped scenarios, and the schema of the document, into the project at that path. */
export async function compileScenarios(root: string, openapi: Yaml): Promise<void> {
  const fixtures = join(root, 'fixtures')
  const base = await readScenarioFile(join(fixtures, 'default.yaml'), { shipped: async () => ({}) })
  const others: string[] = []
  const list = [base]
  for (const file of readdirSync(fixtures).sort()) {
    if (!file.endsWith('.yaml') || file === 'default.yaml') continue
    // Shipped scenarios extend the default one or none.
    const scenario = await readScenarioFile(join(fixtures, file), { shipped: async () => ({ default: base }) })
    const { generate, pets } = parse(readFileSync(join(fixtures, file), 'utf8'), { schema: 'core' }) as ScenarioDocument
    list.push(scenario)
    others.push(toEntry(scenario, base, generate && { ...generate, firstId: firstGeneratedId(pets) }))
  }
  const generated = join(root, 'src/generated')
  writeFileSync(join(generated, 'default-scenario.ts'), toDefaultModule(base))
  writeFileSync(join(generated, 'scenarios.ts'), toModule(base, others))
  writeFileSync(join(generated, 'scenario-list.ts'), toListModule(list))
  writeFileSync(join(fixtures, 'scenario.schema.json'), toScenarioSchema(openapi))
}

/** Its animals have a name of their own, for the scenarios that share them. */
function toDefaultModule({ pets, ...rest }: Scenario): string {
  return [
    `${HEAD}\nimport { markGenerated } from '../surprise/state.ts'`,
    `export const defaultPets: NonNullable<Scenario['pets']> = ${toFrozen(`markGenerated(${toLiteral(pets)})`)}`,
    `export const defaultScenario: Scenario = ${toFrozen(toLiteral({ ...rest, pets }, pets))}`,
    '',
  ].join('\n\n')
}

/** What `control.scenarios()` returns, without the animals that only a few callers need. */
function toListModule(scenarios: readonly Scenario[]): string {
  const rows = scenarios.map(({ name, description = '', pets = [] }) => `  ${toLiteral({ name, description, pets: pets.length })},`)
  return `${HEAD.split('\n', 1)[0]}\nexport const scenarioList: { readonly name: string; readonly description: string; readonly pets: number }[] = [\n${rows.join('\n')}\n]\n`
}

/** An entry of the object of all scenarios. Generated animals are generated again: a thousand take less time than space. */
function toEntry(scenario: Scenario, base: Scenario, generate: GenerateOptions | undefined): string {
  const { name, pets = [], ...rest } = scenario
  if (!generate) return `${toLiteral(name)}: ${toLiteral(scenario, base.pets)}`
  const made = `generatePets(${toLiteral(generate)})`
  const explicit = pets.slice(0, pets.length - generate.count).map((pet) => `${toLiteral(pet)}, `)
  const fields = toLiteral({ name, ...rest }).slice(1, -1)
  return `${toLiteral(name)}: {${fields}, pets: ${explicit.length === 0 ? made : `[${explicit.join('')}...${made}]`} }`
}

function toModule(base: Scenario, others: readonly string[]): string {
  const names = [toLiteral(base.name), ...others.map((entry) => entry.slice(0, entry.indexOf(':')))]
  return [
    `${HEAD}\nimport { generatePets } from '../generate/generate-pets.ts'\nimport type { Pet } from './contract.ts'\nimport { defaultPets, defaultScenario } from './default-scenario.ts'`,
    `/** The names of the shipped scenarios. */\nexport type ScenarioName = ${names.join(' | ')}`,
    [
      '/** A scenario that cannot be changed; spread it to make another: `{ ...scenarios.default, now }`. */',
      "export type ShippedScenario = Omit<Scenario, 'pets' | 'assume'> & {",
      '  readonly pets?: readonly Readonly<Pet>[]',
      "  readonly assume?: Readonly<NonNullable<Scenario['assume']>>",
      '}',
    ].join('\n'),
    [
      '/**',
      ' * The shipped scenarios, by their names; frozen.',
      ' *',
      ' * @example',
      " * const mock = createMock({ scenario: scenarios['sold-out'] })",
      ' */',
      'export const scenarios: Readonly<Record<ScenarioName, ShippedScenario>> = /* @__PURE__ */ deepFreeze({',
      `  ${toLiteral(base.name)}: defaultScenario,`,
      ...others.map((entry) => `  ${entry},`),
      '})',
    ].join('\n'),
    '',
  ].join('\n\n')
}

/** Marked as free of effects, so that a bundler leaves out unused scenarios. */
function toFrozen(literal: string): string {
  return `/* @__PURE__ */ deepFreeze(${literal})`
}

/** A value as JavaScript, on one line; the default scenario's animals by their name. */
function toLiteral(value: unknown, defaultPets?: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (value === defaultPets) return 'defaultPets'
  if (Array.isArray(value)) return `[${value.map((item) => toLiteral(item, defaultPets)).join(', ')}]`
  const fields = Object.entries(value).map(
    ([key, item]) => `${/^[a-z]\w*$/i.test(key) ? key : JSON.stringify(key)}: ${toLiteral(item, defaultPets)}`,
  )
  return `{ ${fields.join(', ')} }`
}
