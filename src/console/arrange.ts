// The rows of the timeline as people read them: equal requests as one, clicks on the same fault as one, an undo in the row that it concerns,
// and what a rewind left behind as one line.
import { toJson } from '../contract/int64-json.ts'
import { type ChangeRow, isChange, type RequestRow } from '../world/row.ts'
import { FINAL, nameOf, type Row } from './entry.ts'

/** One line of the list. All rows are newest first. */
export type Item =
  | { readonly kind: 'request'; readonly name: string; readonly rows: RequestRow[] }
  | { readonly kind: 'change'; readonly name: string; readonly rows: ChangeRow[]; readonly takeBack: TakeBack }
  | { readonly kind: 'fold'; readonly name: string; readonly rows: Row[]; readonly rewind: ChangeRow; readonly takeBack: TakeBack }

/** How to undo a change, or to redo it. */
export interface TakeBack {
  readonly verb: 'Undo' | 'Redo' | 'Return' | undefined
  /** The rows to undo, in this order. */
  readonly steps: readonly number[]
}

type Change = Extract<Item, { readonly kind: 'change' }>
type Fold = Extract<Item, { readonly kind: 'fold' }>

/** Fewer equal requests have a line each. */
const MANY = 3
/** A browser that lost a connection which it had used before sends the request again at once. */
const RETRY_MS = 1_000
/** Clicks on one fault within this time are one change. */
const CLICKS_MS = 5_000

/** `keep` says which rows are shown; the others still count for what is undone and left behind. */
export function arrange(rows: readonly Row[], keep: (row: Row) => boolean = () => true): Item[] {
  const known = new Set(rows.map(nameOf))
  const takenBy = findUndos(rows)
  const items: Item[] = []
  const folds = new Map<string | null, Fold>()
  for (const row of rows) {
    const fold = folds.get(row.sandbox)
    const isLeft = fold?.rewind.backTo !== undefined && row.id >= fold.rewind.backTo
    if (isChange(row) && row.undoes !== null && known.has(nameOf({ ...row, id: row.undoes }))) continue
    if (fold && isLeft) {
      if (keep(row)) fold.rows.push(row)
    } else if (isChange(row)) {
      const takeBack = findTakeBack(row, takenBy)
      const change: Change = { kind: 'change', name: nameOf(row), rows: [row], takeBack }
      if (row.backTo !== undefined && takeBack.verb === 'Return') {
        const opened: Fold = { ...change, kind: 'fold', rows: [], rewind: row }
        folds.set(row.sandbox, opened)
        items.push(opened)
      } else if (keep(row)) addChange(items, change)
    } else if (keep(row)) addRequest(items, row)
  }
  return items.flatMap(split).filter((item) => item.rows.length > 0 || (item.kind === 'fold' && keep(item.rewind)))
}

/** Whether the second click came soon after the first one on the same fault. */
export function isSameClick(one: ChangeRow, other: ChangeRow): boolean {
  const isClick = ({ method }: ChangeRow) => method === 'faults.add' || method === 'faults.remove'
  const isNear = Math.abs(Date.parse(one.realAt) - Date.parse(other.realAt)) <= CLICKS_MS
  return isClick(one) && isClick(other) && isNear && toJson(one.changed) === toJson(other.changed) && one.sandbox === other.sandbox
}

/** The last undo or redo of each row that has one. */
function findUndos(rows: readonly Row[]): ReadonlyMap<string, ChangeRow> {
  const takenBy = new Map<string, ChangeRow>()
  for (const row of rows) {
    if (!isChange(row) || row.undoes === null) continue
    const name = nameOf({ ...row, id: row.undoes })
    if (!takenBy.has(name)) takenBy.set(name, row)
  }
  return takenBy
}

/** A redo undoes the undo. */
function findTakeBack(row: ChangeRow, takenBy: ReadonlyMap<string, ChangeRow>): TakeBack {
  let last = row
  for (let next = takenBy.get(nameOf(last)); next; next = takenBy.get(nameOf(last))) last = next
  return { verb: FINAL.includes(row.method) ? undefined : verbOf(last, row), steps: [last.id] }
}

/** What takes a change back: the row of the change, or of an undo of it. */
export function verbOf(last: ChangeRow, { backTo } = last): Exclude<TakeBack['verb'], undefined> {
  if (last.isUndo) return 'Redo'
  return backTo === undefined ? 'Undo' : 'Return'
}

function addChange(items: Item[], change: Change): void {
  const last = items.at(-1)
  const [row] = change.rows as [ChangeRow]
  const newer = last?.kind === 'change' ? last.rows.at(-1) : undefined
  if (last?.kind !== 'change' || !newer || !isSameClick(newer, row) || last.takeBack.verb !== change.takeBack.verb) items.push(change)
  else {
    const steps = [...last.takeBack.steps, ...change.takeBack.steps].sort((one, other) => other - one)
    items[items.length - 1] = { ...last, rows: [...last.rows, row], takeBack: { ...last.takeBack, steps } }
  }
}

function addRequest(items: Item[], entry: RequestRow): void {
  const last = items.at(-1)
  const newer = last?.kind === 'request' ? last.rows.at(-1) : undefined
  if (last?.kind === 'request' && newer && isEqual(newer, entry)) last.rows.push(entry)
  else items.push({ kind: 'request', name: '', rows: [entry] })
}

function isEqual(one: RequestRow, other: RequestRow): boolean {
  return (
    one.method === other.method &&
    one.target === other.target &&
    one.status === other.status &&
    one.outcome === other.outcome &&
    one.error === other.error &&
    one.key === other.key &&
    one.sandbox === other.sandbox &&
    one.request.body === other.request.body &&
    one.faults.join() === other.faults.join()
  )
}

/** Named by its oldest row, so that it stays the same line while it grows. */
function split(item: Item): Item[] {
  if (item.kind !== 'request') return [item]
  const oldest = item.rows.at(-1) as RequestRow
  if (item.rows.length >= MANY || isRetried(item.rows)) return [{ ...item, name: nameOf(oldest) }]
  return item.rows.map((entry) => ({ kind: 'request', name: nameOf(entry), rows: [entry] }))
}

/** Whether a browser may have sent a dropped request again by itself. */
export function isRetried(entries: readonly RequestRow[]): boolean {
  return entries.length > 1 && entries[0]?.outcome === 'dropped' && spanOf(entries) < RETRY_MS
}

/** From the first to the last, in milliseconds. */
export function spanOf(rows: readonly Row[]): number {
  return Date.parse(rows[0]?.realAt ?? '') - Date.parse(rows.at(-1)?.realAt ?? '')
}
