// The rows that a mock keeps. Beyond a limit, the oldest rows go, and before them their states.
import { MAX_CHANGES, MAX_LOG_BYTES, MAX_LOGS_BYTES } from '../contract/limits.ts'
import { findOwnObstacle } from './judge-changes.ts'
import type { KeptRow } from './kept-row.ts'
import type { Memory } from './memory.ts'
import { NONE } from './notes.ts'
import { isChange } from './row.ts'
import type { State } from './state.ts'

export interface Log {
  readonly rows: KeptRow[]
  /** How many bytes each row takes: kept, since to measure an old row again is slow. */
  readonly sizes: number[]
  bytes: number
  requestCount: number
  /** How many of the oldest rows keep no state. */
  stateless: number
  present(): State
}

export interface Shared {
  readonly maxRequests: number
  readonly memory: Memory
  readonly logs: Set<Log>
  lastId: number
  bytes: number
}

/** What a row takes besides its texts, at most: a plain request takes 0.7 kB in all on Node 20. */
const REQUEST_BYTES = 1_024

const CHANGE_BYTES = 512

const ITEM_BYTES = 64

const FIELD_BYTES = 64

export function sizeOfRow(row: Readonly<KeptRow>): number {
  if (isChange(row)) return CHANGE_BYTES + 2 * row.text.length + ITEM_BYTES * row.changed.length
  const { method, target, requestBody, responseBody, responseHeaders, requestHeaders } = row
  let characters = method.length + target.length + requestBody.length + responseBody.length
  characters += row.decidedError?.length ?? 0
  let fields = 0
  for (const name in requestHeaders) {
    fields++
    characters += name.length + (requestHeaders[name] as string).length
  }
  for (const note of row.notes) characters += note.length
  for (const fault of row.faults) characters += fault.length
  for (const text of row.struck ?? NONE) characters += text.length
  for (const problem of row.decidedProblems) characters += JSON.stringify(problem).length
  for (const name in responseHeaders) characters += (responseHeaders[name] as string).length
  return REQUEST_BYTES + FIELD_BYTES * fields + 2 * characters
}

export const stateAfter = (rows: readonly KeptRow[], at: number, last: State): State =>
  rows[at + 1]?.before ?? last

export function keepRow(log: Log, row: KeptRow, before: State | undefined, shared: Shared): void {
  const size = sizeOfRow(row)
  row.before = before
  if (!before) log.stateless++
  if (isChange(row)) row.obstacle = findOwnObstacle(row)
  else log.requestCount++
  log.rows.push(row)
  log.sizes.push(size)
  log.bytes += size
  shared.bytes += size
  shared.logs.add(log)
}

export function forgetState(log: Log, { memory }: Shared): void {
  const row = log.rows[log.stateless] as KeptRow
  memory.release(row.before as State, stateAfter(log.rows, log.stateless, log.present()))
  row.before = undefined
  log.stateless++
}

export function forgetOldest(log: Log, shared: Shared): void {
  if (log.stateless === 0) forgetState(log, shared)
  log.stateless--
  if (!isChange(log.rows.shift() as KeptRow)) log.requestCount--
  const size = log.sizes.shift() as number
  log.bytes -= size
  shared.bytes -= size
  if (log.rows.length === 0) shared.logs.delete(log)
}

export function forgetExcess(log: Log, shared: Shared): void {
  const isOver = ({ rows, requestCount, bytes }: Log) =>
    requestCount > shared.maxRequests ||
    rows.length - requestCount > MAX_CHANGES ||
    bytes > MAX_LOG_BYTES
  while (isOver(log)) forgetOldest(log, shared)
  // The largest gives way, so that the rows of other sandboxes outlast a busy one.
  while (shared.bytes > MAX_LOGS_BYTES)
    forgetOldest(pickBest(shared.logs, ({ bytes }) => bytes) as Log, shared)
}

export function pickBest(logs: Iterable<Log>, rate: (log: Log) => number): Log | undefined {
  let best: Log | undefined
  for (const log of logs) if (!best || rate(log) > rate(best)) best = log
  return best
}
