// What was asked and answered: a ring that forgets the oldest, bounded in entries and in bytes.
import type { AssumptionId, OperationId } from '../generated/contract.ts'
import { MAX_JOURNAL_BODY_CHARACTERS, MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES, MAX_NOTE_CHARACTERS, MAX_NOTES } from '../limits.ts'

/** One exchange. */
export interface JournalEntry {
  /** Counts up from 1 for the life of the mock: no two entries share one, whatever their sandbox and across resets. */
  readonly id: number
  /** When it was asked, by the mock's clock. */
  readonly at: string
  readonly method: string
  /** Path and query, as they were sent. */
  readonly target: string
  /** The operation that was meant, if the request got that far. */
  readonly operation: OperationId | null
  /** 0 if no response was sent: the connection was dropped, or the client left. */
  readonly status: number
  /** The open questions that this answer rests on. */
  readonly assumptions: readonly AssumptionId[]
  /** The ids of the faults that struck, or `Prefer`. */
  readonly faults: readonly string[]
  /** What a developer may want to know: a near miss, a dropped field. */
  readonly notes: readonly string[]
  /** How it ended. */
  readonly outcome: Outcome
  /** How long it took until the response was handed over, deliberate delay included. */
  readonly durationMs: number
  /** The end of the API key; never the whole. */
  readonly key: string | null
  readonly request: JournalMessage
  readonly answer: JournalMessage
}

/**
 * `sent`: the response was handed over; `dropped`: the connection was cut on purpose; `aborted`: the client left before its
 * response was sent.
 */
type Outcome = 'sent' | 'dropped' | 'aborted'

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

/** An exchange as the service hands it in: one object, filled on its way, since most are never read. */
export interface Exchange {
  /** When it was asked, in milliseconds by the mock's clock. */
  at: number
  readonly method: string
  readonly target: string
  operation: { readonly operationId: OperationId } | undefined
  readonly assumptions: AssumptionId[]
  faults: readonly string[]
  notes: string[]
  outcome: Outcome
  durationMs: number
  key: string | undefined
  /** The fields of the request that the answer depends on, beside the key. */
  contentType: string | undefined
  prefer: string | undefined
  requestBody: string
  answer: JournalMessage & { readonly status: number }
}

export interface Journal {
  /** Keeps the exchange and gives its number. */
  add(exchange: Readonly<Exchange>): number
  /** Oldest first. */
  entries(filter?: JournalFilter): JournalEntry[]
  clear(): void
}

/** What an entry takes beside the texts that are a client's to choose, roughly. */
const OVERHEAD = 512

/** `nextId` numbers the entries; journals that share it share no id. */
export function createJournal(capacity = MAX_JOURNAL_ENTRIES, nextId: () => number = createCounter()): Journal {
  let ring: Readonly<Exchange>[] = []
  /** The id of each exchange in the ring. */
  let ids: number[] = []
  /** How many at the beginning of the ring are forgotten. */
  let start = 0
  let bytes = 0

  const forgetOldest = () => {
    bytes -= sizeOf(ring[start] as Readonly<Exchange>)
    start++
    // The forgotten ones go in bulk, so that forgetting costs next to nothing on the way of a request.
    if (start > capacity) {
      ring = ring.slice(start)
      ids = ids.slice(start)
      start = 0
    }
  }

  return {
    add(exchange) {
      ring.push(exchange)
      bytes += sizeOf(exchange)
      const id = nextId()
      ids.push(id)
      while (ring.length - start > capacity || bytes > MAX_JOURNAL_BYTES) forgetOldest()
      return id
    },
    entries(filter = {}) {
      const kept: JournalEntry[] = []
      for (let index = start; index < ring.length; index++) {
        const exchange = ring[index] as Readonly<Exchange>
        if (matches(exchange, filter)) kept.push(toEntry(exchange, ids[index] as number))
      }
      return filter.limit === undefined ? kept : kept.slice(Math.max(0, kept.length - filter.limit))
    },
    clear() {
      ring = []
      ids = []
      start = 0
      bytes = 0
    },
  }
}

/** 1, 2, 3 and so on. */
export function createCounter(): () => number {
  let last = 0
  return () => ++last
}

/** A copy to hand out, with the key redacted and long bodies cut. */
export function toEntry(exchange: Readonly<Exchange>, id: number): JournalEntry {
  const { at, method, target, operation, assumptions, faults, notes, outcome, durationMs, key, contentType, prefer, requestBody, answer } =
    exchange
  return {
    id,
    at: new Date(at).toISOString(),
    method,
    target,
    operation: operation?.operationId ?? null,
    status: answer.status,
    assumptions: [...assumptions],
    faults: [...faults],
    notes: [...notes],
    outcome,
    durationMs,
    key: key === undefined ? null : redact(key),
    request: {
      headers: { ...(contentType === undefined ? {} : { 'content-type': contentType }), ...(prefer === undefined ? {} : { prefer }) },
      body: requestBody,
    },
    answer: { headers: { ...answer.headers }, body: answer.body },
  }
}

function matches({ operation, answer, method }: Readonly<Exchange>, filter: JournalFilter): boolean {
  return (
    (filter.operation === undefined || operation?.operationId === filter.operation) &&
    (filter.status === undefined || answer.status === filter.status) &&
    (filter.method === undefined || method === filter.method)
  )
}

function sizeOf({ target, requestBody, answer, key = '', contentType = '', prefer = '', notes }: Readonly<Exchange>): number {
  let characters = target.length + requestBody.length + answer.body.length + key.length + contentType.length + prefer.length
  for (const note of notes) characters += note.length
  return OVERHEAD + 2 * characters
}

/** The beginning of a long body. Copied, since a slice would keep the whole text alive. */
export function cutBody(body: string): string {
  return body.length <= MAX_JOURNAL_BODY_CHARACTERS ? body : `${copy(body.slice(0, MAX_JOURNAL_BODY_CHARACTERS))}…`
}

/** The first of many notes, each no longer than a line can be: a client can bring about thousands with one request. */
export function cutNotes(notes: string[]): string[] {
  if (notes.length === 0) return notes
  const kept = notes
    .slice(0, MAX_NOTES)
    .map((note) => (note.length <= MAX_NOTE_CHARACTERS ? note : `${copy(note.slice(0, MAX_NOTE_CHARACTERS))}…`))
  return notes.length <= MAX_NOTES ? kept : [...kept, `and ${notes.length - MAX_NOTES} more`]
}

function copy(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}

/** The end of a key, enough to tell two apart. */
export function redact(key: string): string {
  return key.length > 4 ? `…${key.slice(-4)}` : '…'
}
