// The declarations and doc comments of src/ that the documentation quotes, and their types in the
// words of a reader.
import { fileURLToPath } from 'node:url'
import { TIERS } from '../src/calibrate/probe.ts'
import { contract } from '../src/contract/generated/contract.ts'
import { MISSTEPS } from '../src/kits/kit-options.ts'
import { FAULT_BODIES } from '../src/world/fault-outcome.ts'
import { type Member, readSource } from './read-source.ts'

export function readDeclarations(file: string): ReturnType<typeof readSource> {
  return readSource(fileURLToPath(new URL(`../src/${file}`, import.meta.url)))
}

/** The members of an interface; a name that is not there would be a table without rows. */
export function readMembers(file: string, name: string): readonly Member[] {
  const members = readDeclarations(file).interfaces[name]
  if (!members) throw new Error(`${file} has no interface ${name}`)
  return members
}

const listChoices = (choices: readonly string[]) => choices.map((one) => `'${one}'`).join(' | ')

const operations = listChoices(Object.keys(contract.operations))

/** What a reader knows instead of our names for types. */
const PLAIN_TYPES: Readonly<Record<string, string>> = {
  'AddedPet[]': 'Pet[]',
  BaseUrl: 'string | URL | list',
  Delay: 'number | string | list',
  FaultBody: listChoices(Object.keys(FAULT_BODIES)),
  FaultResponse: 'object',
  Values: 'object',
  RequestCondition: 'object',
  GenerateSettings: 'object',
  Int64: 'number | bigint',
  'Misstep[]': `(${listChoices(Object.keys(MISSTEPS))})[]`,
  "OperationId | '*'": `${operations} | '*'`,
  'GivenScenario | NotAName': 'Scenario',
  'ScenarioDocument | GivenScenario | string': 'ScenarioDocument | string',
  'ScenarioDocument | GivenScenario | ScenarioName | ScenarioFile':
    'ScenarioDocument | ScenarioName | ScenarioFile',
  LoggedMessage: 'object',
  'OperationId | null': `${operations} | null`,
  'AssumptionId[]': 'string[]',
  'Int64 | null': 'number | bigint | null',
  'Problem[]': 'object[]',
  Json: 'any value',
  ReadScenario: 'Scenario',
  StateStorage: 'Storage',
  StatusWeights: 'object',
  Tier: listChoices(TIERS),
  'ChangedItem[]': 'object[]',
  'Delay | null': 'number | string | list | null',
  'DelayMs | null': 'number | [number, number] | null',
  SomeChoices: 'object',
  'typeof globalThis.fetch': 'function',
  unknown: 'any value',
  'Result | Promise<Result>': '{ result, row }',
}

const used = new Set<string>()

/** A type as a reader knows it. */
export function simplifyType(type: string): string {
  if (type.startsWith('{\n')) return 'object'
  const short = type.replaceAll(/readonly | \| undefined/g, '').replaceAll(/\s+/g, ' ')
  const plain = short.replace(/^Readonly<(.*)>$/, '$1')
  if (plain.startsWith('{ method?: string; target?')) return '{ method?, target?, headers?, body? }'
  used.add(plain)
  return PLAIN_TYPES[plain] ?? plain
}

/** Fails on types that the pages no longer have. */
export function checkPlainTypes(): void {
  const unused = Object.keys(PLAIN_TYPES).filter((type) => !used.has(type))
  if (unused.length > 0) throw new Error(`No page has the type ${unused.join(', ')}`)
}
