// The rows of a timeline, requests and changes: as the log keeps them, and as readers get them,
// made by `showRow`.
import { readQuery, splitQuery, toValues } from '../contract/address.ts'
import type { AssumptionId, Int64, OperationId } from '../contract/generated/contract.ts'
import { type Json, parseInt64, tryJson } from '../contract/int64-json.ts'
import {
  MAX_LOG_ROWS,
  MAX_LOGGED_BODY_CHARACTERS,
  MAX_NOTE_CHARACTERS,
  MAX_NOTES,
} from '../contract/limits.ts'
import type { Problem } from '../contract/problem.ts'
import { hash } from '../contract/random.ts'
import { cutText, describeKey } from '../contract/values.ts'
import type { Difference } from './difference.ts'
import type { State } from './state.ts'

interface RowHead {
  /** Its number in the timeline, from 1 on. */
  readonly id: number
  /** When it came, by the mock's clock. */
  readonly at: string
  /** When it came, by the machine's clock. */
  readonly realAt: string
  /** The key of its sandbox; null for the shared state. */
  readonly sandbox: string | null
}

/**
 * A request and its response. `query`, `petId` and `json` are there in code only, with exact ids.
 */
export interface RequestRow extends RowHead {
  /** Marks it as a request. */
  readonly type: 'request'
  /** As it was sent. */
  readonly method: string
  /** Path and query, with secrets hidden. */
  readonly target: string
  /** Such as `listPets`, or null. */
  readonly operation: OperationId | null
  /** The status of the response; 0 for no response. */
  readonly status: number
  /** The open questions that this response depends on. */
  readonly assumptions: readonly AssumptionId[]
  /** The ids of the faults that applied, or `Prefer`. */
  readonly faults: readonly string[]
  /** What those faults did, as in `createPet fails with 503, 1 of 2`; absent if none applied. */
  readonly struck?: readonly string[]
  /** The surprises in the response, such as `order@listPets#3`. */
  readonly surprises: readonly string[]
  /** The message of an error response, cut if it is long. */
  readonly error: string | null
  /** The reasons for it as data, each with a `kind` such as `missing`. */
  readonly problems: readonly Problem[]
  /** What else you may want to know, such as an ignored parameter or a dropped field. */
  readonly notes: readonly string[]
  /** `dropped` by a fault, `aborted` by the client, or still `waiting` for its delay. */
  readonly outcome: 'sent' | 'dropped' | 'aborted' | 'waiting'
  /** The time to the response, delays included. */
  readonly durationMs: number
  /** `…` and the end of the API key. */
  readonly key: string | null
  /** Its `headers`, and the beginning of a long `body`. */
  readonly request: LoggedMessage
  /**
   * What the log lacks of it: part of the body, values that it hides, or all that the `host`
   * refused.
   */
  readonly lacks?: 'body' | 'values' | 'host' | undefined
  /** Its `headers`, and the beginning of a long `body`. */
  readonly response: LoggedMessage
  /** The query parameters; a list where one was repeated. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** The id in the path. */
  readonly petId: Int64 | null
  /** The request's body, if it is JSON and whole. */
  readonly json: Json | undefined
}

/** The headers and the body, cut if it is long. Credentials are redacted, and cookies left out. */
export interface LoggedMessage {
  /**
   * The fields by their names, those of a request in lower case; repeated ones are joined by
   * commas.
   */
  readonly headers: Readonly<Record<string, string>>
  /** The text, or the beginning of a long one. */
  readonly body: string
}

/** A change that someone made with the control. */
export interface ChangeRow extends RowHead {
  /** Marks it as a change. */
  readonly type: 'change'
  /** The method of the control, such as `faults.add`. */
  readonly method: string
  /** What it changed, such as `{ kind: 'pet', id: '7' }`; empty if it replaced the whole state. */
  readonly changed: readonly ChangedItem[]
  /** Whether it replaced the whole state: its undo brings the one before it back as a whole. */
  readonly isWhole: boolean
  /** What it did, in a sentence. */
  readonly text: string
  /** The id of the row that it undid, or null. */
  readonly undoes: number | null
  /** Whether it is an undo; undoing it is a redo. */
  readonly isUndo: boolean
  /** Whether it is undone now. */
  readonly isUndone: boolean
  /** Whether `undo` can take it back, unless what it touched has changed since. */
  readonly canUndo: boolean
  /** For a rewind, its undo and its redo: the row whose earlier state it brought back. */
  readonly backTo?: number
}

/**
 * One thing that a change was about: an animal, a fault or a question by its id, or a setting,
 * which has none.
 */
type ChangedItem = Pick<Difference, 'kind'> & { readonly id: string }

/** A row of the timeline: a request or a change. */
export type TimelineRow = RequestRow | ChangeRow

/** Which requests to return; all by default. */
export interface LogFilter {
  /** Only requests for this operation. */
  readonly operation?: OperationId
  /** Only this status; 0 for no response. */
  readonly status?: number
  /** Only requests with this method, in any case. */
  readonly method?: string
  /** Only requests with this API key. */
  readonly apiKey?: string
  /** Only the last n. By default all; 1,000 for all sandboxes; 100 in the HTTP API. */
  readonly limit?: number
  /** Includes requests whose response is still delayed. */
  readonly waiting?: boolean
}

