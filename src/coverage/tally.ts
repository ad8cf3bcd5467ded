// Counts what calls try of the contract, when each is settled. It belongs to the mock and not to a world, so that resets, the length of
// the request log and removed sandboxes lose nothing.
import { isObject, readOwn } from '../contract/describe-value.ts'
import { parseInt64 } from '../contract/int64-json.ts'
import { saySlip } from '../contract/problem.ts'
import type { AssumptionId, OperationId } from '../generated/contract.ts'
import { coveredContract, coveredOperations } from '../generated/coverage.ts'
import type { Recorder, Sent } from '../service/reply.ts'
import type { Strike } from '../world/faults.ts'
import { isAnswered, type KeptRequest } from '../world/row.ts'
import type { Coverage } from './coverage.ts'

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

interface CoveredOperation {
  /** The cells of the documented statuses. */
  readonly statuses: Readonly<Record<number, string>>
  readonly fields: readonly Field[]
}

/** Everything that can be tried, in the order of the contract. */
export const covered: Readonly<Record<OperationId, CoveredOperation>> = coveredOperations
const allCells = Object.entries(covered).flatMap(([id, { statuses, fields }]) => [
  id,
  ...Object.values(statuses),
  ...fields.flatMap(({ cells, values = {} }) => [...Object.values(cells), ...Object.values(values)]),
])

type Counter = Record<string, number>

export function createTally() {
  const cells: Counter = Object.fromEntries(allCells.map((cell) => [cell, 0]))
  const faults: Record<string, Counter> = {}
  const undocumented: Counter = {}
  const nearMisses: Counter = {}
  const assumptions: Record<string, Record<string, Counter>> = {}
  let requests = 0

  function countUse(assumption: AssumptionId, { operation, state }: Recorder): void {
    add(findIn(findIn(assumptions, assumption), state.choices[assumption]), operation?.operationId ?? '-')
  }

  function countInput(fields: readonly Field[], { path, query, body }: Sent): void {
    let unknown = query.size
    for (const field of fields) {
      const { name, in: place } = field
      const repeated = place === 'query' ? query.get(name) : undefined
      if (repeated) unknown--
      if (place === 'body' && !isObject(body)) continue
      const value = place === 'query' ? repeated?.[0] : place === 'path' ? path[name] : readOwn(body, name)
      const cell = repeated && repeated.length > 1 ? field.cells.malformed : findCell(field, value)
      if (cell !== undefined) add(cells, cell)
    }
    if (unknown > 0) add(nearMisses, 'Unknown parameter')
  }

  return {
    count(row: KeptRequest, recorder: Recorder) {
      const { operation, strike, sent } = recorder
      const status = isAnswered(row) ? row.status : 0
      const fault = strike && nameFault(strike)
      const isFault = fault !== undefined && fault !== DELAY
      if (!operation && row.method === 'OPTIONS') return
      requests++
      for (const assumption of recorder.assumptions) countUse(assumption, recorder)
      // The request log lists neither this nor `unknown-category` below, since nearly every run would depend on them.
      if (status >= 400 && !isFault) countUse('error-codes', recorder)
      if (!operation) return add(nearMisses, describeMiss(status, row))
      const id = operation.operationId
      const { statuses, fields } = covered[id]
      add(cells, id)
      // With another body it is not the documented response.
      const cell = strike?.body === undefined && strike?.response === undefined ? statuses[status] : undefined
      if (cell !== undefined) add(cells, cell)
      else if (!isFault && status > 0) add(undocumented, `${id}.${status}`)
      if (fault !== undefined) add(findIn(faults, id), fault)
      if (isFault || !sent) return
      countInput(fields, sent)
      if (status === operation.success && readOwn(sent.body, 'categoryId') !== undefined) countUse('unknown-category', recorder)
    },
    coverage: (): Coverage =>
      structuredClone({ format: 2, contract: coveredContract, requests, cells, faults, undocumented, nearMisses, assumptions }),
  }
}

/** A fault after which the service still answers. */
export const DELAY = 'delay'

function nameFault({ drop, status, body, response }: Strike): string {
  if (drop) return 'drop'
  if (response) return `${response.status} response`
  if (body !== undefined) return status === undefined ? body : `${status} ${body}`
  return status === undefined ? DELAY : String(status)
}

/** What is wrong, without the path, which is different in each run. */
function describeMiss(status: number, { problems: [problem] }: KeptRequest): string {
  if (problem?.kind === 'near-path') return saySlip(problem)
  if (status === 404) return 'Unknown path'
  return status === 405 ? 'Method not allowed' : `Rejected with ${status}`
}

function findIn<T>(counters: Record<string, Record<string, T>>, name: string): Record<string, T> {
  counters[name] ??= {}
  return counters[name]
}

function add(counts: Counter, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

/** The cell of a value, by the bounds and values of its field; undefined means absent. Invalid values have cells too. A parameter is a string whatever its type. */
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
