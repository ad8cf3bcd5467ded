// The scenario document described for editors, as JSON Schema: the very schema that documents are checked with, and prose.

import { dereference } from '../src/contract/dereference.ts'
import type { Schema } from '../src/contract/schema.ts'
import { assumptions } from '../src/generated/contract.ts'
import { documentSchema } from '../src/scenario/document.ts'
import type { CompiledSchema, Yaml } from './compiled.ts'

/** What the fields are for, by their paths; a list's items have the path of the list. */
const PROSE: Readonly<Record<string, string>> = {
  '': 'A whole situation that the mock can be started in or loaded with',
  $schema: 'Where to find this schema',
  name: 'What the scenario is called; by default what its file is called',
  description: 'The situation in a sentence',
  extends: 'The scenario that this one differs from: a shipped one by its name, or a file in the same folder or below',
  pets: 'Animals, spelled out; they replace those of the extended scenario',
  generate: 'Animals to be generated; their ids follow on those of `pets`',
  'generate.count': 'How many',
  'generate.seed': 'The same seed gives the same animals; 1 by default',
  'generate.status': 'How often each status comes, in proportion; what is not named does not come',
  nextId: 'The id of the next animal that is added; by default one above the highest',
  apiKeys: 'The only valid API keys',
  now: "Where the mock's clock starts: a date, or a date and time, in UTC unless it names a zone",
  frozen: 'Whether the clock stands still',
  assume: 'Choices for what the interface leaves open',
  faults: 'Deliberate misbehaviour, tried in this order',
  latency: 'Milliseconds that every response of the service is delayed, or the shortest and the longest time',
  'faults.operation': 'The operation that it befalls; * for all',
  'faults.status': 'Answer with this error',
  'faults.delay': 'Wait so many milliseconds, or a time between two',
  'faults.drop': 'Cut the connection without an answer',
  'faults.times': 'Strike at most so often',
  'faults.after': 'Let so many calls pass first',
  'faults.rate': 'Strike with this probability',
  'faults.retryAfter': 'Send Retry-After with so many seconds',
  'faults.id': 'The name to remove it by',
  'faults.seen': 'How many calls it has seen, in a world that was saved',
  'faults.struck': 'How often it has struck, in a world that was saved',
  random: "Where the world's random generator stands, in a world that was saved",
}

/** The text of the JSON Schema; the interface's own fields are described by its document. */
export function toScenarioSchema(openapi: Yaml): string {
  const prose = new Map(Object.entries(PROSE))
  const { schemas } = openapi.components as { schemas: Record<string, Yaml> }
  for (const [name, field] of findFields(schemas.Pet as Yaml, openapi)) prose.set(`pets.${name}`, String(field.description))
  for (const { id, question, choices } of assumptions) {
    prose.set(`assume.${id}`, [question, ...choices.map((choice) => `${choice.id}: ${choice.meaning}`)].join('\n'))
  }
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const schema = { $schema, title: 'Scenario of animal-store-mock', ...describe(documentSchema, '', prose) }
  return `${JSON.stringify(schema, null, 2)}\n`
}

function findFields(schema: Yaml, openapi: Yaml): [name: string, field: Yaml][] {
  const { properties = {}, allOf = [] } = dereference(openapi, schema) as { properties?: Record<string, Yaml>; allOf?: Yaml[] }
  const own = Object.entries(properties).map(([name, field]): [string, Yaml] => [name, dereference(openapi, field)])
  return [...own, ...allOf.flatMap((part) => findFields(part, openapi))]
}

/** Of a list and its items, the list has the description. */
function describe(schema: Schema, path: string, prose: ReadonlyMap<string, string>): CompiledSchema {
  const { properties, items, ...rest } = schema
  const description = prose.get(path)
  return {
    ...(description === undefined ? {} : { description }),
    ...(rest as CompiledSchema),
    ...(items ? { items: { ...describe(items, path, prose), description: undefined } } : {}),
    ...(properties ? { properties: describeFields(properties, path, prose) } : {}),
  }
}

function describeFields(
  properties: Readonly<Record<string, Schema>>,
  path: string,
  prose: ReadonlyMap<string, string>,
): Record<string, CompiledSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, describe(field, path === '' ? name : `${path}.${name}`, prose)]),
  )
}
