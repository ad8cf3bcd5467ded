// A row as a timeline keeps it: what was decided, and the state before it.
import type { Problem } from '../contract/problem.ts'
import { type ChangeRow, isCut, type RequestRow, type RowHead } from './row.ts'
import type { State } from './state.ts'

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

/** Whether the client got what the row says: it may have left before, or be waiting still. */
export const isDelivered = ({ outcome }: Pick<KeptRequest, 'outcome'>) =>
  outcome !== 'waiting' && outcome !== 'aborted'

/** The status that the client got; 0 for no response. */
export const statusOf = (row: Readonly<KeptRequest>): number =>
  isDelivered(row) ? row.decidedStatus : 0

/** A body may be cut, or not have been text. */
export const findLack = ({
  lacks,
  requestBody: body,
}: Readonly<KeptRequest>): RequestRow['lacks'] =>
  lacks ?? (isCut(body) || body.includes('\ufffd') ? 'body' : undefined)
