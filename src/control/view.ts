// What the functions behind the control methods get, a view of one state, and what they give: what
// they found, or the next state. None of them changes anything itself.
import { notFound, UsageError } from '../contract/errors.ts'
import { doAtOnce, doInTurns, type Task } from '../contract/turns.ts'
import type { createService } from '../service/answer.ts'
import { readClock } from '../world/clock.ts'
import type { KeptChange, KeptRow } from '../world/kept-row.ts'
import { type State, stopClock } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Result } from './control.ts'

/** What a method may look at. A sandbox that does not exist yet is shown as it would start. */
export interface View {
  readonly world: World
  readonly state: State
  readonly now: number
  readonly worlds: Worlds
  readonly sandboxes: { keys(): string[]; remove(key: string): boolean }
  readonly imagine: ReturnType<typeof createService>['imagine']
  /** The page that opens links, if it is not that of the site. */
  readonly player: string | undefined
}

/** A state at a moment of its clock. */
export type Moment = Pick<View, 'state' | 'now'>

/** A long result may be made when it is read. */
export interface Found {
  readonly kind: 'found'
  readonly found: Omit<Result, 'row'>
  /** Lets replies go, which changes no state and adds no row. */
  apply?(): void
}

type RowFields = 'at' | 'text' | 'changed' | 'undoes' | 'subject' | 'isUndo' | 'isWhole' | 'backTo'

/**
 * The next state, which `commit` makes the present one. Without a text, the row says what differs.
 */
export interface Changed extends Partial<Pick<KeptChange, RowFields>> {
  readonly kind: 'changed'
  readonly state: State
  readonly result?: unknown
  /** Runs just before the state changes, and changes what is outside it: rows, sandboxes. */
  apply?(): void
  /** These first replace all worlds; `state` is then the next state of the shared world. */
  readonly worlds?: Worlds
}

/** There is nothing with this id to remove. Nothing changes, and no sandbox starts. */
export interface Missing {
  readonly kind: 'missing'
}

export const MISSING: Missing = { kind: 'missing' }

/** A change that begins later, when what it needs has been fetched. */
export interface Later {
  readonly kind: 'later'
  readonly change: Promise<(view: View) => Changed>
}

export const found = (result: unknown): Found => ({ kind: 'found', found: { result } })

/** What a task ends with, shown: made when it is read, or in turns. */
export function foundInTurns<T>(begin: () => Task<T>, show: (value: T) => unknown): Found {
  return {
    kind: 'found',
    found: {
      get result() {
        return show(doAtOnce(begin()))
      },
      inTurns: async () => show(await doInTurns(begin())),
    },
  }
}

/** A view of a world as it is now. */
export function viewOf(dependencies: Omit<View, keyof Moment | 'world'>, world: World): View {
  const { state } = world
  return { ...dependencies, world, state, now: readClock(state.clock, dependencies.worlds.times) }
}

export function conflict(text: string, row?: number): UsageError {
  const problem = { kind: 'text', text } as const
  return new UsageError(row === undefined ? problem : { ...problem, row }, 409)
}

/** Just before a row; without one, now. */
export function momentAt(view: View, before: number | undefined): Moment {
  if (before === undefined) return view
  const { row } = findRow(view, before)
  return { state: readBefore(row), now: row.at }
}

export function readBefore(row: Pick<KeptRow, 'id' | 'before'>): State {
  if (row.before) return row.before
  throw conflict(`Row ${row.id} is too old: the state before it is no longer kept`)
}

/** The state before a row, to go back to. The clock of a recorded state stands still. */
export function returnTo(view: View, row: KeptRow): State {
  const state = readBefore(row)
  return row.isRecorded ? stopClock(state, row.at, view.worlds.times) : state
}

export function findRow(view: View, id: number) {
  const { worlds, world } = view
  const here = world.timeline.find(id)
  if (here) return here
  const owner = worlds.all().find((one) => one.timeline.find(id))
  if (owner) {
    const place = owner.sandbox ? `the sandbox ${owner.sandbox}` : 'the shared state'
    throw conflict(`Row ${id} belongs to ${place}`)
  }
  if (id > world.timeline.lastId) throw notFound('Row', id)
  throw conflict(`Row ${id} is not in the log`)
}
