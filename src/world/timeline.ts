// The rows of a world, each with the state before it.
import { MAX_LOG_ROWS } from '../contract/limits.ts'
import { judgeChanges } from './judge-changes.ts'
import type { KeptChange, KeptRequest, KeptRow } from './kept-row.ts'
import {
  forgetExcess,
  forgetOldest,
  forgetState,
  keepRow,
  type Log,
  pickBest,
  type Shared,
  stateAfter,
} from './log.ts'
import type { Memory } from './memory.ts'
import { isChange, isLoad, isRequest } from './row.ts'
import { createRowFilter, type LogFilter } from './row-filter.ts'
import type { State } from './state.ts'

export type Timelines = ReturnType<typeof createTimelines>

export type Timeline = ReturnType<typeof createTimeline>

export function createTimelines(memory: Memory, maxRequests = MAX_LOG_ROWS) {
  const shared: Shared = { maxRequests, memory, logs: new Set(), lastId: 0, bytes: 0 }
  const oldestState = ({ rows, stateless }: Log) => rows[stateless]?.id ?? Number.POSITIVE_INFINITY
  return {
    create: (present: () => State) => createTimeline(present, shared),
    /** The oldest row of all gives up the state before it; returns false if none has one. */
    forgetOldestState(): boolean {
      const oldest = pickBest(shared.logs, (log) => -oldestState(log))
      if (!oldest || oldestState(oldest) === Number.POSITIVE_INFINITY) return false
      forgetState(oldest, shared)
      return true
    },
  }
}

function createTimeline(present: () => State, shared: Shared) {
  const log: Log = { rows: [], sizes: [], bytes: 0, requestCount: 0, stateless: 0, present }
  const { rows } = log
  const list = (filter: LogFilter = {}): (Readonly<KeptRequest> | KeptChange)[] =>
    judgeChanges(rows).filter(createRowFilter(filter))

  /**
   * Gives a row the next id, unless it has one, and keeps it with the state before it; `present` is
   * the next one.
   */
  function add(row: KeptRow, before?: State): void {
    row.id ||= shared.lastId + 1
    shared.lastId = Math.max(shared.lastId, row.id)
    if (shared.maxRequests === 0) return void (before && shared.memory.release(before, present()))
    keepRow(log, row, before, shared)
    forgetExcess(log, shared)
  }

  function empty(): void {
    while (rows.length > 0) forgetOldest(log, shared)
  }

  return {
    get oldestId(): number | undefined {
      return rows[0]?.id
    },
    /** Of the whole mock, even if that row is gone: no id is used again. */
    get lastId(): number {
      return shared.lastId
    },
    add,
    /**
     * Keeps earlier rows, under their own ids. New ones count on from the highest of those and
     * `newLastId`.
     */
    restore(earlier: Iterable<KeptRow>, newLastId: number): void {
      shared.lastId = Math.max(shared.lastId, newLastId)
      for (const row of earlier) add(row)
    },
    find(id: number) {
      const index = judgeChanges(rows).findIndex((row) => row.id === id)
      const row = rows[index]
      return row && { row, after: stateAfter(rows, index, present()) }
    },
    /**
     * The matching requests since the last load or reset, in the order in which they were decided;
     * ignores a limit.
     */
    requests(filter?: LogFilter): Readonly<KeptRequest>[] {
      const found = list(filter).filter(isRequest)
      // The state comes from a load that stands.
      const isStart = (row: KeptRow) =>
        isChange(row) && isLoad(row) && (!row.obstacle || row.obstacle === 'forgotten')
      const start = rows.findLast(isStart)?.id ?? 0
      return found.filter(({ id }) => id > start)
    },
    rows: list,
    /** A request whose response is delayed stays. */
    clear(): void {
      const waiting = rows.filter((row) => isRequest(row) && row.outcome === 'waiting')
      empty()
      for (const row of waiting) keepRow(log, row, undefined, shared)
    },
    empty,
  }
}
