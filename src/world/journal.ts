// What was asked and answered: lists that forget the oldest, bounded in entries and in bytes, each by itself and all together.
import type { AssumptionId, OperationId } from '../generated/contract.ts'
import {
  MAX_JOURNAL_BODY_CHARACTERS,
  MAX_JOURNAL_BYTES,
  MAX_JOURNAL_ENTRIES,
  MAX_JOURNALS_BYTES,
  MAX_NOTE_CHARACTERS,
  MAX_NOTES,
} from '../limits.ts'
import { createRedactor, redact, redactBody, redactTarget } from '../redact.ts'

/** One exchange. */
export interface JournalEntry {
  /** Counts up from 1 for the life of the mock: no two entries share one, whatever their sandbox and across resets. */
  readonly id: number
  /** When it was asked, by the mock's clock. */
  readonly at: string
  readonly method: string
  /** Path and query as they were sent, with the values of credentials such as `?api_key=` redacted. */
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

/** The header fields that matter here, and the body, cut if it is long. */
export interface JournalMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Which journal entries to return; all by default. */
export interface JournalFilter {
  /** Only requests for this operation. */
  readonly operation?: OperationId
  /** Only responses with this status; 0 for dropped and aborted ones. */
  readonly status?: number
  /** Only requests with this method, in any case. */
  readonly method?: string
  /** Only the last n. */
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
  /** The request fields that the response depends on, besides the key. */
  contentType: string | undefined
  prefer: string | undefined
  requestBody: string
  answer: JournalMessage & { readonly status: number }
}

export interface Journal {
  /** Keeps the exchange; returns its id. */
  add(exchange: Readonly<Exchange>): number
  /** Keeps entries of before, under their own ids. New ones count on from the highest of them, or from `lastId` if that is higher. */
  restore(entries: Iterable<JournalEntry>, lastId: number): void
  /** The id of the oldest entry that it holds. */
  readonly oldestId: number | undefined
  /** The id of the last entry of the mock, also if it is gone: none is used again. */
  readonly lastId: number
  /** Oldest first. */
  entries(filter?: JournalFilter): JournalEntry[]
  /** A copy to hand out, with secrets redacted. */
  toEntry(exchange: Readonly<Exchange>, id: number): JournalEntry
  clear(): void
  /** Empties it for good: the world that it belongs to is gone. */
  close(): void
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

/** What an entry takes beside its texts, at most: a plain one takes 0.7 kB in all on Node 20. */
const OVERHEAD_BYTES = 1_024
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
      if (start === kept.length) clear()
      else if (start >= BULK) {
        kept = kept.slice(start)
        start = 0
      }
    }

    function clear(): void {
      holders.delete(holder)
      totalBytes -= bytes
      kept = []
      start = 0
      bytes = 0
    }

    function keep(id: number, exchange: Readonly<Exchange>): void {
      const size = sizeOf(exchange)
      if (kept.length === 0) holders.add(holder)
      kept.push({ id, bytes: size, exchange })
      bytes += size
      totalBytes += size
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
      add(exchange) {
        const id = ++lastId
        if (!isClosed && maxEntries > 0) keep(id, exchange)
        return id
      },
      restore(entries, newLastId) {
        lastId = Math.max(lastId, newLastId)
        for (const entry of entries) {
          lastId = Math.max(lastId, entry.id)
          if (maxEntries > 0) keep(entry.id, toExchange(entry))
        }
      },
      entries(filter = {}) {
        const found: JournalEntry[] = []
        for (let index = start; index < kept.length; index++) {
          const { exchange, id } = kept[index] as Kept
          if (matches(exchange, filter)) found.push(toEntry(exchange, id, hide))
        }
        return filter.limit === undefined ? found : found.slice(Math.max(0, found.length - filter.limit))
      },
      toEntry: (exchange, id) => toEntry(exchange, id, hide),
      clear,
      close() {
        clear()
        isClosed = true
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

function toEntry(exchange: Readonly<Exchange>, id: number, hide: (text: string) => string): JournalEntry {
  const { at, method, target, operation, assumptions, faults, notes, outcome, durationMs, key, contentType, prefer, requestBody, answer } =
    exchange
  return {
    id,
    at: new Date(at).toISOString(),
    method: hide(method),
    target: hide(redactTarget(target)),
    operation: operation?.operationId ?? null,
    status: answer.status,
    assumptions: [...assumptions],
    faults: [...faults],
    notes: notes.map(hide),
    outcome,
    durationMs,
    key: key === undefined ? null : redact(key),
    request: {
      headers: {
        ...(contentType === undefined ? {} : { 'content-type': hide(contentType) }),
        ...(prefer === undefined ? {} : { prefer: hide(prefer) }),
      },
      body: hide(redactBody(requestBody, contentType)),
    },
    answer: { headers: { ...answer.headers }, body: hide(answer.body) },
  }
}

/** An exchange that gives the entry again. What is redacted or cut in it stays so. */
function toExchange({ at, operation, key, request, answer, status, ...entry }: JournalEntry): Exchange {
  return {
    ...entry,
    at: Date.parse(at),
    operation: operation === null ? undefined : { operationId: operation },
    assumptions: [...entry.assumptions],
    notes: [...entry.notes],
    key: key ?? undefined,
    contentType: request.headers['content-type'],
    prefer: request.headers.prefer,
    requestBody: request.body,
    answer: { ...answer, status },
  }
}

function matches({ operation, answer, method }: Readonly<Exchange>, filter: JournalFilter): boolean {
  return (
    (filter.operation === undefined || operation?.operationId === filter.operation) &&
    (filter.status === undefined || answer.status === filter.status) &&
    (filter.method === undefined || method === filter.method)
  )
}

/** Roughly the memory that an exchange takes, two bytes a character. */
function sizeOf(exchange: Readonly<Exchange>): number {
  const { method, target, requestBody, answer, key = '', contentType = '', prefer = '', notes, faults } = exchange
  let characters = method.length + target.length + requestBody.length + key.length + contentType.length + prefer.length
  characters += answer.body.length
  for (const note of notes) characters += note.length
  for (const fault of faults) characters += fault.length
  for (const name in answer.headers) characters += (answer.headers[name] as string).length
  return OVERHEAD_BYTES + 2 * characters
}

/** The beginning of a long body. Copied, since a slice would keep the whole text alive. */
export function cutBody(body: string): string {
  return body.length <= MAX_JOURNAL_BODY_CHARACTERS ? body : `${copy(body.slice(0, MAX_JOURNAL_BODY_CHARACTERS))}…`
}

/** The first notes, each cut to the length of a line: a single request can cause thousands. */
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
