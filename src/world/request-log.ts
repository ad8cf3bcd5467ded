// The rows of a world: its requests and changes, each with the state before it. Forgets the oldest rows, bounded in number and in bytes,
// each log by itself and all together; and before that, the states of the oldest rows, if there is no room for more animals.
import { MAX_CHANGES, MAX_LOG_BYTES, MAX_LOG_ENTRIES, MAX_LOGS_BYTES } from '../limits.ts'
import { type Change, type ChangeRow, isChange, isRequest, judge, sizeOfChange, toChange, toChangeRow } from './change.ts'
import { createMatch, type EntryFormat, type LogEntry, type LogFilter, type LogRow, sizeOfRow } from './log-entry.ts'
import type { Memory } from './memory.ts'
import type { State } from './state.ts'

/** The request logs of one mock, which share their numbering and a limit. */
export type RequestLogs = ReturnType<typeof createRequestLogs>
export type RequestLog = ReturnType<RequestLogs['create']>

export type RequestLogLimits = Readonly<Partial<Record<'entries' | 'bytes' | 'totalBytes', number>>>

type Kept = LogRow | Change

/** A log that others may ask to make room. */
interface Holder {
  bytes(): number
  forgetOldest(): void
  /** The id of the oldest row that keeps a state. */
  oldestState(): number | undefined
  forgetOldestState(): void
}

