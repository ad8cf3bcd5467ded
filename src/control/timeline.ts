// What the functions behind the control methods get and give, and those for the timeline: what happened in a state, and
// the ways back. A method that changes something gives the next state, and `create.ts` does the rest.
import { describeKey } from '../contract/describe-value.ts'
import { notFound, UsageError } from '../contract/errors.ts'
import { count } from '../contract/problem.ts'
import { isUsedUp } from '../fault-body.ts'
import { writeRecording } from '../recording/write.ts'
import type { createService } from '../service/answer.ts'
import { showRow } from '../service/show-row.ts'
import { putAt } from '../world/clock.ts'
import { compareStates, type Difference, putBack } from '../world/difference.ts'
import { showFault } from '../world/faults.ts'
import { defaultLimit, isChange, type KeptChange, type KeptRow, leaves, type TimelineRow } from '../world/row.ts'
import type { State } from '../world/state.ts'
import type { World, Worlds } from '../world/worlds.ts'
import type { RequestFilter, Result } from './control.ts'

/** What a method may look at. A sandbox that does not exist yet is shown as it would start. */
export interface View {
  readonly world: World
  readonly state: State
  readonly now: number
  readonly worlds: Worlds
  readonly sandboxes: { keys(): string[]; remove(key: string): boolean }
  readonly imagine: ReturnType<typeof createService>['imagine']
}

/** What a method gives. A long result may be made when it is read. */
export type Found = Omit<Result, 'row'>

/** What a method has changed. Without a text, the row says what differs. */
export interface Changed extends Partial<Pick<KeptChange, 'text' | 'changed' | 'undoes' | 'subject' | 'isUndo' | 'isWhole' | 'backTo'>> {
  readonly state: State
  readonly result?: unknown
}

/** A change that begins later, when what it needs has been fetched. */
export type Later = Promise<(view: View) => Changed>

export const conflict = (text: string, row?: number) => new UsageError({ kind: 'text', text, ...(row !== undefined && { row }) }, 409)

export function stateAt(view: View, before: number | undefined): Pick<View, 'state' | 'now'> {
  if (before === undefined) return view
  const { row } = findRow(view, before)
  return { state: readBefore(row), now: row.at }
}

export function readBefore({ id, before }: Pick<KeptRow, 'id' | 'before'>): State {
  if (before) return before
  throw conflict(`Row ${id} is too old: the state before it is no longer kept`)
}

/** The clock of a recorded state stands still. */
function returnTo({ worlds }: View, row: Pick<KeptRow, 'id' | 'before' | 'at' | 'isRecorded'>): State {
  const state = readBefore(row)
  return row.isRecorded ? { ...state, clock: putAt(row.at, true, worlds.times) } : state
}

export function findRow({ worlds, world: { timeline } }: View, id: number) {
  const found = timeline.find(id)
  if (found) return found
  const owner = worlds.all().find((one) => one.timeline.find(id))
  if (owner) throw conflict(`Row ${id} belongs to ${owner.sandbox === null ? 'the shared state' : `the sandbox ${owner.sandbox}`}`)
  throw id > timeline.lastId ? notFound('Row', id) : conflict(`Row ${id} is not in the log`)
}

const worldsOf = ({ world, worlds }: View, sandbox: RequestFilter['sandbox']): readonly World[] =>
  sandbox === undefined ? [world] : worlds.all()

/** The rows that match, in the order of the ids: the last ones, which alone are shown. */
function list(view: View, what: 'rows' | 'requests', given: RequestFilter): { result: TimelineRow[]; total: number } {
  const { sandbox: all, limit = defaultLimit(given), ...filter } = given
  const rows = worldsOf(view, all).flatMap(({ sandbox, timeline }) => timeline[what](filter).map((row) => ({ row, sandbox })))
  rows.sort((left, right) => left.row.id - right.row.id)
  return { result: rows.slice(Math.max(0, rows.length - limit)).map(({ row, sandbox }) => showRow(row, sandbox)), total: rows.length }
}

const nameItem = ({ kind, id }: Pick<Difference, 'kind' | 'id'>) => `${kind === 'pet' ? 'animal' : kind} ${id}`.trim()

