// Words and values for generated animals, taken from faker and json-schema-faker while the package
// is built, so that it ships neither. A field that the contract gains tomorrow gets its pool
// without a change here.
import { en } from '@faker-js/faker'
import { generateSync, type JsonSchema } from 'json-schema-faker'
import { toJson } from '../src/contract/int64-json.ts'
import { findViolations, type Schema } from '../src/contract/schema.ts'

/**
 * The seeds of the samples. Other seeds would change the order of the pools, and with it every
 * generated animal.
 */
const SEEDS = Array.from({ length: 48 }, (_, index) => index + 8)

/**
 * Words kept of each list, taken evenly from all of it: faker's fifteen hundred birds alone would
 * be a tenth of the package.
 */
const MAX_WORDS = 200

const COLOURS = en.color?.human ?? []
/** For a field whose meaning is not known here. */
const TEXTS = COLOURS.filter((colour) => !colour.includes(' ')).map(
  (colour) => colour.charAt(0).toUpperCase() + colour.slice(1),
)

/** The words for animals, by faker's names. */
export function createWords(): Record<string, string[]> {
  const { bird, cat, dog, horse, pet_name, rabbit, snake } = en.animal ?? {}
  const lists = { bird, cat, dog, horse, pet_name, rabbit, snake }
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, thin(list ?? [])]))
}

function thin(list: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(list.length / MAX_WORDS))
  return list.filter((_, index) => index % step === 0).slice(0, MAX_WORDS)
}

/**
 * For each field of an object the distinct values that its schema holds valid; the same on every
 * call.
 */
export function createValuePools(schema: Schema): Record<string, unknown[]> {
  const worded = { ...schema, properties: mapFields(schema, withWords) } as JsonSchema
  const samples = SEEDS.map(
    (seed) => generateSync(worded, { seed, alwaysFakeOptionals: true }) as Record<string, unknown>,
  )
  return mapFields(schema, (field, name) => {
    const valid = samples
      .map((sample) => sample[name])
      .filter((value) => value !== undefined && findViolations(field, value).length === 0)
    if (valid.length === 0 && schema.required?.includes(name))
      throw new Error(`json-schema-faker finds no valid ${name}`)
    return [...new Map(valid.map((value) => [toJson(value), value])).values()]
  })
}

/**
 * The same schema, with colours where any text would do: short, capitalised, and plausible for a
 * nickname as for a mark.
 */
function withWords(field: Schema): Schema {
  if (field.type !== 'string' || field.enum || field.pattern || field.format) return field
  const valid = TEXTS.filter((text) => findViolations(field, text).length === 0)
  return valid.length === 0 ? field : { ...field, enum: valid }
}

function mapFields<Result>(
  { properties = {} }: Schema,
  map: (field: Schema, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, map(field, name)]),
  )
}
