// The request log: rings that forget the oldest exchanges, bounded in entries and in bytes, each by itself and all together.
import { MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES, MAX_JOURNALS_BYTES } from '../limits.ts'
import { createRedactor } from '../redact.ts'
import {
  type Exchange,
  type JournalEntry,
  type JournalFilter,
  matches,
  type Reader,
  sizeOfExchange,
  toEntry,
  toEventEntry,
  toExchange,
} from './journal-entry.ts'

export interface Journal {
  /** Keeps the exchange, and gives it the next id unless it has one that was reserved for it. */
  add(exchange: Exchange): void
  /** The id of an exchange that goes on for a while. */
  reserve(): number
  /** Keeps earlier entries, under their own ids. New ones count on from the highest of them, or from `lastId` if that is higher. */
  restore(entries: Iterable<JournalEntry>, lastId: number): void
  /** The id of the oldest entry that it holds. */
  readonly oldestId: number | undefined
  /** The id of the last entry of the mock, also if it is gone: none is used again. */
  readonly lastId: number
  /** In the order in which they were asked; `ids` are those of the wanted ones. */
  entries(filter?: JournalFilter, ids?: ReadonlySet<number>): JournalEntry[]
  /** The entry of an exchange for listeners: frozen, and redacted only where it is read. */
  toEventEntry(exchange: Readonly<Exchange>): JournalEntry
  clear(): void
  /** Empties it and keeps nothing more: the world that it belongs to is gone. */
  close(): void
}

/** The journals of one mock, which share their numbering and a limit. */
export interface Journals {
  /** A journal that shows none of these secrets, for the sandbox of a key or the shared world. */
  create(secrets?: Iterable<string>, sandbox?: string): Journal
  /** From now on no journal shows this text. */
  hide(secret: string): void
}

/** How much the journals of a mock may hold. */
export interface JournalLimits {
  readonly entries?: number | undefined
  readonly bytes?: number | undefined
  /** All journals together. */
  readonly totalBytes?: number | undefined
}

/** A journal as the others of its mock see it. */
interface Holder {
  bytes(): number
  forgetOldest(): void
}

export function createJournals({
  entries: maxEntries = MAX_JOURNAL_ENTRIES,
  bytes: maxBytes = MAX_JOURNAL_BYTES,
  totalBytes: maxTotalBytes = MAX_JOURNALS_BYTES,
}: JournalLimits = {}): Journals {
  /** The journals that hold something. */
  const holders = new Set<Holder>()
  let lastId = 0
  let totalBytes = 0
  const hidden: string[] = []
  let hideOwn = createRedactor(hidden)

  /** The largest gives way, so that the entries of other sandboxes outlast a busy one. */
  function makeRoom(): void {
    while (totalBytes > maxTotalBytes) findLargest(holders).forgetOldest()
  }

  function create(secrets: Iterable<string> = [], sandbox?: string): Journal {
    const hideKeys = createRedactor(secrets)
    const reader: Reader = { sandbox: sandbox ?? null, hide: (text) => hideKeys(hideOwn(text)) }
    /** Has room for one more than the journal may keep. */
    const ring: (Exchange | undefined)[] = []
    /** How many bytes each takes, here so that forgetting one does not fetch it from memory that is long cold. */
    const sizes: number[] = []
    /** Where the oldest is, and how many there are. */
    let start = 0
    let count = 0
    let bytes = 0
    let isClosed = maxEntries === 0
    const placeOf = (index: number) => (start + index) % (maxEntries + 1)
    const at = (index: number) => ring[placeOf(index)] as Exchange
    const place = (index: number, one: Exchange, size: number) => {
      ring[placeOf(index)] = one
      sizes[placeOf(index)] = size
    }
    const holder: Holder = { bytes: () => bytes, forgetOldest }

    function forgetOldest(): void {
      const size = sizes[start] as number
      ring[start] = undefined
      start = placeOf(1)
      count--
      bytes -= size
      totalBytes -= size
      if (count === 0) holders.delete(holder)
    }

    function clear(): void {
      holders.delete(holder)
      totalBytes -= bytes
      ring.length = sizes.length = start = count = bytes = 0
    }

    function keep(one: Exchange): void {
      if (count === 0) holders.add(holder)
      // In the order of being asked: a delayed one comes before those that overtook it.
      let index = count++
      for (; index > 0 && at(index - 1).id > one.id; index--) place(index, at(index - 1), sizes[placeOf(index - 1)] as number)
      const size = sizeOfExchange(one)
      place(index, one, size)
      bytes += size
      totalBytes += size
      while (count > maxEntries || bytes > maxBytes) forgetOldest()
      makeRoom()
    }

    return {
      get oldestId() {
        return count === 0 ? undefined : at(0).id
      },
      get lastId() {
        return lastId
      },
      reserve: () => ++lastId,
      add(exchange) {
        exchange.id ||= ++lastId
        if (!isClosed) keep(exchange)
      },
      restore(entries, newLastId) {
        lastId = Math.max(lastId, newLastId)
        for (const entry of entries) {
          lastId = Math.max(lastId, entry.id)
          if (!isClosed) keep(toExchange(entry))
        }
      },
      entries(filter = {}, ids) {
        const found: Exchange[] = []
        for (let index = 0; index < count; index++) {
          const exchange = at(index)
          if ((!ids || ids.has(exchange.id)) && matches(exchange, filter)) found.push(exchange)
        }
        const { limit = found.length } = filter
        return found.slice(Math.max(0, found.length - limit)).map((exchange) => toEntry(exchange, reader))
      },
      toEventEntry: (exchange) => toEventEntry(exchange, reader),
      clear,
      close() {
        isClosed = true
        clear()
      },
    }
  }

  return {
    create,
    hide(secret) {
      hidden.push(secret)
      hideOwn = createRedactor(hidden)
    },
  }
}

function findLargest(holders: Iterable<Holder>): Holder {
  let largest: Holder | undefined
  for (const holder of holders) if (!largest || holder.bytes() > largest.bytes()) largest = holder
  return largest as Holder
}