/** Coverage counts no OPTIONS, which no operation has. */
export const isUncounted = ({ method }: Pick<RequestRow, 'method'>): boolean => method === 'OPTIONS'
/** Over HTTP the usual limit is lower. */
export const defaultLimit = ({ sandbox }: { readonly sandbox?: string | undefined }): number =>
  sandbox === '*' ? MAX_LOG_ROWS : Number.MAX_SAFE_INTEGER

/**
 * Which rows a filter lets through, apart from its limit. A change passes unless the filter is
 * about requests.
 */
export function createRowFilter(filter: LogFilter) {
  const { apiKey, method, waiting, limit, ...others } = filter
  const given = {
    ...others,
    method: method?.toUpperCase(),
    keyDigest: apiKey === undefined ? undefined : hash(apiKey),
  }
  const wanted = Object.entries(given).filter(([, value]) => value !== undefined)
  return (row: KeptRow | TimelineRow): boolean => {
    if (isChange(row)) return wanted.length === 0
    // A request that is still waiting does not have a status, as for the matchers.
    if (row.outcome === 'waiting' && (!waiting || given.status !== undefined)) return false
    const status = 'decidedStatus' in row ? statusOf(row) : row.status
    const own: Readonly<Record<string, unknown>> = { status, method: row.method.toUpperCase() }
    return wanted.every(([name, value]) => (own[name] ?? row[name as keyof typeof row]) === value)
  }
}

interface KeptHead {
  id: number
  /** The state before it, which a request saw; undefined once it is no longer kept. */
  before: State | undefined
  readonly at: number
  readonly realAt: number
  /** It comes from a recording: a rewind to it stops the clock at its moment. */
  readonly isRecorded?: boolean
}

type Made =
  | keyof RowHead
  | 'status'
  | 'error'
  | 'problems'
  | 'request'
  | 'response'
  | 'query'
  | 'petId'
  | 'json'

export interface KeptRequest
  extends KeptHead,
    Omit<RequestRow, Made | 'struck' | 'notes' | 'outcome' | 'durationMs'> {
  /** What the service decided. A client that left, or is waiting still, has not got it. */
  readonly decidedStatus: number
  readonly decidedError: string | null
  readonly decidedProblems: readonly Problem[]
  readonly struck?: readonly string[] | undefined
  notes: readonly string[]
  outcome: RequestRow['outcome']
  durationMs: number
  /** A hash that tells whole keys apart, for a filter. It is never shown or saved. */
  readonly keyDigest?: number | undefined
  /** Without credentials. */
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
}

export interface KeptChange
  extends KeptHead,
    Omit<ChangeRow, keyof RowHead | 'isUndone' | 'canUndo'> {
  /**
   * Why it cannot be undone. A change must be undone first: the last since that replaced the state
   * and stands.
   */
  obstacle?: 'forgotten' | 'nothing' | 'undone' | KeptChange | undefined
  /** What it did or undid, whether it is an undo, a redo or neither. */
  readonly subject: string
}

export type KeptRow = KeptRequest | KeptChange
type NewChange = Pick<KeptChange, 'at' | 'realAt' | 'method' | 'text'> & Partial<KeptChange>

/** A change that the log has yet to number and judge. Readers see its fields in this order. */
export function createChange(given: NewChange): KeptChange {
  const { at, realAt, method, changed = [], isWhole = false, text, ...others } = given
  const said = { at, realAt, method, changed, isWhole, text, undoes: null, isUndo: false }
  return {
    type: 'change',
    id: 0,
    before: undefined,
    ...said,
    subject: text,
    obstacle: 'forgotten',
    ...others,
  }
}

/** A row as `saveRow` makes it. */
export type SavedRow = RequestRow | SavedChange
export type SavedChange = ChangeRow & Pick<KeptChange, 'subject'>

/** A kept row from a saved one, without the states around it. What is redacted or cut stays so. */
export function restoreRow({ at, realAt, sandbox, ...row }: SavedRow): KeptRow {
  const head = { before: undefined, at: Date.parse(at), realAt: Date.parse(realAt) }
  const obstacle = row.type === 'change' && row.canUndo ? undefined : 'forgotten'
  if (isChange(row))
    return createChange({ ...row, ...head, obstacle: row.isUndone ? 'undone' : obstacle })
  const { request, response, status, error, problems, ...rest } = row
  const decided = { decidedStatus: status, decidedError: error, decidedProblems: problems }
  const messages = { requestHeaders: request.headers, requestBody: request.body }
  return {
    ...rest,
    ...head,
    ...decided,
    ...messages,
    responseHeaders: response.headers,
    responseBody: response.body,
  }
}

type Change = { readonly type: 'change' }
export const isChange = <Row extends { type: string }>(row: Row): row is Extract<Row, Change> =>
  row.type === 'change'
export const isRequest = <Row extends { type: string }>(row: Row): row is Exclude<Row, Change> =>
  row.type !== 'change'

