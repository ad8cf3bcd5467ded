// The JSON Schema of scenario documents for editors: the schema that documents are checked with, and descriptions.

import type { Schema } from '../src/contract/schema.ts'
import { assumptions } from '../src/generated/contract.ts'
import { documentSchema } from '../src/scenario/document.ts'
import type { CompiledSchema } from './compile-contract.ts'
import { dereference, type Yaml } from './dereference.ts'

/** Descriptions of the fields, by path; the items of a list have the path of the list. */
const PROSE: Readonly<Record<string, string>> = {
  '': 'A whole situation that the mock can start from or load',
  $schema: 'The location of this schema',
  name: 'The name of the scenario; default: the name of its file',
  description: 'The situation in one sentence',
  extends: 'The scenario that this one is based on: a shipped one by name, or a file in the same folder or below',
  pets: 'Animals; they replace those of the extended scenario. One without an id gets the lowest that is free',
  generate: 'Animals to generate; their ids come after those of `pets`',
  'generate.count': 'How many',
  'generate.seed': 'The same seed gives the same animals; default 1',
  'generate.status': 'How often each status occurs, in proportion; a status that is not listed does not occur',
  nextId: 'The id of the next animal to be added; default: one above the highest',
  apiKeys: 'The only valid API keys',
  now: "Where the mock's clock starts: a date, or a date and time; UTC unless it has a time zone",
  frozen: 'Whether the clock is stopped',
  assume: 'Choices for behaviour that the spec leaves open',
  latency: 'Delays every response of the service, in milliseconds: a number, or the shortest and the longest',
  faults: 'Deliberate misbehaviour, tried in this order',
  'faults.operation': 'The operation that it affects; * for all',
  'faults.petId': 'Only requests for the animal with this id',
  'faults.status': 'Respond with this status, 400 to 599; below 400 only with a body, and the operation still runs',
  'faults.body': 'Send this in place of the body',
  'faults.delay': 'Delay the response, in milliseconds: a number, or the shortest and the longest',
  'faults.drop': 'Close the connection without a response',
  'faults.times': 'Strike at most this many times',
  'faults.after': 'Skip this many calls first',
  'faults.rate': 'Strike with this probability',
  'faults.retryAfter': 'Send a Retry-After header with this many seconds',
  'faults.id': 'The id to remove it by',
  'faults.seen': 'How many calls it has seen, in a saved world',
  'faults.applied': 'How often it was applied, in a saved state',
  surprise: 'Answer within the spec, but unusually',
  'surprise.seed': 'The same seed gives the same surprises',
  'surprise.kinds': 'Kinds of surprises, or the sets mild (the default) and all',
  'surprise.only': 'Only these surprises of the seed: order@listPets#3, or a beginning such as order@listPets',
  calibrated: 'What `calibrate` saw of the real service',
  'calibrated.on': 'When it asked',
  'calibrated.against': 'The host that it asked',
  'calibrated.choices': 'The choices that the service showed',
  'calibrated.deviations': 'Responses and questions in which the service deviates from the spec',
  random: "The state of the world's random generator, in a saved world",
}

/** The text of the JSON Schema; the fields of an animal are described by the spec itself. */
export function toScenarioSchema(openapi: Yaml): string {
  const prose = new Map(Object.entries(PROSE))
  const { schemas } = openapi.components as { schemas: Record<string, Yaml> }
  for (const [name, field] of findFields(schemas.Pet as Yaml, openapi)) prose.set(`pets.${name}`, String(field.description))
  for (const { id, question, choices } of assumptions) {
    prose.set(`assume.${id}`, [question, ...choices.map((choice) => `${choice.id}: ${choice.meaning}`)].join('\n'))
  }
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const schema = { $schema, title: 'Scenario of animal-store-mock', ...describe(documentSchema, '', prose) }
  return `${JSON.stringify(schema)}\n`
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
