// The cells of coverage by their numbers, and those that the input of a call belongs to.
import { valuesOf } from '../contract/address.ts'
import type { OperationId } from '../contract/generated/contract.ts'
import { coveredOperations } from '../contract/generated/coverage.ts'
import type { Json } from '../contract/int64-json.ts'
import { isObject, readOwn } from '../contract/values.ts'
import type { SentInput } from './context.ts'
import { type Field, findCell } from './find-cell.ts'

interface CoveredOperation {
  /** The cells of the documented statuses. */
  readonly statuses: Readonly<Record<number, string>>
  readonly fields: readonly Field<string>[]
}

interface NumberedOperation {
  /** Its own number. */
  readonly index: number
  readonly called: number
  readonly statuses: Readonly<Record<number, number>>
  readonly parameters: readonly Field<number>[]
  readonly bodyFields: readonly Field<number>[]
}

export const covered: Readonly<Record<OperationId, CoveredOperation>> = coveredOperations
/** By their numbers. */
export const cellNames: readonly string[] = listCells()
const numbers = new Map(cellNames.map((name, index) => [name, index]))
/** For a parameter that the contract does not have. It follows the cells of the contract. */
export const UNKNOWN_PARAMETER = cellNames.length

export const numbered = numberOperations()

function listCells(): string[] {
  const names: string[] = []
  for (const [id, { statuses, fields }] of Object.entries(covered)) {
    names.push(id, ...Object.values(statuses))
    for (const { cells, values = {} } of fields) {
      names.push(...Object.values(cells), ...Object.values(values))
    }
  }
  return names
}

function numberOperations(): Readonly<Record<OperationId, NumberedOperation>> {
  const operations = Object.entries(covered).map(([id, { statuses, fields }], index) => {
    const own = fields.map(numberField)
    const operation: NumberedOperation = {
      index,
      called: numberOf(id),
      statuses: numberCells(statuses),
      parameters: own.filter((field) => field.in !== 'body'),
      bodyFields: own.filter((field) => field.in === 'body'),
    }
    return [id, operation]
  })
  return Object.fromEntries(operations)
}

function numberField(field: Field<string>): Field<number> {
  const { cells, values, ...others } = field
  const own = { ...others, cells: numberCells(cells) }
  return values ? { ...own, values: numberCells(values) } : own
}

function numberCells(names: Readonly<Record<string, string>>): Record<string, number> {
  const entries = Object.entries(names)
  return Object.fromEntries(entries.map(([name, cell]) => [name, numberOf(cell)]))
}

function numberOf(name: string): number {
  return numbers.get(name) as number
}

export function findParameterCells(operation: OperationId, sent: SentInput): number[] {
  const found: number[] = []
  for (const field of numbered[operation].parameters) {
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
  for (const field of numbered[operation].bodyFields) {
    const cell = findCell(field, readOwn(body, field.name))
    if (cell !== undefined) found.push(cell)
  }
  return found
}
