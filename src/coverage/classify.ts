// The class of a value that was sent: by the bounds and values that the contract gives its field, whether the service accepts it or not.
import { findViolations, type Schema } from '../contract/schema.ts'

/** One parameter or body field, as the build writes it; as a schema, it says what can be read at all. */
export interface Field extends Schema {
  readonly name: string
  readonly in: string
  /** The bounds of a number, or of the length of a text or a list. */
  readonly low?: number | bigint
  readonly high?: number | bigint
  /** Whether the values are classes of their own. */
  readonly isEnum?: boolean
  /** What its cells begin with, if not with the name. */
  readonly path?: string
  /** How often a value of each class was sent. */
  readonly classes: Record<string, number>
}

/** The class of a value; undefined is an absent one. A parameter is a text whatever its type. */
export function classify(field: Field, given: unknown): string {
  const { type, low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY, classes } = field
  if (given === undefined) return 'absent'
  const isDigits = field.in !== 'body' && type === 'integer' && /^(?:0|-?[1-9]\d*)$/.test(given as string)
  const value = isDigits ? BigInt(given as string) : given
  // The reader of schemas takes an integer beyond 64 bits for none.
  const isInteger = (typeof value === 'bigint' || Number.isInteger(value)) && /^(integer|number)$/.test(type as string)
  if (!isInteger && findViolations(field, value).length > 0) return 'malformed'
  if (field.isEnum) {
    const name = /^(absent|outside|malformed)$/.test(value as string) ? `"${value}"` : String(value)
    return Object.hasOwn(classes, name) ? name : 'outside'
  }
  // In code points, where a highest length makes that worth the time.
  const size = ((field.high !== undefined && typeof value === 'string' ? [...value] : value) as string).length ?? value
  // Numbers and bigints compare exactly.
  if (size < low || size > high) return 'outside'
  return size <= low ? 'lowest' : size >= high ? 'highest' : 'inside'
}
