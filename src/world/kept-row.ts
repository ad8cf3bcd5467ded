// A row as the timeline keeps it. Readers get a copy of it, which `showRow` makes.
import type { Problem } from '../contract/problem.ts'
import { type ChangeRow, isCut, type RequestRow, type RowHead } from './row.ts'
import type { State } from './state.ts'

interface KeptHead {
  id: number
  /** The state before the row, which a request saw; undefined once it is no longer kept. */
  before: State | undefined
  readonly at: number
  readonly realAt: number
  /** It comes from a recording: a rewind to it stops the clock at its moment. */
  readonly isRecorded?: boolean
}

/** What a host cannot do for a fault: it does the nearest thing. */
export type HostLimit = 'reset' | 'cut' | 'slow'

/** The fields that readers get as they are kept. */
type SharedField =
  | 'type'
  | 'method'
  | 'target'
  | 'operation'
  | 'faults'
  | 'surprises'
  | 'key'
  | 'lacks'

type Decided =
  | 'decidedStatus'
  | 'decidedError'
  | 'decidedProblems'
  | 'responseHeaders'
  | 'responseBody'

/** A response, as a row keeps it. */
export type SentInstead = Pick<KeptRequest, Decided>

export interface KeptRequest extends KeptHead, Pick<RequestRow, SharedField> {
  /** What the service decided. The client does not get it if it left or is still waiting. */
  readonly decidedStatus: number
  /** A set of bits, which `nameAssumptions` reads. */
  readonly assumptions: number
  readonly decidedError: string | null
  readonly decidedProblems: readonly Problem[]
  readonly struck?: readonly string[] | undefined
  notes: readonly string[]
  unable?: HostLimit | undefined
  /** The status of the response that the client did not get: a fault lost it. */
  readonly lost?: number | undefined
  outcome: Exclude<RequestRow['outcome'], 'held'>
  /** While it waits, it waits for its release. */
  isHeld?: boolean
  /** What a release sends in place of what was decided. */
  sentInstead?: SentInstead | undefined
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
   * Why it cannot be undone; undefined if it can. A row: the latest load, reset or rewind after it;
   * undo that first.
   */
  obstacle?: 'forgotten' | 'nothing' | 'undone' | KeptChange | undefined
  /** What the change did. An undo or redo has the subject of the change that it is about. */
  readonly subject: string
}

export type KeptRow = KeptRequest | KeptChange

type NewChange = Pick<KeptChange, 'at' | 'realAt' | 'method' | 'text'> & Partial<KeptChange>

/** A change that the timeline has yet to number and judge. */
export function createChange(given: NewChange): KeptChange {
  const { at, realAt, method, changed = [], isWhole = false, text, ...others } = given
  return {
    type: 'change',
    id: 0,
    before: undefined,
    at,
    realAt,
    method,
    changed,
    isWhole,
    text,
    undoes: null,
    isUndo: false,
    subject: text,
    obstacle: 'forgotten',
    ...others,
  }
}

/** Whether the client got what was decided. */
export function isDelivered({ outcome }: Pick<RequestRow, 'outcome'>): boolean {
  return outcome !== 'waiting' && outcome !== 'aborted' && outcome !== 'held'
}

/** The status that the client got; 0 for no response. */
export function statusOf(row: Readonly<KeptRequest>): number {
  if (!isDelivered(row)) return 0
  const { decidedStatus } = row.sentInstead ?? row
  return decidedStatus
}

/** What is missing to send the request again. Its body may be cut, or not have been text. */
export function findLack(row: Readonly<KeptRequest>): RequestRow['lacks'] {
  if (row.lacks) return row.lacks
  const body = row.requestBody
  return isCut(body) || body.includes('\ufffd') ? 'body' : undefined
}
