// A request and its response: the row that the request log keeps, and the entry that a reader of the request log gets. Entries are made
// when they are read, since most never are; the service makes them.
import { countCharacters, type Problem } from '../contract/problem.ts'
import type { AssumptionId, OperationId } from '../generated/contract.ts'
import { MAX_LOGGED_BODY_CHARACTERS, MAX_NOTE_CHARACTERS, MAX_NOTES } from '../limits.ts'
import { hash } from '../random.ts'
import type { State } from './state.ts'

/** One request and its response. */
export interface LogEntry {
  /** Counts up from 1 for the life of the mock, as responses are decided: no two share one, whatever their sandbox and across resets. */
  readonly id: number
  /** When it was asked, by the mock's clock. */
  readonly at: string
  /** When it was asked, by the clock of the machine. */
  readonly realAt: string
  /** The key of the sandbox that it belongs to; null for the shared state. */
  readonly sandbox: string | null
  /** The method as it was sent. */
  readonly method: string
  /** The request target, with secrets redacted. */
  readonly target: string
  /** The operation that was meant, if the request got that far. */
  readonly operation: OperationId | null
  /** 0 if no response was sent: the connection was dropped, or the client left. */
  readonly status: number
  /** The open questions that this response depends on. */
  readonly assumptions: readonly AssumptionId[]
  /** The ids of the faults that applied, `Prefer`, or `override` if a test gave the response. */
  readonly faults: readonly string[]
  /** What those faults did, as in `createPet fails with 503, 1 of 2`. Only if a fault of the state applied. */
  readonly struck?: readonly string[]
  /** The surprises in the response, such as `order@listPets#3`. */
  readonly surprises: readonly string[]
  /** Why it was refused: the message of the error, cut if it is long; null if it was not. */
  readonly error: string | null
  /** The same as data: each reason with its kind, and what it is about. */
  readonly problems: readonly Problem[]
  /** What a developer may want to know: an ignored parameter, a dropped field. */
  readonly notes: readonly string[]
  /** How it ended. */
  readonly outcome: Outcome
  /** How long it took until the response was handed over, deliberate delay included. */
  readonly durationMs: number
  /** The end of the API key; never the whole. */
  readonly key: string | null
  /** What was asked. */
  readonly request: LoggedMessage
  /** What was sent back. */
  readonly response: LoggedMessage
}

/**
 * `sent`: the response was handed over; `dropped`: the connection was cut on purpose; `aborted`: the client left before its
 * response was sent; `waiting`: it is still delayed, in events of type `begin` and with the filter `waiting` only.
 */
type Outcome = 'sent' | 'dropped' | 'aborted' | 'waiting'

/** The headers and the body, cut if it is long. Credentials are redacted, and cookies left out. */
export interface LoggedMessage {
  /** The fields by their names, those of a request in lower case; repeated ones are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** The text, or the beginning of a long one. */
  readonly body: string
}

/** Which request log entries to return; all by default. */
export interface LogFilter {
  /** Only requests for this operation. */
  readonly operation?: OperationId
  /** Only responses with this status; 0 for dropped and aborted ones. */
  readonly status?: number
  /** Only requests with this method, in any case. */
  readonly method?: string
  /** Only requests with this API key. */
  readonly apiKey?: string
  /** Only the last n; of all sandboxes together 1,000 by default. */
  readonly limit?: number
  /** Includes requests whose response is still delayed. */
  readonly waiting?: boolean
}

/** What a row and its entry have in common. */
type Shared = Omit<
  LogEntry,
  | 'at'
  | 'realAt'
  | 'sandbox'
  | 'operation'
  | 'error'
  | 'key'
  | 'request'
  | 'response'
  | 'outcome'
  | 'durationMs'
  | 'id'
  | 'notes'
  | 'struck'
>