/** The limits of one request log, and of all together. */
export function createRequestLogs({ toEntry, toRow }: EntryFormat, memory: Memory, limits: RequestLogLimits = {}) {
  const { entries: maxEntries = MAX_LOG_ENTRIES, bytes: maxBytes = MAX_LOG_BYTES, totalBytes: maxTotalBytes = MAX_LOGS_BYTES } = limits
  /** The request logs that hold something. */
  const holders = new Set<Holder>()
  let lastId = 0
  let totalBytes = 0

  /** The largest gives way, so that the entries of other sandboxes outlast a busy one. */
  function makeRoom(): void {
    while (totalBytes > maxTotalBytes) [...holders].reduce((one, other) => (other.bytes() > one.bytes() ? other : one)).forgetOldest()
  }

  /** The oldest row of all gives up the state before it; returns false if none has one. */
  function forgetOldestState(): boolean {
    let oldest: Holder | undefined
    for (const holder of holders) {
      if ((holder.oldestState() ?? Number.POSITIVE_INFINITY) < (oldest?.oldestState() ?? Number.POSITIVE_INFINITY)) oldest = holder
    }
    oldest?.forgetOldestState()
    return oldest !== undefined
  }

  /** A request log for the sandbox of a key or the shared world. `present` is what comes after its last row. */
  function create(present: () => State, sandbox?: string) {
    /** In the order in which they were decided. */
    const kept: Kept[] = []
    /** How many bytes each takes, here so that forgetting one does not fetch it from memory that is long cold. */
    const sizes: number[] = []
    /** How many of the oldest keep no state. */
    let stateless = 0
    let requestCount = 0
    let bytes = 0
    /** Whether the changes know which of them stand. */
    let isJudged = true
    const holder: Holder = { bytes: () => bytes, forgetOldest, oldestState: () => kept[stateless]?.id, forgetOldestState }

    function show(row: Readonly<LogRow>): LogEntry
    function show(row: Change): ChangeRow
    function show(row: Kept): LogEntry | ChangeRow
    function show(row: Kept): LogEntry | ChangeRow {
      return isChange(row) ? toChangeRow(row, sandbox ?? null) : toEntry(row, sandbox ?? null)
    }

    function grow(more: number): void {
      bytes += more
      totalBytes += more
    }

    /** The state after a row: the one before the next. */
    const after = (index: number): State => kept[index + 1]?.before ?? present()

    function forgetOldestState(): void {
      const row = kept[stateless] as Kept
      memory.release(row.before as State, after(stateless))
      row.before = undefined
      if (isChange(row)) row.canUndo = false
      stateless++
    }

    function forgetOldest(): void {
      if (stateless === 0) forgetOldestState()
      stateless--
      if (!isChange(kept.shift() as Kept)) requestCount--
      grow(-(sizes.shift() as number))
      if (kept.length === 0) holders.delete(holder)
    }

    /** A request whose response is delayed stays. */
    function clear(): void {
      const waiting = listWaiting()
      while (kept.length > 0) forgetOldest()
      for (const one of waiting) keepWithout(one)
    }

    /** The rows, once it is decided which changes stand. */
    function readRows(): readonly Kept[] {
      if (!isJudged) judge(kept, present())
      isJudged = true
      return kept
    }

    /** The last load or reset that is not undone. */
    function findStart(): number {
      return readRows().findLast((row) => isChange(row) && row.startsAgain && !row.isUndone)?.id ?? 0
    }

    const listWaiting = () => kept.filter(isRequest).filter(({ outcome }) => outcome === 'waiting')

    function keepWithout(row: Kept): void {
      row.before = undefined
      keep(row)
      stateless++
    }

    function keep(row: Kept): void {
      holders.add(holder)
      const size = isChange(row) ? sizeOfChange(row) : sizeOfRow(row)
      kept.push(row)
      if (isChange(row)) isJudged = false
      else requestCount++
      sizes.push(size)
      grow(size)
    }

    function forgetExcess(): void {
      while (requestCount > maxEntries || kept.length - requestCount > MAX_CHANGES || bytes > maxBytes) forgetOldest()
      makeRoom()
    }

    return {
      get oldestId(): number | undefined {
        return kept[0]?.id
      },
      /** The id of the last entry of the mock, also if it is gone: none is used again. */
      get lastId(): number {
        return lastId
      },
      /** Gives a row the next id, unless a recording gave it one, and keeps it with the state before it; `present` is the one after it. */
      add(row: Kept, before: State): void {
        row.id ||= lastId + 1
        lastId = Math.max(lastId, row.id)
        if (maxEntries === 0) memory.release(before, present())
        else {
          row.before = before
          if (isChange(row)) row.canUndo = before !== present()
          keep(row)
          forgetExcess()
        }
      },
      /** Keeps earlier rows, under their own ids. New ones count on from the highest of them, or from `newLastId` if that is higher. */
      restore(rows: Iterable<LogEntry | ChangeRow>, newLastId: number): void {
        lastId = Math.max(lastId, newLastId)
        for (const row of rows) {
          lastId = Math.max(lastId, row.id)
          if (maxEntries > 0) keepWithout(isChange(row) ? toChange(row) : toRow(row))
        }
        forgetExcess()
      },
      /** A row with the state after it; undefined if it is not here. */
      find(id: number) {
        const index = readRows().findIndex((row) => row.id === id)
        const row = kept[index]
        return row && { row, after: after(index) }
      },
      /** The requests since the last load or reset that match, in the order in which they were decided; a limit is up to the caller. */
      requests(filter: LogFilter = {}): Readonly<LogRow>[] {
        const start = findStart()
        const isWanted = createMatch(filter)
        return kept.filter(isRequest).filter((row) => row.id > start && isWanted(row))
      },
      listWaiting,
      /** Every row that matches; changes do unless the filter is about requests. */
      rows(filter: LogFilter = {}): (Readonly<LogRow> | Change)[] {
        const { operation, status, method, apiKey } = filter
        const hasChanges = [operation, status, method, apiKey].every((wanted) => wanted === undefined)
        const isWanted = createMatch(filter)
        return readRows().filter((row) => (isChange(row) ? hasChanges : isWanted(row)))
      },
      /** A copy to hand out. It takes its time: choose the rows first. */
      show,
      clear,
      /** Empties it, as if nothing had happened. */
      empty(): void {
        while (kept.length > 0) forgetOldest()
      },
    }
  }

  return { create, forgetOldestState }
}
