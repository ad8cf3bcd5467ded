// Values for every field of a generated animal, made by json-schema-faker while the package is built, so that it ships neither that
// nor faker. A field that the contract gains tomorrow gets its pool without a change here.
import { en, Faker, type LocaleDefinition } from '@faker-js/faker'
import { generateSync, type JsonSchema } from 'json-schema-faker'
import { toJson } from '../src/contract/int64-json.ts'
import { findViolations, type Schema } from '../src/contract/schema.ts'
import { createRandom } from '../src/random.ts'

const SAMPLES = 48

/** Words kept of each list, taken evenly from all of it: faker's fifteen hundred birds alone would be a tenth of the package. */
const MAX_WORDS = 200

const { bird, cat, dog, horse, pet_name, rabbit, snake } = en.animal ?? {}

/** The words for animals, by faker's names, and those for fields without words of their own. */
const words = {
  animal: mapLists({ bird, cat, dog, horse, pet_name, rabbit, snake }),
  word: mapLists({ noun: en.word?.noun }),
} satisfies LocaleDefinition

/** The text of a module with the words for animals. */
export function compileWords(): string {
  return [
    "// Made by `npm run build` from faker's English locale: see build/compile-pools.ts.",
    `export const words = ${JSON.stringify(words.animal)}`,
    '',
  ].join('\n\n')
}

function mapLists<Name extends string>(lists: Record<Name, readonly string[] | null | undefined>): Record<Name, string[]> {
  return Object.fromEntries(
    Object.entries<readonly string[] | null | undefined>(lists).map(([name, list]) => [name, thin(list)]),
  ) as Record<Name, string[]>
}

function thin(words: readonly string[] | null | undefined): string[] {
  const list = words ?? []
  const step = Math.max(1, Math.floor(list.length / MAX_WORDS))
  return list.filter((_, index) => index % step === 0).slice(0, MAX_WORDS)
}

/** The text of a module with the pools of this schema. */
export function compilePools(schema: Schema): string {
  return [
    '// Made by `npm run build` from spec/openapi.yaml: see build/compile-pools.ts.',
    '/** For each field of an animal some values that the contract holds valid. */',
    `export const valuePools: Readonly<Record<string, readonly unknown[]>> = ${toJson(Object.fromEntries(createValuePools(schema)))}`,
    '',
  ].join('\n\n')
}

/** For each field the distinct values that the schema holds valid; the same on every call. */
export function createValuePools(schema: Schema): Map<string, readonly unknown[]> {
  const faker = createFaker()
  const worded = createSamples(withWords(schema), faker)
  const pools = new Map<string, readonly unknown[]>()
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const found = findValid(worded, name, field)
    // A word can break a rule, a shortest length say, that json-schema-faker keeps when it is left alone.
    const pool = found.length > 0 ? found : findValid(createSamples(schema, faker), name, field)
    if (pool.length === 0 && schema.required?.includes(name)) throw new Error(`json-schema-faker finds no valid ${name}`)
    pools.set(name, pool)
  }
  return pools
}

/** Its values come from the generator that the mock itself uses, whatever the version of faker. */
function createFaker(): Faker {
  let random = createRandom(0)
  const seed = (start: number | number[]) => {
    random = createRandom(Number(start))
  }
  return new Faker({ locale: words, randomizer: { next: () => random.next(), seed } })
}

function createSamples(schema: Schema, faker: Faker): Record<string, unknown>[] {
  return Array.from({ length: SAMPLES }, (_, index) => {
    faker.seed(index)
    return generateSync(schema as JsonSchema, { seed: index, alwaysFakeOptionals: true, extensions: { faker } }) as Record<string, unknown>
  })
}

/** The same schema, with words where any text would do. */
function withWords(schema: Schema): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const free = field.type === 'string' && !field.enum && field.const === undefined && !field.pattern && !field.format
    return [name, free ? { ...field, faker: 'word.noun' } : field]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

function findValid(samples: readonly Record<string, unknown>[], name: string, schema: Schema): unknown[] {
  const distinct = new Map<string, unknown>()
  for (const sample of samples) {
    const value = sample[name]
    if (value !== undefined && findViolations(schema, value).length === 0) distinct.set(toJson(value), value)
  }
  return [...distinct.values()]
}
