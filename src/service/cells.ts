// The cells of coverage that the input of a call belongs to.
import { countOf, firstOf } from '../contract/address.ts'
import type { OperationId } from '../contract/generated/contract.ts'
import { cellNames, coveredOperations } from '../contract/generated/coverage.ts'
import type { Json } from '../contract/int64-json.ts'
import { isObject, readOwn } from '../contract/values.ts'
import { NONE } from '../world/notes.ts'
import { type Field, findCell } from './find-cell.ts'
import type { SentInput } from './target.ts'

/** The cells of an operation, by their numbers. */
interface CoveredOperation {
  /** Its own number. */
  readonly index: number
  readonly called: number
  /** Of the documented statuses. */
  readonly statuses: Readonly<Record<number, number>>
  readonly parameters: readonly Field[]
  readonly bodyFields: readonly Field[]
}

export const covered: Readonly<Record<OperationId, CoveredOperation>> = coveredOperations
/** For a parameter that the contract does not have. It follows the cells of the contract. */
export const UNKNOWN_PARAMETER = cellNames.length

/** The cells of values; undefined for a value that no cell is about. */
export type Cells = readonly (number | undefined)[]

export function findParameterCells(operation: OperationId, sent: SentInput): Cells {
  return covered[operation].parameters.map((field) => findParameterCell(field, sent))
}

function findParameterCell(field: Field, { path, query }: SentInput): number | undefined {
  const { name, cells } = field
  if (field.in === 'path') return findCell(field, path[name])
  if (countOf(query, name) > 1) return cells.malformed
  return findCell(field, firstOf(query, name))
}

/** None if the body is not an object, and so has no fields. */
export function findBodyCells(operation: OperationId, body: Json): Cells {
  if (!isObject(body)) return NONE
  return covered[operation].bodyFields.map((field) => findCell(field, readOwn(body, field.name)))
}