/** Takes one change back, and leaves what happened since; by default the latest that stands and is not an undo. */
function undo(view: View, { id: given }: { id?: number }): Changed {
  const id = given ?? view.world.timeline.rows().findLast((row) => isChange(row) && !row.obstacle && !row.isUndo)?.id
  if (id === undefined) throw conflict('There is no change to undo')
  const { row, after } = findRow(view, id)
  if (!isChange(row)) throw conflict(`Row ${id} is a request; undo takes back changes, and rewind goes back to before it`)
  const before = readBefore(row)
  const { subject, obstacle, isWhole, backTo } = row
  const otherwise = `undo that first, or rewind to before row ${id}`
  if (typeof obstacle === 'string') throw conflict(`Row ${id} ${obstacle === 'undone' ? 'is undone already' : 'cannot be undone'}`)
  if (obstacle) throw conflict(`Row ${obstacle.id} (${obstacle.text}) replaced the whole state since; ${otherwise}`, obstacle.id)
  const differences = isWhole ? [] : compareStates(before, after)
  const touched = new Set(isWhole ? [] : compareStates(after, view.state).map(nameItem))
  const own = { id: Number.POSITIVE_INFINITY, undoes: id }
  const later = view.world.timeline.rows({ waiting: true }).filter((one) => leaves(own, one) && !(isChange(one) && one.undoes))
  const changes = later.filter((one) => isChange(one)).filter(({ obstacle }) => !obstacle)
  for (const item of differences.map(nameItem)) {
    const blocker = changes.findLast(({ changed }) => changed.some((one) => nameItem(one) === item))
    if (!blocker && !touched.has(item)) continue
    const where = blocker ? ` (row ${blocker.id}: ${blocker.text})` : ''
    throw conflict(`${item} has changed since row ${id}${where}; ${otherwise}`, blocker?.id)
  }
  const state = isWhole ? returnTo(view, row) : differences.reduce((next, one) => putBack(next, one, before), view.state)
  const isUndo = !row.isUndo
  const lost = isWhole ? later.length : 0
  const isSpent = differences.some(({ kind, before: one }) => kind === 'fault' && one && isUsedUp(showFault(one)))
  const text = `${isUndo ? 'undid' : 'redid'}: ${subject}${isSpent ? ' (used up)' : ''}${lost > 0 ? `; ${count(lost, 'row')} left behind` : ''}`
  return { state, isWhole, text, subject, isUndo, undoes: id, ...(backTo && { backTo }) }
}

/** Nothing is replaced before all of it has been read. */
async function openRecording({ sandboxes, worlds }: View, input: { recording: string; file?: string }) {
  if (sandboxes !== worlds || worlds.isSaved)
    throw new UsageError('This mock stores its states; use animal-store-mock open for a recording')
  const { readRecording, showRecording } = await import('../recording/read.ts')
  const read = readRecording(input.recording, input.file ?? 'recording.jsonl')
  const { hasSandboxes } = worlds
  if (read.sandboxes > 0 !== hasSandboxes) {
    throw new UsageError(`${read.file} has ${hasSandboxes ? 'no ' : ''}sandboxes, unlike this mock; use animal-store-mock open`)
  }
  return () => showRecording(worlds, read)
}

export const timelineMethods = {
  timeline: (view: View, filter: RequestFilter) => list(view, 'rows', filter),
  requests: (view: View, filter: RequestFilter) => list(view, 'requests', filter),
  recording: (view: View, { sandbox }: RequestFilter) => ({ result: writeRecording(worldsOf(view, sandbox), view.worlds.times) }),
  openRecording,
  undo,
  rewind(view: View, { id }: { id: number }): Changed {
    const { row } = findRow(view, id)
    return { state: returnTo(view, row), text: `went back to before row ${id}`, isWhole: true, backTo: id }
  },
  clearRequests({ world, state }: View): Changed {
    world.timeline.clear()
    return { state, text: 'timeline cleared' }
  },
  removeSandbox: ({ state, sandboxes }: View, { id }: { id: string }): Changed => {
    const isThere = sandboxes.remove(id)
    return { state, result: isThere, ...(isThere && { text: `sandbox ${describeKey(id)} removed` }) }
  },
}
