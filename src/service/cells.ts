// The cells of coverage that the input of a call belongs to.
import { valuesOf } from '../contract/address.ts'
import type { OperationId } from '../contract/generated/contract.ts'
import { cellNames, coveredOperations } from '../contract/generated/coverage.ts'
import type { Json } from '../contract/int64-json.ts'
import { isObject, readOwn } from '../contract/values.ts'
import type { SentInput } from './context.ts'
import { type Field, findCell } from './find-cell.ts'

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

export function findParameterCells(operation: OperationId, sent: SentInput): number[] {
  const found: number[] = []
  for (const field of covered[operation].parameters) {
    const { name, cells } = field
    const values = field.in === 'path' ? [sent.path[name]] : valuesOf(sent.query, name)
    const cell = values.length > 1 ? cells.malformed : findCell(field, values[0])
    if (cell !== undefined) found.push(cell)
  }
  return found
}

/** None if the body is not an object, and so has no fields. */
export function findBodyCells(operation: OperationId, body: Json): number[] {
  const found: number[] = []
  if (!isObject(body)) return found
  for (const field of covered[operation].bodyFields) {
    const cell = findCell(field, readOwn(body, field.name))
    if (cell !== undefined) found.push(cell)
  }
  return found
}
