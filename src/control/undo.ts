// Takes one change back, and leaves what happened since.
import { count } from '../contract/problem.ts'
import { withoutUndefined } from '../contract/values.ts'
import { sayUsedUp } from '../world/describe-fault.ts'
import { compareStates, type Difference, putBack } from '../world/difference.ts'
import { showFault } from '../world/faults.ts'
import type { KeptChange, KeptRow } from '../world/kept-row.ts'
import { isChange } from '../world/row.ts'
import type { State } from '../world/state.ts'
import { type Changed, conflict, findRow, readBefore, returnTo, type View } from './view.ts'

/** By default the latest change that stands and is not an undo. */
export function undo(view: View, input: { readonly id?: number }): Changed {
  const id = input.id ?? findLatest(view)
  const { row, after } = findRow(view, id)
  if (!isChange(row)) {
    const hint = 'undo takes back changes, and rewind goes back to before it'
    throw conflict(`Row ${id} is a request; ${hint}`)
  }
  const before = readBefore(row)
  refuseObstacle(row)
  const later = listLater(view, id)
  let state: State
  let differences: readonly Difference[] = []
  if (row.isWhole) {
    state = returnTo(view, row)
  } else {
    differences = compareStates(before, after)
    refuseTouched(view, row, differences, after, later)
    state = putAllBack(view.state, differences, before)
  }
  return withoutUndefined({
    kind: 'changed' as const,
    state,
    isWhole: row.isWhole,
    text: describeUndo(row, differences, later.length),
    subject: row.subject,
    isUndo: !row.isUndo,
    undoes: id,
    backTo: row.backTo,
  }) as Changed
}

function findLatest(view: View): number {
  const rows = view.world.timeline.rows()
  const latest = rows.filter(isChange).findLast((row) => !row.obstacle && !row.isUndo)
  if (latest) return latest.id
  throw conflict('There is no change to undo')
}

function refuseObstacle(row: KeptChange): void {
  const { id, obstacle } = row
  if (obstacle === undefined) return
  if (obstacle === 'undone') throw conflict(`Row ${id} is undone already`)
  if (typeof obstacle === 'string') throw conflict(`Row ${id} cannot be undone`)
  const replaced = `Row ${obstacle.id} (${obstacle.text}) replaced the whole state since`
  throw conflict(`${replaced}; ${adviseUndoFirst(id)}`, obstacle.id)
}

const adviseUndoFirst = (id: number) => `undo that first, or rewind to before row ${id}`

/** The rows after a change, without undos. */
function listLater(view: View, id: number): KeptRow[] {
  const rows = view.world.timeline.rows({ waiting: true })
  return rows.filter((row) => {
    const isUndo = isChange(row) && row.undoes !== null
    return row.id > id && !isUndo
  })
}

/** A thing that has changed since must not be lost: it is put back first. */
function refuseTouched(
  view: View,
  row: KeptChange,
  differences: readonly Difference[],
  after: State,
  later: readonly KeptRow[],
): void {
  const touched = listTouched(after, view.state)
  const changes = later.filter(isChange).filter((one) => !one.obstacle)
  for (const item of differences.map(nameItem)) {
    const blocker = changes.findLast((one) => one.changed.map(nameItem).includes(item))
    if (!blocker && !touched.has(item)) continue
    const where = blocker ? ` (row ${blocker.id}: ${blocker.text})` : ''
    const problem = `${item} has changed since row ${row.id}${where}`
    throw conflict(`${problem}; ${adviseUndoFirst(row.id)}`, blocker?.id)
  }
}

/** The first of these things that has changed between two other states. */
export function findTouched(
  differences: readonly Difference[],
  since: State,
  now: State,
): string | undefined {
  const touched = listTouched(since, now)
  return differences.map(nameItem).find((item) => touched.has(item))
}

function listTouched(since: State, now: State): ReadonlySet<string> {
  return new Set(compareStates(since, now).map(nameItem))
}

const ITEMS: Readonly<Record<string, string>> = { pet: 'animal', apiKeys: 'API keys' }

/** `animal 7`, `fault 1`, `choice default-status`, `latency`. */
function nameItem({ kind, id }: { readonly kind: string; readonly id: unknown }): string {
  return `${ITEMS[kind] ?? kind} ${id}`.trim()
}

export function putAllBack(
  present: State,
  differences: readonly Difference[],
  before: State,
): State {
  let state = present
  for (const difference of differences) state = putBack(state, difference, before)
  return state
}

function describeUndo(
  row: KeptChange,
  differences: readonly Difference[],
  laterCount: number,
): string {
  const verb = row.isUndo ? 'redid' : 'undid'
  const left = row.isWhole && laterCount > 0 ? `; ${count(laterCount, 'row')} left behind` : ''
  return `${verb}: ${row.subject}${describeSpent(differences)}${left}`
}

/** A fault that comes back may be used up. */
function describeSpent(differences: readonly Difference[]): string {
  for (const { kind, before } of differences) {
    const spent = kind === 'fault' && before ? sayUsedUp(showFault(before)) : ''
    if (spent) return spent
  }
  return ''
}
