// The cell of the coverage that a value of a parameter or a field belongs to: a bound, a listed
// value, or what the contract refuses.
import { parseInt64 } from '../contract/int64-json.ts'

export interface Field<Cell = string> {
  readonly name: string
  readonly in: string
  readonly type: 'integer' | 'string'
  /** The bounds of an integer, or of the length of a string. */
  readonly low?: number | bigint
  readonly high?: number | bigint
  readonly cells: Readonly<Partial<Record<Class, Cell>>>
  /** The cells of the listed values. */
  readonly values?: Readonly<Record<string, Cell>>
}

type Bound = number | bigint | undefined
type Class = 'absent' | 'lowest' | 'highest' | 'inside' | 'outside' | 'malformed'

/** `undefined` means absent. A parameter is a string whatever its type. */
export function findCell<Cell>(field: Field<Cell>, given: unknown): Cell | undefined {
  if (given === undefined) return field.cells.absent
  if (field.type === 'string') return findTextCell(field, given)
  const isText = field.in !== 'body' && typeof given === 'string'
  return findIntegerCell(field, isText ? readInteger(given) : given)
}

function findTextCell<Cell>(field: Field<Cell>, value: unknown): Cell | undefined {
  const { cells, values, low, high } = field
  if (typeof value !== 'string') return cells.malformed
  if (values) return Object.hasOwn(values, value) ? values[value] : cells.outside
  // Code points are counted only where there is a maximum length.
  const length = high === undefined ? value.length : [...value].length
  return cells[compareWithBounds(length, low, high)]
}

function findIntegerCell<Cell>(field: Field<Cell>, value: unknown): Cell | undefined {
  const { cells, low, high } = field
  const isInteger = typeof value === 'bigint' || Number.isInteger(value)
  if (!isInteger) return cells.malformed
  return cells[compareWithBounds(value as number | bigint, low, high)]
}

function compareWithBounds(size: number | bigint, low: Bound, high: Bound): Class {
  if (low !== undefined && size < low) return 'outside'
  if (high !== undefined && size > high) return 'outside'
  if (low !== undefined && size <= low) return 'lowest'
  if (high !== undefined && size >= high) return 'highest'
  return 'inside'
}

function readInteger(text: string): unknown {
  const value = parseInt64(text)
  if (value !== undefined) return value
  return /^-?[1-9]\d*$/.test(text) ? BigInt(text) : text
}