/** A request and its response, as the request log keeps them. */
export interface LogRow extends Shared {
  /** The request log gives it. */
  id: number
  /** The state that the request saw; undefined once it is no longer kept. */
  before: State | undefined
  /** `waiting` until it is known how the response ended. */
  outcome: Outcome
  durationMs: number
  notes: readonly string[]
  readonly struck?: readonly string[] | undefined
  /** When it was asked, in milliseconds by the mock's clock. */
  readonly at: number
  /** The same by the clock of the machine. */
  readonly realAt: number
  readonly operation: { readonly operationId: OperationId } | undefined
  readonly error: string | undefined
  readonly key: string | undefined
  /** A hash that tells whole keys apart, for a filter. It is never shown or saved. */
  readonly keyDigest?: number | undefined
  /** The host refused it, for a reason outside the interface. */
  readonly isRefusedByHost?: boolean
  /** The header fields of the request as they were sent, names and values in turn, without credentials. */
  readonly fields: readonly string[]
  readonly requestBody: string
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
}

/** What an entry takes besides its texts, at most: a plain one takes 0.7 kB in all on Node 20. */
const OVERHEAD_BYTES = 1_024
/** What the name or the value of a header field takes besides its characters. */
const FIELD_BYTES = 32
/** Made once: every request is measured. */
const NONE: readonly string[] = []

/** Makes the entry of a row, and a row that gives an entry again. */
export interface EntryFormat {
  toEntry(row: Readonly<LogRow>, sandbox: string | null): LogEntry
  toRow(entry: LogEntry): LogRow
}

/** Whether the client got what the row says: it may have left before, or be waiting still. */
export function isAnswered({ outcome }: Readonly<LogRow>): boolean {
  return outcome !== 'waiting' && outcome !== 'aborted'
}

export function createMatch(filter: LogFilter): (row: Readonly<LogRow>) => boolean {
  const digest = filter.apiKey === undefined ? undefined : hash(filter.apiKey)
  return (row) => {
    const { operation, method, keyDigest } = row
    const status = isAnswered(row) ? row.status : 0
    return (
      (row.outcome !== 'waiting' || filter.waiting === true) &&
      (filter.operation === undefined || operation?.operationId === filter.operation) &&
      (filter.status === undefined || status === filter.status) &&
      (filter.method === undefined || method === filter.method) &&
      (digest === undefined || keyDigest === digest)
    )
  }
}

/** Roughly the memory that a row takes, two bytes a character. */
export function sizeOfRow(row: Readonly<LogRow>): number {
  const { method, target, requestBody, responseBody, responseHeaders, error = '', fields, notes, faults } = row
  let characters = method.length + target.length + requestBody.length + responseBody.length + error.length
  for (const field of fields) characters += field.length
  for (const note of notes) characters += note.length
  for (const problem of row.problems) characters += countCharacters(problem)
  for (const fault of faults) characters += fault.length
  for (const text of row.struck ?? NONE) characters += text.length
  for (const name in responseHeaders) characters += (responseHeaders[name] as string).length
  return OVERHEAD_BYTES + FIELD_BYTES * fields.length + 2 * characters
}

/** The beginning of a long body. */
export function cutBody(body: string): string {
  return body.length <= MAX_LOGGED_BODY_CHARACTERS ? body : cutAt(body, MAX_LOGGED_BODY_CHARACTERS)
}

export function cutLine(text: string): string {
  return text.length <= MAX_NOTE_CHARACTERS ? text : cutAt(text, MAX_NOTE_CHARACTERS)
}

/** Adds a note, cut to the length of a line. A single request can cause thousands, so later ones are left out. */
export function addNote(recorder: { notes: readonly string[] }, note: string): void {
  const { notes } = recorder
  if (notes.length <= MAX_NOTES) recorder.notes = [...notes, notes.length < MAX_NOTES ? cutLine(note) : 'and more']
}

/** Notes that another choice would have given another response. */
export function dependOn(recorder: { assumptions: readonly AssumptionId[] }, assumption: AssumptionId): void {
  const { assumptions } = recorder
  if (!assumptions.includes(assumption)) recorder.assumptions = assumptions.concat(assumption)
}

/** A slice would keep the whole text in memory, so a cut text is copied. */
function cutAt(text: string, length: number): string {
  return `${new TextDecoder().decode(new TextEncoder().encode(text.slice(0, length)))}…`
}
