// What a tester did to a state, as a row of the log beside the requests.
import { deepFreeze } from '../contract/describe-value.ts'
import type { Reader } from './log-entry.ts'

/** What a tester did to a state. */
export interface ChangeRow {
  /** Tells it from a request. */
  readonly type: 'change'
  /** From the same sequence as the ids of requests. */
  readonly id: number
  /** When, by the mock's clock. */
  readonly at: string
  /** When, by the clock of the machine. */
  readonly realAt: string
  /** The key of the sandbox that it belongs to; null for the shared state. */
  readonly sandbox: string | null
  /** The method of the control, such as `faults.add`. */
  readonly method: string
  /** What it changed, by name: `fault 3`, `pet 7`, `choice invalid-query`. Empty for a load or a reset, which replaces everything. */
  readonly changed: readonly string[]
  /** What it did, in a sentence. */
  readonly text: string
  /** The id of the row that it took back; null if it took none back. */
  readonly undoes: number | null
  /** Whether it is an undo, so that undoing it is a redo; false for a redo. */
  readonly isUndo: boolean
}

/** A change as the log keeps it. */
export interface Change extends Pick<ChangeRow, 'type' | 'method' | 'changed' | 'text' | 'undoes' | 'isUndo'> {
  id: number
  readonly at: number
  readonly realAt: number
  /** What it did or undid, whether it is an undo, a redo or neither. */
  readonly subject: string
  /** Whether the world started with it: the one before it may be kept. */
  readonly isStart: boolean
}

/** What a change takes besides its texts. */
const OVERHEAD_BYTES = 512

/** Whether a row is a change and not a request, in the log and wherever it is shown. */
export function isChange<Row extends object>(row: Row): row is Extract<Row, { readonly type: 'change' }> {
  return 'type' in row && row.type === 'change'
}

export function isRequest<Row extends object>(row: Row): row is Exclude<Row, { readonly type: 'change' }> {
  return !isChange(row)
}

/** A frozen copy to hand out, with secrets redacted. */
export function toChangeRow({ isStart: _, subject: __, ...change }: Change, { sandbox, hide }: Reader): ChangeRow {
  return deepFreeze({
    ...change,
    at: new Date(change.at).toISOString(),
    realAt: new Date(change.realAt).toISOString(),
    sandbox,
    changed: change.changed.map(hide),
    text: hide(change.text),
  })
}

/** A change of an earlier life of the mock, when there was another world. */
export function toChange({ at, realAt, sandbox: _, ...row }: ChangeRow): Change {
  return { ...row, at: Date.parse(at), realAt: Date.parse(realAt), subject: row.text, isStart: false }
}

export function sizeOfChange({ changed, text }: Change): number {
  return OVERHEAD_BYTES + 2 * (text.length + changed.join('').length)
}
