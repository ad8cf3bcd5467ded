// What was asked and answered: lists that forget the oldest, bounded in entries and in bytes, each by itself and all together.
import type { AssumptionId, OperationId } from '../generated/contract.ts'
import { MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES, MAX_JOURNALS_BYTES } from '../limits.ts'
import { createRedactor, redact, redactBody, redactHeaders, redactTarget } from '../redact.ts'

/** One exchange. */
export interface JournalEntry {
  /** Counts up from 1 for the life of the mock: no two entries share one, whatever their sandbox and across resets. */
  readonly id: number
  /** When it was asked, by the mock's clock. */
  readonly at: string
  /** When it was asked, by the clock of the machine. */
  readonly realAt: string
  /** The method as it was sent. */
  readonly method: string
  /** The request target, with secrets redacted. */
  readonly target: string
  /** The operation that was meant, if the request got that far. */
  readonly operation: OperationId | null
  /** 0 if no response was sent: the connection was dropped, or the client left. */
  readonly status: number
  /** The open questions that this answer rests on. */
  readonly assumptions: readonly AssumptionId[]
  /** The ids of the faults that struck, or `Prefer`. */
  readonly faults: readonly string[]
  /** Why it was refused: the message of the error, cut if it is long; null if it was not. */
  readonly error: string | null
  /** What a developer may want to know: a near miss, a dropped field. */
  readonly notes: readonly string[]
  /** How it ended. */
  readonly outcome: Outcome
  /** How long it took until the response was handed over, deliberate delay included. */
  readonly durationMs: number
  /** The end of the API key; never the whole. */
  readonly key: string | null
  /** What was asked. */
  readonly request: JournalMessage
  /** What was answered. */
  readonly answer: JournalMessage
}

/**
 * `sent`: the response was handed over; `dropped`: the connection was cut on purpose; `aborted`: the client left before its
 * response was sent; `waiting`: it is still held back, in events of type `begin` only.
 */
type Outcome = 'sent' | 'dropped' | 'aborted' | 'waiting'

/**
 * The headers, and the body, cut if it is long. Those of a request have names in lower case, repeated ones joined by commas,
 * credentials redacted and cookies left out.
 */
export interface JournalMessage {
  /** The fields by their lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The text, or the beginning of a long one. */
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
  /** The same by the clock of the machine. */
  realAt: number
  readonly method: string
  readonly target: string
  operation: { readonly operationId: OperationId } | undefined
  readonly assumptions: AssumptionId[]
  faults: readonly string[]
  notes: string[]
  error: string | undefined
  outcome: Outcome
  durationMs: number
  key: string | undefined
  /** The header fields of the request as they were sent, names and values in turn. */
  fields: readonly string[]
  requestBody: string
  answer: JournalMessage & { readonly status: number }
}

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

/** What an entry takes beside its texts, at most: a plain one takes 0.7 kB in all on Node 20. */
const OVERHEAD_BYTES = 1_024
/** What the name or the value of a header field takes beside its characters. */
const FIELD_BYTES = 32
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
        if (!isClosed && maxEntries > 0) keep({ id, bytes: sizeOf(exchange), exchange })
        return id
      },
      restore(entries, newLastId) {
        lastId = Math.max(lastId, newLastId)
        for (const entry of entries) {
          lastId = Math.max(lastId, entry.id)
          const exchange = toExchange(entry)
          if (maxEntries > 0) keep({ id: entry.id, bytes: sizeOf(exchange), exchange })
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

function toEntry(exchange: Readonly<Exchange>, id: number, hide: (text: string) => string): JournalEntry {
  const { at, realAt, method, target, operation, assumptions, faults, notes, error, outcome, durationMs, key, ...messages } = exchange
  const { fields, requestBody, answer } = messages
  const headers = redactHeaders(fields, key, hide)
  return {
    id,
    at: new Date(at).toISOString(),
    realAt: new Date(realAt).toISOString(),
    method: hide(method),
    target: hide(redactTarget(target)),
    operation: operation?.operationId ?? null,
    status: answer.status,
    assumptions: [...assumptions],
    faults: [...faults],
    error: error === undefined ? null : hide(error),
    notes: notes.map(hide),
    outcome,
    durationMs,
    key: key === undefined ? null : redact(key),
    request: { headers, body: hide(redactBody(requestBody, headers['content-type'])) },
    answer: { headers: { ...answer.headers }, body: hide(answer.body) },
  }
}

/** An exchange that gives the entry again. What is redacted or cut in it stays so. */
function toExchange({ at, realAt, operation, key, error, request, answer, status, ...entry }: JournalEntry): Exchange {
  return {
    ...entry,
    at: Date.parse(at),
    realAt: Date.parse(realAt),
    operation: operation === null ? undefined : { operationId: operation },
    assumptions: [...entry.assumptions],
    notes: [...entry.notes],
    error: error ?? undefined,
    key: key ?? undefined,
    fields: Object.entries(request.headers).flat(),
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
  const { method, target, requestBody, answer, key = '', error = '', fields, notes, faults } = exchange
  let characters = method.length + target.length + requestBody.length + key.length + error.length
  characters += answer.body.length
  for (const field of fields) characters += field.length
  for (const note of notes) characters += note.length
  for (const fault of faults) characters += fault.length
  for (const name in answer.headers) characters += (answer.headers[name] as string).length
  return OVERHEAD_BYTES + FIELD_BYTES * fields.length + 2 * characters
}
