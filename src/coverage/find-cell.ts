// The cell of a value that a client sent, by the bounds and values that the contract gives its field. Invalid values have cells too.
import { parseInt64 } from '../contract/int64-json.ts'
import { findViolations, type Schema } from '../contract/schema.ts'

/** One parameter or body field, as the build writes it. As a schema, it tells malformed values from the others. */
export interface Field extends Schema {
  readonly name: string
  readonly in: string
  /** The bounds of a number, or of the length of a string or list. */
  readonly low?: number | bigint
  readonly high?: number | bigint
  /** The cells of the classes that the field has. */
  readonly cells: Readonly<Partial<Record<Class, string>>>
  /** The cells of its single values, if it lists them. */
  readonly values?: Readonly<Record<string, string>>
}

type Class = 'absent' | 'lowest' | 'highest' | 'inside' | 'outside' | 'malformed'

/** The cell of a value; undefined means absent. A parameter is a string whatever its type. */
export function findCell(field: Field, given: unknown): string | undefined {
  const { type, cells, values } = field
  if (given === undefined) return cells.absent
  const value = type === 'integer' && field.in !== 'body' ? parseInteger(given as string) : given
  const isNumber = typeof value === 'bigint' || Number.isInteger(value)
  // The schema check rejects integers beyond 64 bits, and most strings do not need it.
  const isRight =
    (isNumber && (type === 'integer' || type === 'number')) ||
    (typeof value === 'string' && type === 'string' && !field.pattern && !field.format) ||
    findViolations(field, value).length === 0
  if (!isRight) return cells.malformed
  if (values) return Object.hasOwn(values, String(value)) ? values[String(value)] : cells.outside
  return cells[compareWithBounds(isNumber ? (value as number | bigint) : sizeOf(value, field.high !== undefined), field)]
}

function compareWithBounds(size: number | bigint, { low, high }: Field): Class {
  // Comparing numbers with bigints is slow. Only the bounds of int64 are bigints, and every safe integer lies between them.
  if (typeof low === 'bigint' && Number.isSafeInteger(size)) return 'inside'
  if ((low !== undefined && size < low) || (high !== undefined && size > high)) return 'outside'
  return low !== undefined && size <= low ? 'lowest' : high !== undefined && size >= high ? 'highest' : 'inside'
}

/** Text that is not an integer stays text. */
function parseInteger(text: string): string | number | bigint {
  return parseInt64(text) ?? (/^-?[1-9]\d*$/.test(text) ? BigInt(text) : text)
}

/** The length of a string or list, or the value itself. Code points are counted only where there is a maximum length. */
function sizeOf(value: unknown, isExact: boolean): number {
  return ((isExact && typeof value === 'string' ? [...value] : value) as string).length ?? value
}
