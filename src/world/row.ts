// The rows of a timeline, requests and changes, as readers get them.
import { readQuery, splitQuery, toValues } from '../contract/address.ts'
import type { AssumptionId, Int64, OperationId } from '../contract/generated/contract.ts'
import { type Json, parseInt64, tryJson } from '../contract/int64-json.ts'
import { MAX_LOGGED_BODY_CHARACTERS } from '../contract/limits.ts'
import type { Problem } from '../contract/problem.ts'
import type { Difference } from './difference.ts'

export interface RowHead {
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
  /**
   * `dropped` by a fault, `aborted` by the client, still `waiting` for its delay, or `held` until
   * you release it.
   */
  readonly outcome: 'sent' | 'dropped' | 'aborted' | 'waiting' | 'held'
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

/** One thing that a change touched: an animal, a fault or a question by its id, or a setting. */
type ChangedItem = Pick<Difference, 'kind'> & { readonly id: string }

/** A row of the timeline: a request or a change. */
export type TimelineRow = RequestRow | ChangeRow

/** Whether its response is still to come. */
export const isWaiting = ({ outcome }: Pick<RequestRow, 'outcome'>): boolean =>
  outcome === 'waiting' || outcome === 'held'

type OfChange = Pick<ChangeRow, 'type'>

export function isChange<Row extends { type: string }>(row: Row): row is Extract<Row, OfChange> {
  return row.type === 'change'
}

export function isRequest<Row extends { type: string }>(row: Row): row is Exclude<Row, OfChange> {
  return row.type !== 'change'
}

type Change = Pick<ChangeRow, 'id' | 'isWhole' | 'undoes' | 'backTo'>

/** A load or a reset, which start again from a scenario. */
export function isLoad(change: Change): boolean {
  return change.isWhole && !change.undoes && !change.backTo
}

/**
 * Whether a change of the whole state left a row behind. An undo leaves the rows since the change
 * that it undid, a rewind also the row that it went back to, and a load all earlier rows.
 */
export function leaves(change: Omit<Change, 'isWhole'>, row: Pick<RowHead, 'id'>): boolean {
  return row.id > lastKeptBy(change) && row.id < change.id
}

/** The last row before the change that is still of the present line; 0 if none is. */
function lastKeptBy({ undoes, backTo }: Omit<Change, 'isWhole'>): number {
  if (undoes !== null) return undoes
  return backTo === undefined ? 0 : backTo - 1
}

/** The first of a chain of undo and redo, as far back as `find` knows the rows. */
export function firstOf<Row extends Pick<ChangeRow, 'undoes'>>(
  row: Row,
  find: (id: number) => Row | undefined,
): Row {
  const undone = find(row.undoes ?? 0)
  return undone ? firstOf(undone, find) : row
}

/** Coverage does not count OPTIONS, which no operation has. */
export const isUncounted = (row: Pick<RequestRow, 'method'>): boolean => row.method === 'OPTIONS'

type Struck = Pick<RequestRow, 'faults'> & { readonly struck?: readonly string[] | undefined }

/**
 * Whether the request itself asked for its fault, with `Prefer`. The faults of a state always come
 * with `struck`, which `Prefer` never has. The id says nothing: a fault may be called `Prefer`.
 */
export const isAsked = (row: Struck): boolean => row.faults.length > 0 && !row.struck

/**
 * Whether its key was refused; a malformed key is not logged. A fault that says 401 sees valid keys
 * only.
 */
export function wasKeyRefused(
  row: Pick<RequestRow, 'assumptions' | 'key'>,
  status: number,
): boolean {
  const { assumptions, key } = row
  if (assumptions.includes('valid-keys') || assumptions.includes('unknown-path-auth')) return true
  return key === null && status === 401
}

/** Whether a body is only the beginning of the one that was sent, as `cutText` leaves it. */
export function isCut(body: string): boolean {
  return body.length === MAX_LOGGED_BODY_CHARACTERS + 1 && body.endsWith('…')
}

/** Why a request cannot be sent again as it was, after its name. */
export const LACKS: Readonly<Record<NonNullable<RequestRow['lacks']>, string>> = {
  host: 'was refused before the service saw it',
  values: 'had its secrets removed',
  body: 'has a cut or binary body',
}

/** A recording has a row in each line. */
export const isRecordingFile = (file: string): boolean => /\.jsonl$/i.test(file)

/** By its first line, whatever the file is called. */
export const isRecordingText = (text: string): boolean => /^\ufeff?\{"format":/.test(text)

/**
 * Adds the query, the id and the body as values, for tests. Printing the row leaves them out: JSON
 * has no bigints.
 */
export function addValues(row: Omit<RequestRow, 'query' | 'petId' | 'json'>): RequestRow {
  return Object.defineProperties(row as RequestRow, VALUES)
}

/** All rows share these functions: with some of its own, each row would be slow to make. */
const VALUES = {
  query: {
    get(this: RequestRow) {
      return toValues(readQuery(splitQuery(this.target).query))
    },
  },
  petId: {
    get(this: RequestRow) {
      return parsePetId(this)
    },
  },
  json: {
    get(this: RequestRow) {
      return tryJson(this.request.body)
    },
  },
}

/** The id in the path of a request. */
export function parsePetId(row: Pick<RequestRow, 'operation' | 'target'>): Int64 | null {
  if (row.operation === null) return null
  const { path } = splitQuery(row.target)
  // In the paths of the API, only the id of an animal is a number.
  const lastSegment = path.slice(path.lastIndexOf('/') + 1)
  return parseInt64(tryDecode(lastSegment)) ?? null
}

/** A row of a recording may have been written by hand. */
function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
