// The request log: lists that forget the oldest exchanges, bounded in entries and in bytes, each by itself and all together.
import { MAX_LOG_BYTES, MAX_LOG_ENTRIES, MAX_LOGS_BYTES } from '../limits.ts'
import { type Exchange, type LogEntry, type LogFilter, matches, type Reader, sizeOfExchange, toEntry, toExchange } from './log-entry.ts'
import { createRedactor } from './redactor.ts'

/** The request logs of one mock, which share their numbering and a limit. */
export type RequestLogs = ReturnType<typeof createRequestLogs>
export type RequestLog = ReturnType<RequestLogs['create']>

export type RequestLogLimits = Readonly<Partial<Record<'entries' | 'bytes' | 'totalBytes', number>>>

/** The limits of one request log, and of all together. */
export function createRequestLogs({
  entries: maxEntries = MAX_LOG_ENTRIES,
  bytes: maxBytes = MAX_LOG_BYTES,
  totalBytes: maxTotalBytes = MAX_LOGS_BYTES,
}: RequestLogLimits = {}) {
  /** The request logs that hold something. */
  const holders = new Set<{ bytes(): number; forgetOldest(): void }>()
  let lastId = 0
  let totalBytes = 0
  const hidden: string[] = []
  let hideOwn = createRedactor(hidden)

  /** The largest gives way, so that the entries of other sandboxes outlast a busy one. */
  function makeRoom(): void {
    while (totalBytes > maxTotalBytes) [...holders].reduce((one, other) => (other.bytes() > one.bytes() ? other : one)).forgetOldest()
  }

  /** A request log that shows none of these secrets, for the sandbox of a key or the shared world. */
  function create(secrets: Iterable<string> = [], sandbox?: string) {
    const hideKeys = createRedactor(secrets)
    const reader: Reader = { sandbox: sandbox ?? null, hide: (text) => hideKeys(hideOwn(text)) }
    /** In the order in which they were asked. */
    const kept: Exchange[] = []
    /** How many bytes each takes, here so that forgetting one does not fetch it from memory that is long cold. */
    const sizes: number[] = []
    let bytes = 0
    let isClosed = maxEntries === 0
    const holder = { bytes: () => bytes, forgetOldest }
    const show = (exchange: Readonly<Exchange>): LogEntry => toEntry(exchange, reader)

    function grow(more: number): void {
      bytes += more
      totalBytes += more
    }

    function forgetOldest(): void {
      kept.shift()
      grow(-(sizes.shift() as number))
      if (kept.length === 0) holders.delete(holder)
    }

    function clear(): void {
      holders.delete(holder)
      grow(-bytes)
      kept.length = sizes.length = 0
    }

    function keep(one: Exchange): void {
      if (kept.length === 0) holders.add(holder)
      // A delayed one comes before those that overtook it.
      const index = 1 + kept.findLastIndex(({ id }) => id < one.id)
      const size = sizeOfExchange(one)
      kept.splice(index, 0, one)
      sizes.splice(index, 0, size)
      grow(size)
      while (kept.length > maxEntries || bytes > maxBytes) forgetOldest()
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
      /** The id of an exchange that goes on for a while. */
      reserve: () => ++lastId,
      /** Keeps the exchange, and gives it the next id unless it has one that was reserved for it. */
      add(exchange: Exchange): void {
        exchange.id ||= ++lastId
        if (!isClosed) keep(exchange)
      },
      /** Keeps earlier entries, under their own ids. New ones count on from the highest of them, or from `newLastId` if that is higher. */
      restore(entries: Iterable<LogEntry>, newLastId: number): void {
        lastId = Math.max(lastId, newLastId)
        for (const entry of entries) {
          lastId = Math.max(lastId, entry.id)
          if (!isClosed) keep(toExchange(entry))
        }
      },
      /** In the order in which they were asked; `ids` are those of the wanted ones. */
      entries(filter: LogFilter = {}, ids?: ReadonlySet<number>): LogEntry[] {
        const found = kept.filter((exchange) => (!ids || ids.has(exchange.id)) && matches(exchange, filter))
        const { limit = found.length } = filter
        return found.slice(Math.max(0, found.length - limit)).map(show)
      },
      /** The entry of an exchange. */
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
      hidden.push(secret)
      hideOwn = createRedactor(hidden)
    },
  }
}
