// What was asked and answered: lists that forget the oldest, bounded in entries and in bytes, each by itself and all together.
import { MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES, MAX_JOURNALS_BYTES } from '../limits.ts'
import { createRedactor } from '../redact.ts'
import { type Exchange, type JournalEntry, type JournalFilter, matches, sizeOfExchange, toEntry, toExchange } from './journal-entry.ts'

export interface Journal {
  /** Keeps the exchange, under an id that was reserved for it or under the next one; returns the id. */
  add(exchange: Readonly<Exchange>, reserved?: number): number
  /** The id of an exchange that goes on for a while. */
  reserve(): number
  /** Keeps entries of before, under their own ids. New ones count on from the highest of them, or from `lastId` if that is higher. */
  restore(entries: Iterable<JournalEntry>, lastId: number): void
  /** The id of the oldest entry that it holds. */
  readonly oldestId: number | undefined
  /** The id of the last entry of the mock, also if it is gone: none is used again. */
  readonly lastId: number
  /** In the order in which they were asked; `ids` are those of the wanted ones. */
  entries(filter?: JournalFilter, ids?: ReadonlySet<number>): JournalEntry[]
  /** A copy to hand out, with secrets redacted. */
  toEntry(exchange: Readonly<Exchange>, id: number): JournalEntry
  /** Empties it; returns what was in it, for `putBack`. */
  clear(): Taken
  /** Empties it and keeps nothing more: the world that it belongs to is gone. */
  close(): Taken
  /** Keeps what was taken out of it, or out of another, and goes on if it was closed. */
  putBack(taken: Taken): void
}

/** What was in a journal. */
interface Taken {
  readonly kept: readonly Kept[]
  /** Roughly the memory that it takes. */
  readonly bytes: number
}

/** The journals of one mock, which share their numbering and a limit. */
export interface Journals {
  /** A journal that shows none of these secrets. */
  create(secrets?: Iterable<string>): Journal
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

interface Kept {
  readonly id: number
  readonly bytes: number
  readonly exchange: Readonly<Exchange>
}

/** A journal as the others of its mock see it. */
interface Holder {
  bytes(): number
  forgetOldest(): void
}

/** Forgotten places at the beginning of a list go in bulk, so that forgetting costs next to nothing in the path of a request. */
const BULK = 1_000

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

  /** The largest gives way, so that one busy sandbox does not cost the others their entries. */
  function makeRoom(): void {
    while (totalBytes > maxTotalBytes) findLargest(holders).forgetOldest()
  }

  function create(secrets: Iterable<string> = []): Journal {
    const hideKeys = createRedactor(secrets)
    const hide = (text: string) => hideKeys(hideOwn(text))
    let kept: (Kept | undefined)[] = []
    /** How many at the beginning are forgotten. */
    let start = 0
    let bytes = 0
    let isClosed = false
    const holder: Holder = { bytes: () => bytes, forgetOldest }

    function forgetOldest(): void {
      const oldest = kept[start] as Kept
      kept[start] = undefined
      start++
      bytes -= oldest.bytes
      totalBytes -= oldest.bytes
      if (start === kept.length) empty()
      else if (start >= BULK) {
        kept = kept.slice(start)
        start = 0
      }
    }

    function clear(): Taken {
      const taken = { kept: kept.slice(start) as Kept[], bytes }
      empty()
      return taken
    }

    function empty(): void {
      holders.delete(holder)
      totalBytes -= bytes
      kept = []
      start = 0
      bytes = 0
    }

    function keep(one: Kept): void {
      if (kept.length === 0) holders.add(holder)
      // In the order of being asked: one that was held back comes after those that overtook it.
      let place = kept.length
      while (place > start && (kept[place - 1] as Kept).id > one.id) place--
      if (place === kept.length) kept.push(one)
      else kept.splice(place, 0, one)
      bytes += one.bytes
      totalBytes += one.bytes
      while (kept.length - start > maxEntries || bytes > maxBytes) forgetOldest()
      makeRoom()
    }

    return {
      get oldestId() {
        return kept[start]?.id
      },
      get lastId() {
        return lastId
      },
      reserve: () => ++lastId,
      add(exchange, id = ++lastId) {
        if (!isClosed && maxEntries > 0) keep({ id, bytes: sizeOfExchange(exchange), exchange })
        return id
      },
      restore(entries, newLastId) {
        lastId = Math.max(lastId, newLastId)
        for (const entry of entries) {
          lastId = Math.max(lastId, entry.id)
          const exchange = toExchange(entry)
          if (maxEntries > 0) keep({ id: entry.id, bytes: sizeOfExchange(exchange), exchange })
        }
      },
      entries(filter = {}, ids) {
        const found: JournalEntry[] = []
        for (let index = start; index < kept.length; index++) {
          const { exchange, id } = kept[index] as Kept
          if ((!ids || ids.has(id)) && matches(exchange, filter)) found.push(toEntry(exchange, id, hide))
        }
        return filter.limit === undefined ? found : found.slice(Math.max(0, found.length - filter.limit))
      },
      toEntry: (exchange, id) => toEntry(exchange, id, hide),
      clear,
      close() {
        isClosed = true
        return clear()
      },
      putBack(taken) {
        isClosed = false
        const later = clear()
        for (const one of [...taken.kept, ...later.kept]) keep(one)
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
