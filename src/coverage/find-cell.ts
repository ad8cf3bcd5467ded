// The cell of a value that a client sent, by the bounds and values that the contract gives its field. Invalid values have cells too.
import { parseInt64 } from '../contract/int64-json.ts'

/** One parameter or body field, as the build writes it. */
export interface Field {
  readonly name: string
  readonly in: string
  readonly type: 'integer' | 'string'
  /** The bounds of an integer, or of the length of a string. */
  readonly low?: number | bigint
  readonly high?: number | bigint
  /** The cells of the classes that the field has. */
  readonly cells: Readonly<Partial<Record<Class, string>>>
  /** The cells of its single values, if it lists them. */
  readonly values?: Readonly<Record<string, string>>
}

type Class = 'absent' | 'lowest' | 'highest' | 'inside' | 'outside' | 'malformed'

/** The cell of a value; undefined means absent. A parameter is a string whatever its type. */
export function findCell({ in: place, type, low, high, cells, values }: Field, given: unknown): string | undefined {
  if (given === undefined) return cells.absent
  const value = type === 'integer' && place !== 'body' ? parseInteger(given as string) : given
  if (type === 'string') {
    if (typeof value !== 'string') return cells.malformed
    if (values) return Object.hasOwn(values, value) ? values[value] : cells.outside
    // Code points are counted only where there is a maximum length.
    return cells[compareWithBounds(high === undefined ? value.length : [...value].length, low, high)]
  }
  const isInteger = typeof value === 'bigint' || Number.isInteger(value)
  return isInteger ? cells[compareWithBounds(value as number | bigint, low, high)] : cells.malformed
}

function compareWithBounds(size: number | bigint, low: Field['low'], high: Field['high']): Class {
  // Comparing numbers with bigints is slow. Only the bounds of int64 are bigints, and every safe integer lies between them.
  if (typeof low === 'bigint' && Number.isSafeInteger(size)) return 'inside'
  if ((low !== undefined && size < low) || (high !== undefined && size > high)) return 'outside'
  return low !== undefined && size <= low ? 'lowest' : high !== undefined && size >= high ? 'highest' : 'inside'
}

/** Text that is not an integer stays text. */
function parseInteger(text: string): string | number | bigint {
  return parseInt64(text) ?? (/^-?[1-9]\d*$/.test(text) ? BigInt(text) : text)
}
