// An exchange as the service hands it in, and the entry that whoever reads the journal gets of it: copied, with secrets redacted, and only
// then, since most are never read.
import type { AssumptionId, OperationId } from '../generated/contract.ts'
import { redact, redactBody, redactHeaders, redactTarget } from '../redact.ts'

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
  /** The ids of the faults that were applied, or `Prefer`. */
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

/** An exchange as the service hands it in: one object, filled on its way. */
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

/** What an entry takes beside its texts, at most: a plain one takes 0.7 kB in all on Node 20. */
const OVERHEAD_BYTES = 1_024
/** What the name or the value of a header field takes beside its characters. */
const FIELD_BYTES = 32

/** The entry of an exchange: a copy to hand out, with secrets redacted. */
export function toEntry(exchange: Readonly<Exchange>, id: number, hide: (text: string) => string): JournalEntry {
  const { at, realAt, method, target, operation, assumptions, faults, notes, error, outcome, durationMs, key } = exchange
  const { fields, requestBody, answer } = exchange
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
export function toExchange({ at, realAt, operation, key, error, request, answer, status, ...entry }: JournalEntry): Exchange {
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

export function matches({ operation, answer, method }: Readonly<Exchange>, filter: JournalFilter): boolean {
  return (
    (filter.operation === undefined || operation?.operationId === filter.operation) &&
    (filter.status === undefined || answer.status === filter.status) &&
    (filter.method === undefined || method === filter.method)
  )
}

/** Roughly the memory that an exchange takes, two bytes a character. */
export function sizeOfExchange(exchange: Readonly<Exchange>): number {
  const { method, target, requestBody, answer, key = '', error = '', fields, notes, faults } = exchange
  let characters = method.length + target.length + requestBody.length + key.length + error.length
  characters += answer.body.length
  for (const field of fields) characters += field.length
  for (const note of notes) characters += note.length
  for (const fault of faults) characters += fault.length
  for (const name in answer.headers) characters += (answer.headers[name] as string).length
  return OVERHEAD_BYTES + FIELD_BYTES * fields.length + 2 * characters
}
