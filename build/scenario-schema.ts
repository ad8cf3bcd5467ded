// The JSON Schema of scenario documents for editors: the schema that documents are checked with,
// and descriptions.
import { fileURLToPath } from 'node:url'
import { questions } from '../src/contract/generated/questions.ts'
import type { Schema } from '../src/contract/schema.ts'
import { documentSchema } from '../src/scenario/document.ts'
import { child, children, open, type Part, type Yaml } from './read-contract.ts'
import { readSource } from './read-source.ts'

/**
 * Where the fields below a path have their doc comments, which editors show too; the first comment
 * of a name counts.
 */
const SOURCES: readonly (readonly [path: string, file: string])[] = [
  ['', 'world/scenario.ts'],
  ['', 'scenario/document.ts'],
  ['calibrated.', 'world/scenario.ts'],
  ['faults.', 'world/faults.ts'],
  ['faults.response.', 'world/fault-outcome.ts'],
  ['faults.when.', 'world/match-request.ts'],
  ['faults.when.', 'world/fault-condition.ts'],
  ['surprise.', 'world/surprise.ts'],
  ['generate.', 'scenario/generate/settings.ts'],
]

/** The text of the JSON Schema; the fields of an animal are described by the spec itself. */
export function renderScenarioSchema(openapi: Yaml): string {
  const prose = new Map([['', 'A scenario that the mock can start from or load']])
  for (const [path, file] of SOURCES) {
    for (const { name, comment, default: preset } of readSource(
      fileURLToPath(new URL(`../src/${file}`, import.meta.url)),
    ).members) {
      const isNew = comment !== '' && !prose.has(path + name)
      if (isNew)
        prose.set(path + name, preset === undefined ? comment : `${comment} Default: ${preset}.`)
    }
  }
  for (const [name, field] of findFields(
    child(child(child(open(openapi), 'components'), 'schemas'), 'Pet'),
  )) {
    prose.set(`pets.${name}`, String(field.value.description))
  }
  for (const { id, question, choices } of questions) {
    prose.set(
      `assume.${id}`,
      [question, ...choices.map((choice) => `${choice.id}: ${choice.meaning}`)].join('\n'),
    )
    prose.set(`calibrated.choices.${id}`, question)
  }
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const schema = {
    $schema,
    title: 'Scenario of animal-store-mock',
    ...describe(documentSchema, '', prose),
  }
  return `${JSON.stringify(schema)}\n`
}

function findFields(schema: Part): [name: string, field: Part][] {
  return [
    ...children(schema, 'properties'),
    ...children(schema, 'allOf').flatMap(([, member]) => findFields(member)),
  ]
}

/** Of a list and its items, the list has the description. */
function describe(
  { properties, items, ...rest }: Schema,
  path: string,
  prose: ReadonlyMap<string, string>,
): object {
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
