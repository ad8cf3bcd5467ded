// The allow-list of values: what the contract knows stays, anything else becomes a placeholder of
// its type.
import { isInt64, type Json, parseInt64 } from '../contract/int64-json.ts'
import { findViolations, readTyped, type Schema } from '../contract/schema.ts'
import { isObject, readOwn } from '../contract/values.ts'

/** In place of a text that nobody has to know. */
export const HIDDEN = '…'
/** In place of all fields that the contract does not know. */
const UNKNOWN_FIELD = 'unknown-field'
/** What surrounds the expected value, under whatever name. */
export const ENVELOPE = 'envelope'

const MAX_ITEMS = 10_000

export interface Cleaning {
  readonly dropped: { fields: number; texts: number }
  /** Free texts of animals, such as names; those of errors are hidden. */
  readonly rename?: ((text: string) => string) | undefined
  /** Says that there were unknown fields. */
  readonly marksUnknown?: boolean
}

export function cleanValue(schema: Schema, value: Json, cleaning: Cleaning): Json {
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS)
    return items.map((item) => cleanValue(schema.items ?? {}, item, cleaning))
  }
  if (isObject(value)) return cleanObject(schema, value as Record<string, Json>, cleaning)
  if (typeof value === 'string') return cleanText(schema, value, cleaning)
  if (typeof value === 'boolean' || value === null) return value
  if (schema.type === 'integer' && isInt64(value)) return value
  return isInt64(value) ? 0 : 0.5
}

function cleanObject(schema: Schema, value: Record<string, Json>, cleaning: Cleaning): Json {
  const { properties = {} } = schema
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
  cleaning.dropped.fields += unknown.length
  const inside = unknown.map((name) => value[name]).find((one) => isLikely(schema, one))
  if (inside !== undefined && unknown.length === Object.keys(value).length)
    return { [ENVELOPE]: cleanValue(schema, inside, cleaning) }
  const kept: Record<string, Json> = {}
  for (const [name, own] of Object.entries(properties)) {
    const field = readOwn(value, name) as Json | undefined
    if (field !== undefined) kept[name] = cleanValue(own, field, cleaning)
  }
  if (cleaning.marksUnknown && unknown.length > 0) kept[UNKNOWN_FIELD] = true
  return kept
}

/** A value inside an envelope. */
function isLikely(schema: Schema, value: unknown): boolean {
  if (schema.type === 'array') return Array.isArray(value)
  return schema.required?.every((name) => readOwn(value, name) !== undefined) ?? false
}

function cleanText(schema: Schema, text: string, cleaning: Cleaning): Json {
  if (schema.enum?.includes(text)) return text
  const isFree = schema.type === 'string' && !schema.enum && text.isWellFormed()
  if (isFree && cleaning.rename) return cleaning.rename(text)
  // An id as a text still says which animal it is.
  if (schema.type === 'integer' && parseInt64(text) !== undefined) return text
  cleaning.dropped.texts++
  return text === '' ? '' : HIDDEN
}

/** A text that gets the same response: whether it is valid, and if not, on which side it is. */
export function cleanParameter(schema: Schema, text: string): string {
  const isValid = findViolations(schema, readTyped(schema, text)).length === 0
  if (isValid || text === '') return text
  const { minimum, maximum } = schema
  const isNumber = /^[+-]?\d+(\.\d+)?$/.test(text)
  if (!isNumber || minimum === undefined || maximum === undefined) return 'x'
  if (Number(text) > maximum) return String(maximum + 1)
  if (Number(text) < minimum) return String(minimum - 1)
  return `${Math.trunc(Number(text))}.0`
}
