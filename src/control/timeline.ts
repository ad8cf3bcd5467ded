// What the functions behind the control methods get and give, and those for the timeline and for
// whole states.
import { notFound, UsageError } from '../contract/errors.ts'
import { count } from '../contract/problem.ts'
import { describeKey, isPromise, withoutUndefined } from '../contract/values.ts'
import { openScenario } from '../scenario/open.ts'
import { writeRecording } from '../scenario/recording/write.ts'
import type { createService } from '../service/answer.ts'
import { putAt } from '../world/clock.ts'
import { sayUsedUp } from '../world/describe-fault.ts'
import { compareStates, type Difference, putBack } from '../world/difference.ts'
import { showFault } from '../world/faults.ts'
import type { KeptChange, KeptRow } from '../world/kept-row.ts'
import { isChange, type TimelineRow } from '../world/row.ts'
import { defaultLimit } from '../world/row-filter.ts'
import type { ReadScenario } from '../world/scenario.ts'
import { showRow } from '../world/show-row.ts'
import { beginState, createOrigin, type Origin, type State } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
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

type Said = 'text' | 'changed' | 'undoes' | 'subject' | 'isUndo' | 'isWhole' | 'backTo'
/**
 * The next state, which `create.ts` makes the present one. Without a text, the row says what
 * differs.
 */
export type Changed = { readonly state: State; readonly result?: unknown } & Partial<
  Pick<KeptChange, Said>
>

/** A change that begins later, when what it needs has been fetched. */
export type Later = Promise<(view: View) => Changed>

export const conflict = (text: string, row?: number) =>
  new UsageError({ kind: 'text', text, ...(row && { row }) }, 409)

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
function returnTo(
  { worlds }: View,
  row: Pick<KeptRow, 'id' | 'before' | 'at' | 'isRecorded'>,
): State {
  const state = readBefore(row)
  return row.isRecorded ? { ...state, clock: putAt(row.at, true, worlds.times) } : state
}

export function findRow({ worlds, world: { timeline } }: View, id: number) {
  const found = timeline.find(id)
  if (found) return found
  const owner = worlds.all().find((one) => one.timeline.find(id))
  if (owner)
    throw conflict(
      `Row ${id} belongs to ${owner.sandbox ? `the sandbox ${owner.sandbox}` : 'the shared state'}`,
    )
  throw id > timeline.lastId ? notFound('Row', id) : conflict(`Row ${id} is not in the log`)
}

const worldsOf = ({ world, worlds }: View, { sandbox }: RequestFilter): readonly World[] =>
  sandbox === undefined ? [world] : worlds.all()

/** The last `limit` rows that match, in the order of their ids; the others are only counted. */
function list(
  view: View,
  what: 'rows' | 'requests',
  given: RequestFilter,
): { result: TimelineRow[]; total: number } {
  const { sandbox, limit = defaultLimit(given), ...filter } = given
  const rows = worldsOf(view, given).flatMap((world) =>
    world.timeline[what](filter).map((row) => ({ row, world })),
  )
  rows.sort((left, right) => left.row.id - right.row.id)
  const last = rows.slice(Math.max(0, rows.length - limit))
  return { result: last.map(({ row, world }) => showRow(row, world.sandbox)), total: rows.length }
}

const nameItem = ({ kind, id }: Pick<Difference, 'kind' | 'id'>) =>
  `${kind === 'pet' ? 'animal' : kind} ${id}`.trim()

function startFrom({ worlds }: View, origin: Origin, verb = 'loaded'): Changed {
  return {
    state: beginState(origin, worlds.times),
    text: `${verb} ${origin.loaded.name}`,
    isWhole: true,
  }
}

/** If the scenario says nothing about surprises, the present ones stay; false ends them. */
function load(view: View, { scenario }: { scenario: unknown }): Changed | Later {
  const { surprise } = view.state.loaded
  const create = (found: ReadScenario) =>
    createOrigin({ ...(surprise && { surprise }), ...withoutUndefined(found) })
  const found = openScenario(scenario)
  if (!isPromise(found)) return startFrom(view, create(found))
  return found.then(create).then((origin) => (here) => startFrom(here, origin))
}

/**
 * Takes one change back, and leaves what happened since; by default the latest that stands and is
 * not an undo.
 */
