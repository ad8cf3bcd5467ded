// The log of a world: its requests and changes, in rows that know which changes of items are theirs. Forgets the oldest rows, bounded in
// number and in bytes, each log by itself and all together.
import { MAX_LOG_BYTES, MAX_LOG_ENTRIES, MAX_LOGS_BYTES } from '../limits.ts'
import { type Change, type ChangeRow, isChange, isRequest, sizeOfChange, toChange, toChangeRow } from './change.ts'
import { createChangeLog } from './change-log.ts'
import { createMatch, type EntryFormat, type LogEntry, type LogFilter, type LogRow, type Reader, sizeOfRow } from './log-entry.ts'
import { createRedactor } from './redactor.ts'

/** The request logs of one mock, which share their numbering and a limit. */
export type RequestLogs = ReturnType<typeof createRequestLogs>
export type RequestLog = ReturnType<RequestLogs['create']>

export type RequestLogLimits = Readonly<Partial<Record<'entries' | 'bytes' | 'totalBytes', number>>>

/** The revision before a row of an earlier life of the mock, or one that outlasted a clearing. */
const UNKNOWN = -1

/** The limits of one request log, and of all together. */
export function createRequestLogs({ toEntry, toRow }: EntryFormat, limits: RequestLogLimits = {}) {
  const { entries: maxEntries = MAX_LOG_ENTRIES, bytes: maxBytes = MAX_LOG_BYTES, totalBytes: maxTotalBytes = MAX_LOGS_BYTES } = limits
  /** The request logs that hold something. */
  const holders = new Set<{ bytes(): number; forgetOldest(): void }>()
  let lastId = 0
  let totalBytes = 0
  const hidden = new Set<string>()
  let hideOwn = createRedactor(hidden)

  /** The largest gives way, so that the entries of other sandboxes outlast a busy one. */
  function makeRoom(): void {
    while (totalBytes > maxTotalBytes) [...holders].reduce((one, other) => (other.bytes() > one.bytes() ? other : one)).forgetOldest()
  }

  /**
   * A request log that shows none of these secrets, for the sandbox of a key or the shared world. Each row knows which changes of the items
   * are its own; they count as a part of it, and are forgotten with it.
   */
  function create(secrets: Iterable<string>, sandbox?: string, changeLog = createChangeLog()) {
    const hideKeys = createRedactor(secrets)
    const reader: Reader = { sandbox: sandbox ?? null, hide: (text) => hideKeys(hideOwn(text)) }
    /** In the order in which they were decided. */
    const kept: (LogRow | Change)[] = []
    /** How many bytes each takes, here so that forgetting one does not fetch it from memory that is long cold. */
    const sizes: number[] = []
    /** The revision before each. */
    const froms: number[] = []
    /** The revision before and after the last row, whether or not it is kept. */
    let [lastFrom, lastTo, lastBytes] = [changeLog.revision, changeLog.revision, changeLog.bytes]
    let requestCount = 0
    let bytes = 0
    let isClosed = maxEntries === 0
    const holder = { bytes: () => bytes, forgetOldest }

    function show(row: Readonly<LogRow>): LogEntry
    function show(row: Change): ChangeRow
    function show(row: LogRow | Change): LogEntry | ChangeRow
    function show(row: LogRow | Change): LogEntry | ChangeRow {
      return isChange(row) ? toChangeRow(row, reader) : toEntry(row, reader)
    }

    function grow(more: number): void {
      bytes += more
      totalBytes += more
    }

    /** Not the changes of the last row: a host that saves states reads them. */
    function forgetChanges(): void {
      changeLog.forget(Math.min(froms.find((from) => from !== UNKNOWN) ?? lastFrom, lastFrom))
    }

    function forgetOldest(): void {
      if (!isChange(kept.shift() as LogRow | Change)) requestCount--
      froms.shift()
      grow(-(sizes.shift() as number))
      forgetChanges()
      if (kept.length === 0) holders.delete(holder)
    }

    /** A request whose response is delayed stays. */
    function clear(): void {
      const waiting = kept.filter((row) => !isChange(row) && row.outcome === 'waiting')
      while (kept.length > 0) forgetOldest()
      for (const one of waiting) keep(one, UNKNOWN, 0)
    }

    function keep(one: LogRow | Change, from: number, changeBytes: number): void {
      holders.add(holder)
      const size = (isChange(one) ? sizeOfChange(one) : sizeOfRow(one)) + changeBytes
      kept.push(one)
      if (!isChange(one)) requestCount++
      sizes.push(size)
      froms.push(from)
      grow(size)
      while (requestCount > maxEntries || bytes > maxBytes) forgetOldest()
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
      /** Gives a request that has just been decided, or a change, the next id, and keeps it. */
      add(row: LogRow | Change): void {
        row.id = ++lastId
        lastFrom = lastTo
        lastTo = changeLog.revision
        if (!isClosed) keep(row, lastFrom, changeLog.bytes - lastBytes)
        lastBytes = changeLog.bytes
        forgetChanges()
      },
      /** Keeps earlier rows, under their own ids. New ones count on from the highest of them, or from `newLastId` if that is higher. */
      restore(rows: Iterable<LogEntry | ChangeRow>, newLastId: number): void {
        lastId = Math.max(lastId, newLastId)
        for (const row of rows) {
          lastId = Math.max(lastId, row.id)
          if (!isClosed) keep(isChange(row) ? toChange(row) : toRow(row), UNKNOWN, 0)
        }
      },
      /** A row with the revisions before and after it; undefined if it is not here. `from` is negative in an earlier life of the mock. */
      find(id: number) {
        const index = kept.findIndex((row) => row.id === id)
        const row = kept[index]
        return row && { row, from: froms[index] as number, to: froms[index + 1] ?? lastTo }
      },
      /** The changes, the last one first. */
      changes: (): Change[] => kept.filter(isChange).reverse(),
      /** Replaces known secrets. */
      hide: reader.hide,
      /** The requests that match, in the order in which they were decided; a limit is up to the caller. */
      requests: (filter: LogFilter = {}): Readonly<LogRow>[] => kept.filter(isRequest).filter(createMatch(filter)),
      /** The same with the changes, which match unless the filter is about requests. */
      rows(filter: LogFilter = {}): (Readonly<LogRow> | Change)[] {
        const { limit: _, waiting: __, ...about } = filter
        const hasChanges = Object.keys(about).length === 0
        const isWanted = createMatch(filter)
        return kept.filter((row) => (isChange(row) ? hasChanges : isWanted(row)))
      },
      /** A copy to hand out. It takes its time: choose the rows first. */
      show,
      clear,
      /** Empties it and keeps nothing more: the world that it belongs to is gone. */
      close(): void {
        isClosed = true
        clear()
      },
    }
  }

  return {
    create,
    /** From now on no request log shows this text. */
    hide(secret: string): void {
      hidden.add(secret)
      hideOwn = createRedactor(hidden)
    },
  }
}
