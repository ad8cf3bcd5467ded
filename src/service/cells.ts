// The cells of coverage that the input of a call belongs to, found when the call is counted.
import { countOf, firstOf } from '../contract/address.ts'
import type { OperationContract, OperationId } from '../contract/generated/contract.ts'
import { cellNames, coveredOperations } from '../contract/generated/coverage.ts'
import { isObject, readOwn } from '../contract/values.ts'
import { NONE } from '../world/notes.ts'
import type { Context } from './context.ts'
import { type Field, findCell } from './find-cell.ts'
import { findUnknown } from './parse-input.ts'
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
type Cells = readonly (number | undefined)[]

/** None if the call was refused before its input was read. */
export function findInputCells(operation: OperationContract, { sent, sentBody }: Context): Cells {
  if (!sent) return NONE
  const { parameters, bodyFields } = covered[operation.operationId]
  const cells = parameters.map((field) => findParameterCell(field, sent))
  if (findUnknown(operation, sent).length > 0) cells.push(UNKNOWN_PARAMETER)
  // Only an object has fields.
  if (!isObject(sentBody)) return cells
  return cells.concat(bodyFields.map((field) => findCell(field, readOwn(sentBody, field.name))))
}

function findParameterCell(field: Field, { path, query }: SentInput): number | undefined {
  const { name, cells } = field
  if (field.in === 'path') return findCell(field, path[name])
  if (countOf(query, name) > 1) return cells.malformed
  return findCell(field, firstOf(query, name))
}