function undo(view: View, { id: given }: { id?: number }): Changed {
  const { timeline } = view.world
  const id =
    given ?? timeline.rows().findLast((row) => isChange(row) && !row.obstacle && !row.isUndo)?.id
  if (id === undefined) throw conflict('There is no change to undo')
  const { row, after } = findRow(view, id)
  if (!isChange(row))
    throw conflict(
      `Row ${id} is a request; undo takes back changes, and rewind goes back to before it`,
    )
  const before = readBefore(row)
  const { subject, obstacle, isWhole, backTo } = row
  const hint = `undo that first, or rewind to before row ${id}`
  if (obstacle === 'undone') throw conflict(`Row ${id} is undone already`)
  if (typeof obstacle === 'string') throw conflict(`Row ${id} cannot be undone`)
  if (obstacle)
    throw conflict(
      `Row ${obstacle.id} (${obstacle.text}) replaced the whole state since; ${hint}`,
      obstacle.id,
    )
  const ownChanges = isWhole ? [] : compareStates(before, after)
  const touched = new Set(isWhole ? [] : compareStates(after, view.state).map(nameItem))
  const later = timeline
    .rows({ waiting: true })
    .filter((one) => one.id > id && !(isChange(one) && one.undoes))
  const changes = later.filter((one) => isChange(one)).filter(({ obstacle }) => !obstacle)
  for (const item of ownChanges.map(nameItem)) {
    const blocker = changes.findLast(({ changed }) => changed.some((one) => nameItem(one) === item))
    if (!blocker && !touched.has(item)) continue
    const where = blocker ? ` (row ${blocker.id}: ${blocker.text})` : ''
    throw conflict(`${item} has changed since row ${id}${where}; ${hint}`, blocker?.id)
  }
  const state = isWhole
    ? returnTo(view, row)
    : ownChanges.reduce((next, one) => putBack(next, one, before), view.state)
  const isUndo = !row.isUndo
  const left = isWhole && later.length > 0 ? `; ${count(later.length, 'row')} left behind` : ''
  const faults = ownChanges.flatMap(({ kind, before: one }) =>
    kind === 'fault' && one ? showFault(one) : [],
  )
  const spent = faults.map(sayUsedUp).find(Boolean) ?? ''
  const text = `${isUndo ? 'undid' : 'redid'}: ${subject}${spent}${left}`
  return { state, isWhole, text, subject, isUndo, undoes: id, ...(backTo && { backTo }) }
}

/** Nothing is replaced before all of it has been read. */
async function openRecording(
  { sandboxes, worlds }: View,
  input: { recording: string; file?: string },
) {
  if (sandboxes !== worlds || worlds.isSaved)
    throw new UsageError('This mock stores its states; use animal-store-mock open for a recording')
  const { readRecording, replaceByRecording } = await import('../scenario/recording/read.ts')
  const read = readRecording(input.recording, input.file ?? 'recording.jsonl')
  const has = worlds.hasSandboxes ? 'has no' : 'has'
  if (read.sandboxes > 0 !== worlds.hasSandboxes)
    throw new UsageError(
      `${read.file} ${has} sandboxes, unlike this mock; use animal-store-mock open`,
    )
  return () => replaceByRecording(worlds, read)
}

export const timelineMethods = {
  timeline: (view: View, filter: RequestFilter) => list(view, 'rows', filter),
  requests: (view: View, filter: RequestFilter) => list(view, 'requests', filter),
  recording: (view: View, only: RequestFilter) => ({
    result: writeRecording(worldsOf(view, only), view.worlds.times),
  }),
  reset: (view: View) => startFrom(view, view.state.origin, 'reset to'),
  load,
  openRecording,
  undo,
  rewind(view: View, { id }: { id: number }): Changed {
    const { row } = findRow(view, id)
    return {
      state: returnTo(view, row),
      text: `went back to before row ${id}`,
      isWhole: true,
      backTo: id,
    }
  },
  clearRequests({ world, state }: View): Changed {
    world.timeline.clear()
    return { state, text: 'timeline cleared' }
  },
  removeSandbox: ({ state, sandboxes }: View, { id }: { id: string }): Changed => {
    const isThere = sandboxes.remove(id)
    return {
      state,
      result: isThere,
      ...(isThere && { text: `sandbox ${describeKey(id)} removed` }),
    }
  },
}
