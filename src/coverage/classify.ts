// The class of a value that was sent: by the bounds and values that the contract gives its field, whether the service accepts it or not.
import { parseInt64 } from '../contract/int64-json.ts'
import { findViolations, type Schema } from '../contract/schema.ts'

/** One parameter or body field, as the build writes it; as a schema, it says what can be read at all. */
export interface Field extends Schema {
  readonly name: string
  readonly in: string
  /** The bounds of a number, or of the length of a text or a list. */
  readonly low?: number | bigint
  readonly high?: number | bigint
  /** What its cells begin with, if not with the name. */
  readonly path?: string
  /** The names of the classes, empty where there is none, then the single values. */
  readonly classes: readonly string[]
  /** How often a value of each class was sent. */
  readonly counts: number[]
}

/** The places of the classes. */
const ABSENT = 0
const LOWEST = 1
const HIGHEST = 2
const INSIDE = 3
const OUTSIDE = 4
export const MALFORMED = 5
const FIRST_VALUE = 6

/** The place of a value's class; undefined is an absent one. A parameter is a text whatever its type. */
export function classify(field: Field, given: unknown): number {
  const { type, low, high } = field
  if (given === undefined) return ABSENT
  const value = type === 'integer' && field.in !== 'body' ? toInteger(given as string) : given
  const isNumber = typeof value === 'bigint' || Number.isInteger(value)
  // The reader of schemas takes an integer beyond 64 bits for none, and is not needed for most texts.
  const isRight =
    (isNumber && (type === 'integer' || type === 'number')) ||
    (typeof value === 'string' && type === 'string' && !field.pattern && !field.format) ||
    findViolations(field, value).length === 0
  if (!isRight) return MALFORMED
  if (field.classes.length > FIRST_VALUE) {
    const place = field.classes.indexOf(String(value), FIRST_VALUE)
    return place === -1 ? OUTSIDE : place
  }
  const size = isNumber ? (value as number | bigint) : toSize(value, high !== undefined)
  // Numbers and bigints compare exactly, but slowly; and only the bounds of 64 bits are bigints, with every safe integer between them.
  if (typeof low === 'bigint' && Number.isSafeInteger(size)) return INSIDE
  if ((low !== undefined && size < low) || (high !== undefined && size > high)) return OUTSIDE
  return low !== undefined && size <= low ? LOWEST : high !== undefined && size >= high ? HIGHEST : INSIDE
}

/** A text that is no integer stays one. */
function toInteger(text: string): string | number | bigint {
  return parseInt64(text) ?? (/^-?[1-9]\d*$/.test(text) ? BigInt(text) : text)
}

/** The length of a text or a list, or the value itself; in code points, where a highest length makes that worth the time. */
function toSize(value: unknown, isExact: boolean): number {
  return ((isExact && typeof value === 'string' ? [...value] : value) as string).length ?? value
}

/** The name of the class at that place; a value that is called like a class has quotes around it. */
export function toClassName({ classes }: Field, place: number): string {
  const name = classes[place] as string
  return classes.indexOf(name) === place ? name : `"${name}"`
}
