// What a tester did to a state, as a row of the log beside the requests.
import { deepFreeze } from '../contract/freeze.ts'
import type { Difference } from './difference.ts'
import type { State } from './state.ts'

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
  /** What it changed; empty if it replaced the whole state, as a load, a reset or a rewind does. */
  readonly changed: readonly ChangedItem[]
  /** What it did, in a sentence. */
  readonly text: string
  /** The id of the row that it took back; null if it took none back. */
  readonly undoes: number | null
  /** Whether it is an undo, so that undoing it is a redo; false for a redo. */
  readonly isUndo: boolean
  /**
   * Whether a change that stands has undone it. A later change decides it again: read the timeline after an event whose row has `undoes`, or
   * whose `changed` is empty.
   */
  readonly isUndone: boolean
  /** Whether `undo` can take it back, unless what it touched has changed since; of an undo, whether it can be redone. */
  readonly canUndo: boolean
  /** The id of the row before which a rewind went back; absent from other changes. */
  readonly backTo?: number
}

/** One thing that a change was about: an animal, a fault or a question by its id, or a setting, which has none. */
interface ChangedItem extends Pick<Difference, 'kind'> {
  readonly id: string
}

/** A change as the log keeps it. */
export interface Change extends Pick<ChangeRow, 'type' | 'method' | 'changed' | 'text' | 'undoes' | 'isUndo' | 'backTo'> {
  id: number
  /** The state before it; undefined once it is no longer kept. */
  before: State | undefined
  isUndone: boolean
  canUndo: boolean
  /** The last change since that replaced the whole state and stands: this one cannot be undone before it. */
  obstacle?: Change | undefined
  readonly at: number
  readonly realAt: number
  /** What it did or undid, whether it is an undo, a redo or neither. */
  readonly subject: string
  /** Whether it replaced the whole state: its undo brings the one before it back as a whole. */
  readonly isWhole: boolean
  /** Whether it is a load or a reset: `requests` starts after it. */
  readonly startsAgain: boolean
}

/** What a change takes besides its texts. */
const OVERHEAD_BYTES = 512
const ITEM_BYTES = 64

/** Whether a row is a change and not a request, in the log and wherever it is shown. */
export function isChange<Row extends object>(row: Row): row is Extract<Row, { readonly type: 'change' }> {
  return 'type' in row && row.type === 'change'
}

export function isRequest<Row extends object>(row: Row): row is Exclude<Row, { readonly type: 'change' }> {
  return !isChange(row)
}

/** A frozen copy to hand out. */
export function toChangeRow(change: Change, sandbox: string | null): ChangeRow {
  const { type, id, at, realAt, method, changed, text, undoes, isUndo, isUndone, canUndo, backTo } = change
  const times = { at: new Date(at).toISOString(), realAt: new Date(realAt).toISOString() }
  const flags = { isUndo, isUndone, canUndo }
  return deepFreeze({ type, id, ...times, sandbox, method, changed, text, undoes, ...flags, ...(backTo !== undefined && { backTo }) })
}

/** A change of an earlier life of the mock, whose states are gone. */
export function toChange({ at, realAt, sandbox: _, ...row }: ChangeRow): Change {
  return {
    ...row,
    before: undefined,
    isUndone: false,
    canUndo: false,
    at: Date.parse(at),
    realAt: Date.parse(realAt),
    subject: row.text,
    isWhole: false,
    startsAgain: row.method === 'load' || row.method === 'reset',
  }
}

/** Decides which changes of a log stand: one is undone by a change that is not undone itself. `present` is the state after the last row. */
export function judge(rows: readonly (Change | { readonly before: State | undefined })[], present: State): void {
  const undone = new Set<number>()
  /** Standing changes of the whole state. One is in the way of every row before it, but an undo only from the row that it undid. */
  const obstacles: Change[] = []
  const reach = ({ isUndo, undoes }: Change) => (isUndo && undoes !== null ? undoes : 0)
  let after = present
  for (const row of rows.toReversed()) {
    const { before } = row
    if (isChange(row)) {
      const { id, undoes, isWhole } = row
      row.isUndone = undone.has(id)
      row.obstacle = obstacles.find((one) => reach(one) <= id)
      row.canUndo = !row.isUndone && !row.obstacle && before !== undefined && before !== after
      if (!row.isUndone && undoes !== null) undone.add(undoes)
      if (!row.isUndone && isWhole && obstacles.every((one) => reach(one) > reach(row))) obstacles.push(row)
    }
    after = before ?? after
  }
}

export function sizeOfChange({ changed, text }: Change): number {
  return OVERHEAD_BYTES + 2 * text.length + ITEM_BYTES * changed.length
}
