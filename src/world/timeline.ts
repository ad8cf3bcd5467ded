// The timeline of a world: its requests and changes in the order in which they came, each with the
// state before it.
import { MAX_LOG_ROWS } from '../contract/limits.ts'
import { judgeChanges } from './judge-changes.ts'
import type { KeptChange, KeptRequest, KeptRow } from './kept-row.ts'
import {
  createLog,
  forgetExcess,
  forgetOldest,
  forgetOldestState,
  keepRow,
  type Logs,
  listRows,
  stateAfter,
} from './log.ts'
import { type Memory, NOTHING } from './memory.ts'
import { isChange, isLoad, isRequest } from './row.ts'
import { createRowFilter, type LogFilter } from './row-filter.ts'
import type { State } from './state.ts'

export interface Timelines {
  create(present: () => State): Timeline
  forgetOldestState(): boolean
  /** Timelines with the same limits, which count on from the last id of these. */
  prepare(memory: Memory): Timelines
}
export type Timeline = ReturnType<typeof createTimeline>

type ReadRow = Readonly<KeptRequest> | KeptChange

export function createTimelines(memory: Memory, maxRequests = MAX_LOG_ROWS, lastId = 0): Timelines {
  const logs: Logs = { maxRequests, memory, filled: new Set(), lastId, bytes: 0 }
  return {
    create: (present) => createTimeline(present, logs),
    forgetOldestState: () => forgetOldestState(logs),
    prepare: (other) => createTimelines(other, maxRequests, logs.lastId),
  }
}

function createTimeline(present: () => State, logs: Logs) {
  const log = createLog()
  const { entries } = log

  /**
   * Gives a row the next id, unless it has one, and keeps it with the state before it, and with
   * what only that state has.
   */
  function add(row: KeptRow, before?: State, owned = NOTHING): void {
    if (row.id === 0) row.id = logs.lastId + 1
    logs.lastId = Math.max(logs.lastId, row.id)
    if (logs.maxRequests > 0) {
      keepRow(log, row, before, owned, logs)
      forgetExcess(log, logs)
    } else {
      logs.memory.release(owned)
    }
  }

  function judge(): KeptRow[] {
    const rows = listRows(log)
    judgeChanges(rows)
    return rows
  }

  const list = (filter: LogFilter = {}): ReadRow[] => judge().filter(createRowFilter(filter))

  function empty(): void {
    while (entries.length > 0) forgetOldest(log, logs)
  }

  return {
    get oldestId(): number | undefined {
      return entries.at(0)?.row.id
    },
    /** Of the whole mock, even if that row is gone: no id is used again. */
    get lastId(): number {
      return logs.lastId
    },
    add,
    /**
     * Keeps earlier rows, under their own ids. New ones count on from the highest of those and
     * `newLastId`.
     */
    restore(earlier: Iterable<KeptRow>, newLastId: number): void {
      logs.lastId = Math.max(logs.lastId, newLastId)
      for (const row of earlier) add(row)
    },
    /** A row and the state after it. */
    find(id: number) {
      const rows = judge()
      const index = rows.findIndex((one) => one.id === id)
      const row = rows[index]
      if (!row) return undefined
      return { row, after: stateAfter(rows, index, present()) }
    },
    /**
     * The matching requests since the last load or reset, in the order in which they were decided;
     * ignores a limit.
     */
    requests(filter?: LogFilter): Readonly<KeptRequest>[] {
      const rows = judge()
      const start = rows.findLast(isStart)?.id ?? 0
      const isWanted = createRowFilter(filter ?? {})
      return rows.filter(isRequest).filter((row) => row.id > start && isWanted(row))
    },
    rows: list,
    /** A request whose response is delayed stays. */
    clear(): void {
      const waiting = listRows(log).filter((row) => isRequest(row) && row.outcome === 'waiting')
      empty()
      for (const row of waiting) keepRow(log, row, undefined, NOTHING, logs)
    },
    empty,
  }
}

/** Whether it is a load that stands: the present state comes from the last of these. */
function isStart(row: KeptRow): boolean {
  if (!isChange(row) || !isLoad(row)) return false
  return row.obstacle === undefined || row.obstacle === 'forgotten'
}