type Jump = Pick<ChangeRow, 'id' | 'undoes' | 'backTo'>
/** A load or a reset, which begin again. */
export const isLoad = ({ isWhole, undoes, backTo }: Jump & Pick<ChangeRow, 'isWhole'>) =>
  isWhole && !undoes && !backTo

/**
 * Whether a change of the whole state left a row behind. An undo leaves those since the row that it
 * undid.
 */
export const leaves = ({ id, undoes, backTo = 0 }: Jump, row: Pick<RowHead, 'id'>): boolean =>
  row.id < id && row.id > (undoes ?? backTo - 1)

/** The first of a chain of undo and redo, as far back as `find` knows the rows. */
export function firstOf<Row extends Pick<ChangeRow, 'undoes'>>(
  row: Row,
  find: (id: number) => Row | undefined,
): Row {
  const undone = find(row.undoes ?? 0)
  return undone ? firstOf(undone, find) : row
}

/** Whether the client got what the row says: it may have left before, or be waiting still. */
export const isDelivered = ({ outcome }: Pick<KeptRequest, 'outcome'>) =>
  outcome !== 'waiting' && outcome !== 'aborted'

/** The status that the client got; 0 for no response. */
export const statusOf = (row: Readonly<KeptRequest>): number =>
  isDelivered(row) ? row.decidedStatus : 0

/**
 * Whether the request itself asked for its fault, with `Prefer`: only the faults of a state say
 * what they did.
 */
export const isAsked = ({ faults, struck }: Pick<KeptRequest, 'faults' | 'struck'>) =>
  faults.length > 0 && !struck

/**
 * Whether its key was refused; a malformed key is not logged. A fault that says 401 sees valid keys
 * only.
 */
export const wasKeyRefused = (
  { assumptions: named, key }: Pick<RequestRow, 'assumptions' | 'key'>,
  status: number,
) =>
  named.includes('valid-keys') ||
  named.includes('unknown-path-auth') ||
  (key === null && status === 401)

/** Whether a body is only the beginning of the one that was sent, as `cutText` leaves it. */
export const isCut = (body: string): boolean =>
  body.length === MAX_LOGGED_BODY_CHARACTERS + 1 && body.endsWith('…')
/** A body may be cut, or not have been text. */
export const findLack = ({
  lacks,
  requestBody: body,
}: Readonly<KeptRequest>): RequestRow['lacks'] =>
  lacks ?? (isCut(body) || body.includes('\ufffd') ? 'body' : undefined)
export const isRecordingFile = (file: string): boolean => /\.jsonl$/i.test(file)
export const LACKS: Readonly<Record<NonNullable<RequestRow['lacks']>, string>> = {
  host: 'was refused before the service saw it',
  values: 'had its secrets removed',
  body: 'has a cut or binary body',
}

/**
 * Adds the query, the id and the body as values, for tests. Printing the row leaves them out: JSON
 * has no bigints.
 */
export function addValues(row: Omit<RequestRow, 'query' | 'petId' | 'json'>): RequestRow {
  return Object.defineProperties(row as RequestRow, {
    query: { get: () => toValues(readQuery(splitQuery(row.target).query)) },
    petId: { get: () => petIdOf(row) },
    json: { get: () => tryJson(row.request.body) },
  })
}

function petIdOf({ operation, target }: Pick<RequestRow, 'operation' | 'target'>): Int64 | null {
  if (operation === null) return null
  const { path } = splitQuery(target)
  // In the paths of the API, only the id of an animal is a number.
  return parseInt64(decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))) ?? null
}

export const NONE: readonly never[] = []

/**
 * Adds a note, cut to the length of a line. A single request can cause thousands, so later ones are
 * left out.
 */
export function addNote(context: { notes: readonly string[] }, note: string): void {
  const { notes } = context
  const kept = notes.length < MAX_NOTES ? cutText(note, MAX_NOTE_CHARACTERS) : 'and more'
  if (notes.length <= MAX_NOTES) context.notes = [...notes, kept]
}

export function dependOn(
  context: { assumptions: readonly AssumptionId[] },
  assumption: AssumptionId,
): void {
  const { assumptions } = context
  if (!assumptions.includes(assumption)) context.assumptions = assumptions.concat(assumption)
}

/** Only these: the first word of anything else may be a secret. */
const SCHEME = /^(?:bearer|basic|digest|token) /i
export const HIDDEN_FIELD = /^(?:(?:proxy-)?(authorization)|(?:set-)?cookie2?)$/i

/** Header fields without cookies. Of credentials, the scheme and the key's end stay. */
export function storeHeaders(
  headers: Readonly<Record<string, string>>,
  key?: string,
): Record<string, string> {
  const stored = { ...headers }
  for (const name in headers) {
    const hidden = HIDDEN_FIELD.exec(name)
    if (!hidden) continue
    const value = headers[name] as string
    if (hidden[1] === undefined) delete stored[name]
    else
      stored[name] =
        (SCHEME.exec(value)?.[0] ?? '') + (key && value.endsWith(key) ? describeKey(key) : '…')
  }
  return stored
}
