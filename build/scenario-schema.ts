// The JSON Schema of scenario documents for editors: the schema that documents are checked with, and descriptions.
import type { Schema } from '../src/contract/schema.ts'
import { questions } from '../src/generated/questions.ts'
import { documentSchema } from '../src/scenario/document.ts'
import { child, children, open, type Part, type Yaml } from './read-contract.ts'

/** Descriptions of the fields, by path; the items of a list have the path of the list. */
const PROSE: Readonly<Record<string, string>> = {
  '': 'A scenario that the mock can start from or load',
  $schema: 'The location of this schema',
  name: 'The name of the scenario; default: the name of its file',
  description: 'What the scenario is for',
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
  latency: 'Delays every response of the service: 200 milliseconds, 1.5s, or a time between two as in 200-800',
  faults: 'Deliberate misbehaviour, tried in this order',
  'faults.operation': 'The operation that it affects; * for all',
  'faults.petId': 'Only requests for the animal with this id',
  'faults.status': 'Respond with this status, 400 to 599; below 400 only with a body, and the operation still runs',
  'faults.body': 'Send this in place of the body',
  'faults.delay': 'Delay the response: 200 milliseconds, 1.5s, or a time between two as in 200-800',
  'faults.drop': 'Close the connection without a response',
  'faults.times': 'Apply at most this many times',
  'faults.after': 'Skip this many calls first',
  'faults.rate': 'Strike with this probability',
  'faults.retryAfter': 'Send a Retry-After header with this many seconds',
  'faults.id': 'The id to remove it by; default: the next number',
  'faults.seen': 'How many calls it has seen, in a saved state',
  'faults.applied': 'How often it was applied, in a saved state',
  surprise: 'Send unusual responses that the spec allows',
  'surprise.seed': 'The same seed gives the same surprises',
  'surprise.kinds': 'Kinds of surprises, or the sets mild (the default) and all',
  'surprise.calls': 'How often each target was called, in a saved state',
  'surprise.only': 'Only these surprises of the seed: order@listPets#3, or a beginning such as order@listPets',
  calibrated: 'What `calibrate` saw of the real service',
  'calibrated.on': 'When it asked',
  'calibrated.against': 'The host that it asked',
  'calibrated.choices': 'The choices that the service showed',
  'calibrated.deviations': 'Responses and questions in which the service deviates from the spec',
  random: 'Where the random generator stands, in a saved state',
}

/** The text of the JSON Schema; the fields of an animal are described by the spec itself. */
export function renderScenarioSchema(openapi: Yaml): string {
  const prose = new Map(Object.entries(PROSE))
  for (const [name, field] of findFields(child(child(child(open(openapi), 'components'), 'schemas'), 'Pet'))) {
    prose.set(`pets.${name}`, String(field.value.description))
  }
  for (const { id, question, choices } of questions) {
    prose.set(`assume.${id}`, [question, ...choices.map((choice) => `${choice.id}: ${choice.meaning}`)].join('\n'))
    prose.set(`calibrated.choices.${id}`, question)
  }
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const schema = { $schema, title: 'Scenario of animal-store-mock', ...describe(documentSchema, '', prose) }
  return `${JSON.stringify(schema)}\n`
}

function findFields(schema: Part): [name: string, field: Part][] {
  return [...children(schema, 'properties'), ...children(schema, 'allOf').flatMap(([, member]) => findFields(member))]
}

/** Of a list and its items, the list has the description. */
function describe({ properties, items, ...rest }: Schema, path: string, prose: ReadonlyMap<string, string>): object {
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    return [name, describe(field, path === '' ? name : `${path}.${name}`, prose)]
  })
  return {
    description: prose.get(path),
    ...rest,
    ...(items ? { items: { ...describe(items, path, prose), description: undefined } } : {}),
    ...(properties ? { properties: Object.fromEntries(fields) } : {}),
  }
}
