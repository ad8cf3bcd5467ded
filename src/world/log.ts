// The rows of a world, and what is forgotten first: beyond a limit, the oldest rows go. The states
// before them may go earlier.
import { MAX_CHANGES, MAX_LOG_BYTES, MAX_LOGS_BYTES } from '../contract/limits.ts'
import { findOwnObstacle } from './judge-changes.ts'
import type { KeptRequest, KeptRow } from './kept-row.ts'
import type { Memory, Owned } from './memory.ts'
import { NONE } from './notes.ts'
import { createQueue, type Queue } from './queue.ts'
import { isChange } from './row.ts'
import type { State } from './state.ts'

/** A row and what it takes, which is given back with it. */
interface Entry {
  readonly row: KeptRow
  readonly bytes: number
  /** What only the state before the row has. */
  readonly owned: Owned
}

export interface Log {
  readonly entries: Queue<Entry>
  bytes: number
  requestCount: number
  /** How many of the oldest rows keep no state. */
  stateless: number
}

/** The logs of one mock. */
export interface Logs {
  /** How many requests each log keeps; with 0 it keeps no rows at all. */
  readonly maxRequests: number
  readonly memory: Memory
  readonly filled: Set<Log>
  lastId: number
  bytes: number
}

export const createLog = (): Log => ({
  entries: createQueue(),
  bytes: 0,
  requestCount: 0,
  stateless: 0,
})

export function listRows({ entries }: Log): KeptRow[] {
  return entries.list().map(({ row }) => row)
}

/** Keeps a row with the state before it, which owns something that the state after it has not. */
export function keepRow(
  log: Log,
  row: KeptRow,
  before: State | undefined,
  owned: Owned,
  logs: Logs,
): void {
  const bytes = sizeOfRow(row)
  row.before = before
  if (!before) log.stateless++
  if (isChange(row)) row.obstacle = findOwnObstacle(row)
  else log.requestCount++
  log.entries.push({ row, bytes, owned })
  log.bytes += bytes
  logs.bytes += bytes
  logs.filled.add(log)
}

export function stateAfter(rows: readonly KeptRow[], index: number, present: State): State {
  return rows[index + 1]?.before ?? present
}

/** The oldest row of all gives up the state before it; returns false if none has one. */
export function forgetOldestState(logs: Logs): boolean {
  let oldest: Log | undefined
  let oldestId = Number.POSITIVE_INFINITY
  for (const log of logs.filled) {
    const { row } = log.entries.at(log.stateless) ?? {}
    if (!row || row.id >= oldestId) continue
    oldest = log
    oldestId = row.id
  }
  if (!oldest) return false
  forgetState(oldest, logs)
  return true
}

function forgetState(log: Log, logs: Logs): void {
  const { row, owned } = log.entries.at(log.stateless) as Entry
  logs.memory.release(owned)
  row.before = undefined
  log.stateless++
}

export function forgetOldest(log: Log, logs: Logs): void {
  if (log.stateless === 0) forgetState(log, logs)
  log.stateless--
  const { row, bytes } = log.entries.shift() as Entry
  if (!isChange(row)) log.requestCount--
  log.bytes -= bytes
  logs.bytes -= bytes
  if (log.entries.length === 0) logs.filled.delete(log)
}

/** Forgets the oldest rows until this log, and all together, are within their limits. */
export function forgetExcess(log: Log, logs: Logs): void {
  while (isOver(log, logs)) forgetOldest(log, logs)
  // The largest gives way, so that the rows of other sandboxes outlast a busy one.
  while (logs.bytes > MAX_LOGS_BYTES) forgetOldest(findLargest(logs), logs)
}

function isOver(log: Log, logs: Logs): boolean {
  const { requestCount } = log
  const changeCount = log.entries.length - requestCount
  if (requestCount > logs.maxRequests || changeCount > MAX_CHANGES) return true
  return log.bytes > MAX_LOG_BYTES
}

function findLargest(logs: Logs): Log {
  const [first] = logs.filled
  let largest = first as Log
  for (const log of logs.filled) {
    if (log.bytes > largest.bytes) largest = log
  }
  return largest
}

/** What a row takes besides its texts, at most: a plain request takes 0.7 kB in all on Node 20. */
const REQUEST_BYTES = 1_024
const CHANGE_BYTES = 512
const ITEM_BYTES = 64
const FIELD_BYTES = 64

export function sizeOfRow(row: Readonly<KeptRow>): number {
  if (isChange(row)) return CHANGE_BYTES + 2 * row.text.length + ITEM_BYTES * row.changed.length
  return sizeOfRequest(row)
}

function sizeOfRequest(row: Readonly<KeptRequest>): number {
  const { method, target, requestHeaders, requestBody, responseHeaders, responseBody } = row
  let characters = method.length + target.length + requestBody.length + responseBody.length
  let fields = 0
  for (const name in requestHeaders) {
    fields++
    characters += name.length + (requestHeaders[name] as string).length
  }
  for (const name in responseHeaders) characters += (responseHeaders[name] as string).length
  for (const note of row.notes) characters += note.length
  for (const fault of row.faults) characters += fault.length
  for (const text of row.struck ?? NONE) characters += text.length
  for (const problem of row.decidedProblems) characters += JSON.stringify(problem).length
  characters += row.decidedError?.length ?? 0
  return REQUEST_BYTES + FIELD_BYTES * fields + 2 * characters
}
