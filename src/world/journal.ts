// What was asked and answered: a ring that forgets the oldest, bounded in entries and in bytes.
import type { AssumptionId, OperationId } from '../generated/contract.ts'

/** One exchange. */
export interface JournalEntry {
  /** Counts up from 1 for the life of the journal. */
  readonly id: number
  /** When it was asked, by the mock's clock. */
  readonly at: string
  readonly method: string
  /** Path and query, as they were sent. */
  readonly target: string
  /** The operation that was meant, if the request got that far. */
  readonly operation: OperationId | null
  /** 0 if the connection was dropped. */
  readonly status: number
  /** The open questions that this answer rests on. */
  readonly assumptions: readonly AssumptionId[]
  /** The ids of the faults that struck, or `Prefer`. */
  readonly faults: readonly string[]
  /** What a developer may want to know: a near miss, a dropped field. */
  readonly notes: readonly string[]
  /** How long the answer took, deliberate delay included. */
  readonly durationMs: number
  /** The end of the API key; never the whole. */
  readonly key: string | null
  readonly request: JournalMessage
  readonly answer: JournalMessage
}

/** The header fields that count here, and the body as far as it is kept. */
export interface JournalMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Which entries to read; without a field, any. */
export interface JournalFilter {
  readonly operation?: OperationId
  readonly status?: number
  readonly method?: string
  /** At most so many, the latest ones. */
  readonly limit?: number
}

/** An exchange as it is handed in: cheap to make, since most are never read. */
export type Exchange = Omit<JournalEntry, 'id' | 'at'> & { readonly at: number }

export interface Journal {
  /** Keeps the exchange and gives its number. */
  add(exchange: Exchange): number
  /** Oldest first. */
  entries(filter?: JournalFilter): JournalEntry[]
  clear(): void
}

const ENTRIES = 1_000
const BYTES = 16 * 2 ** 20
const BODY = 16 * 2 ** 10
/** What an entry takes beside its bodies and its target, roughly. */
const OVERHEAD = 512

export function createJournal(capacity = ENTRIES): Journal {
  let ring: Exchange[] = []
  /** How many at the beginning of the ring are forgotten, and how many were forgotten before those. */
  let start = 0
  let gone = 0
  let bytes = 0

  const forgetOldest = () => {
    bytes -= sizeOf(ring[start] as Exchange)
    start++
    // The forgotten ones go in bulk, so that forgetting costs next to nothing on the way of a request.
    if (start > capacity) {
      ring = ring.slice(start)
      gone += start
      start = 0
    }
  }

  return {
    add(exchange) {
      ring.push(exchange)
      bytes += sizeOf(exchange)
      const id = gone + ring.length
      while (ring.length - start > capacity || bytes > BYTES) forgetOldest()
      return id
    },
    entries(filter = {}) {
      const kept: JournalEntry[] = []
      for (let index = start; index < ring.length; index++) {
        const exchange = ring[index] as Exchange
        if (matches(exchange, filter)) kept.push(toEntry(exchange, gone + index + 1))
      }
      return filter.limit === undefined ? kept : kept.slice(Math.max(0, kept.length - filter.limit))
    },
    clear() {
      gone += ring.length
      ring = []
      start = 0
      bytes = 0
    },
  }
}

/** A copy to hand out. */
export function toEntry(exchange: Exchange, id: number): JournalEntry {
  return structuredClone({ id, ...exchange, at: new Date(exchange.at).toISOString() })
}

function matches(entry: Exchange, { operation, status, method }: JournalFilter): boolean {
  return (
    (operation === undefined || entry.operation === operation) &&
    (status === undefined || entry.status === status) &&
    (method === undefined || entry.method === method)
  )
}

function sizeOf(entry: Exchange): number {
  return OVERHEAD + 2 * (entry.target.length + entry.request.body.length + entry.answer.body.length)
}

/** The beginning of a long body. Copied, since a slice would keep the whole text alive. */
export function cutBody(body: string): string {
  return body.length <= BODY ? body : `${copy(body.slice(0, BODY))}…`
}

function copy(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}

/** The end of a key, enough to tell two apart. */
export function redact(key: string): string {
  return key.length > 4 ? `…${key.slice(-4)}` : '…'
}
