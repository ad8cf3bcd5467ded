// The timeline as people read it: equal requests, clicks on the same fault, and what a rewind left
// behind are one line each.
import { toJson } from '../../contract/int64-json.ts'
import { MAX_LOG_ROWS } from '../../contract/limits.ts'
import { nameRow } from '../../control/rows/name-row.ts'
import { isSameRequest } from '../../control/rows/repeats.ts'
import {
  type ChangeRow,
  firstOf,
  isChange,
  isLoad,
  leaves,
  type RequestRow,
  type TimelineRow,
} from '../../world/row.ts'

/** One line of the list. All rows are newest first, and `row` is the newest. */
export type Item = RequestItem | ChangeItem | Fold
type RequestItem = { kind: 'request'; name: string; row: RequestRow; rows: RequestRow[] }
/** `steps` are the rows to undo; empty if nothing undoes the change. */
type ChangeItem = {
  kind: 'change'
  name: string
  row: ChangeRow
  rows: ChangeRow[]
  steps: readonly number[]
}
/** `row` is the last rewind, return and so on; `subject` says where the first went. */
type Fold = {
  kind: 'fold'
  name: string
  row: ChangeRow
  rows: TimelineRow[]
  steps: readonly number[]
  subject: string
}

const CLICKS_MS = 5_000

/** The rows of both lists, newest first. */
export function mergeRows(
  left: readonly TimelineRow[],
  right: readonly TimelineRow[] = [],
): TimelineRow[] {
  const byName = new Map([...left, ...right].map((row) => [nameRow(row), row]))
  const rows = [...byName.values()]
  // The numbers of one sandbox ascend; those of several may have nothing to do with each other.
  const isOneSandbox = rows.every((row) => row.sandbox === rows[0]?.sandbox)
  rows.sort(isOneSandbox ? compareIds : compareInstants)
  return rows.slice(0, MAX_LOG_ROWS)
}

function compareIds(one: TimelineRow, other: TimelineRow): number {
  return other.id - one.id
}

function compareInstants(one: TimelineRow, other: TimelineRow): number {
  const distanceMs = Date.parse(other.realAt) - Date.parse(one.realAt)
  return distanceMs === 0 ? compareIds(one, other) : distanceMs
}

/**
 * `keep` says which rows are shown; the others still count for what is undone. A fold has all rows
 * that were left behind.
 */
export function arrange(
  rows: readonly TimelineRow[],
  keep: (row: TimelineRow) => boolean = () => true,
): Item[] {
  const changes = rows.filter(isChange)
  const items = foldRewinds(rows, changes, keep)
  // A rewind that left nothing to show is a change like others.
  const shown = items.map((item) => {
    const isEmpty = item.kind === 'fold' && !item.rows.some(keep)
    return isEmpty ? toChangeItem(item.row, changes) : item
  })
  return joinRuns(shown).filter((item) => item.kind !== 'change' || keep(item.row))
}

function foldRewinds(
  rows: readonly TimelineRow[],
  changes: readonly ChangeRow[],
  keep: (row: TimelineRow) => boolean,
): Item[] {
  const byName = new Map(changes.map((row) => [nameRow(row), row]))
  const findFirst = (row: ChangeRow) => firstOf(row, (id) => byName.get(nameRow({ ...row, id })))
  const items: Item[] = []
  /** By the first change of the chain of undo and redo. */
  const folds = new Map<TimelineRow, Fold>()
  /** By each row that was left behind. */
  const leftIn = new Map<TimelineRow, Fold>()
  for (const row of rows) {
    const left = leftIn.get(row)
    if (isRewind(row) && !left) {
      const first = findFirst(row)
      let fold = folds.get(first)
      if (!fold) {
        const steps = findSteps(row, changes)
        fold = { kind: 'fold', name: nameRow(first), row, rows: [], steps, subject: first.text }
        folds.set(first, fold)
        items.push(fold)
      }
      for (const one of findLeft(row, rows)) if (!leftIn.has(one)) leftIn.set(one, fold)
      continue
    }
    const isInChain = isChange(row) && findFirst(row) !== row
    if (isInChain || folds.has(row)) continue
    if (left) left.rows.push(row)
    else if (keep(row)) items.push(toItem(row, changes))
  }
  return items
}

/** Also the undo of a load, and the undo and redo of a rewind. */
function isRewind(row: TimelineRow): row is ChangeRow {
  return isChange(row) && row.isWhole && !isLoad(row)
}

function findLeft(rewind: ChangeRow, rows: readonly TimelineRow[]): readonly TimelineRow[] {
  if (rewind.isUndone) return []
  return rows.filter((row) => row.sandbox === rewind.sandbox && leaves(rewind, row))
}

/** The rows that rewinds have left behind. */
export function findLeftBehind(rows: readonly TimelineRow[]): ReadonlySet<TimelineRow> {
  return new Set(rows.filter(isRewind).flatMap((rewind) => findLeft(rewind, rows)))
}

function toItem(row: TimelineRow, changes: readonly ChangeRow[]): Item {
  if (isChange(row)) return toChangeItem(row, changes)
  return { kind: 'request', name: nameRow(row), row, rows: [row] }
}

function toChangeItem(row: ChangeRow, changes: readonly ChangeRow[]): ChangeItem {
  return { kind: 'change', name: nameRow(row), row, rows: [row], steps: findSteps(row, changes) }
}

/** The last in the chain of undo and redo that can be undone. */
function findSteps(row: ChangeRow, changes: readonly ChangeRow[]): number[] {
  if (row.canUndo) return [row.id]
  const undo = changes.find((one) => one.undoes === row.id && one.sandbox === row.sandbox)
  return undo ? findSteps(undo, changes) : []
}

function joinRuns(items: readonly Item[]): Item[] {
  const joined: Item[] = []
  let newer: Item | undefined
  for (const item of items) {
    const last = joined.at(-1)
    if (isJoined(newer, item) && last) join(last, item)
    else joined.push(item)
    newer = item
  }
  return joined
}

function isJoined(newer: Item | undefined, item: Item): boolean {
  if (newer?.kind === 'request' && item.kind === 'request')
    return isSameRequest(newer.row, item.row)
  return newer?.kind === 'change' && item.kind === 'change' && isSameClick(newer.row, item.row)
}

function join(last: Item, item: Item): void {
  if (last.kind === 'request' && item.kind === 'request') {
    last.rows.push(item.row)
    // The oldest gives the name, so that this stays the same line while it grows.
    last.name = item.name
  }
  if (last.kind === 'change' && item.kind === 'change') {
    last.rows.push(item.row)
    last.steps = [...last.steps, ...item.steps].sort((one, other) => other - one)
  }
}

/** Whether two changes are clicks in the menu that add, change or remove the same fault. */
export function isSameClick(one: ChangeRow, other: ChangeRow): boolean {
  const distanceMs = Math.abs(Date.parse(one.realAt) - Date.parse(other.realAt))
  return isClick(one) && isClick(other) && distanceMs <= CLICKS_MS && about(one) === about(other)
}

function isClick(row: ChangeRow): boolean {
  return row.method === 'faults.add' || row.method === 'faults.remove'
}

function about(row: ChangeRow): string {
  return toJson([row.sandbox, row.changed, row.isUndone])
}

/** For the button of a change, or of the last in its chain of undo and redo. */
export function verbOf(row: ChangeRow): string {
  if (row.isUndo !== row.isUndone) return 'Redo'
  return row.backTo ? 'Return' : 'Undo'
}
