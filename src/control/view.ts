// What the functions behind the control methods get and give. A method that reads is a function of a view; one that
// changes something also gives the next state, and `create.ts` does the rest.
import { UsageError } from '../contract/errors.ts'
import type { ImaginingService } from '../service/answer.ts'
import type { Times } from '../world/clock.ts'
import type { KeptChange, KeptRow } from '../world/row.ts'
import type { State } from '../world/state.ts'
import type { World, Worlds } from '../world/worlds.ts'
import type { Outcome } from './control.ts'

/** What a method may look at. */
export interface View {
  /** The key of the sandbox; undefined for the shared state. */
  readonly key: string | undefined
  /** A sandbox that does not exist yet is shown as it would start. */
  readonly world: World
  readonly state: State
  /** The time of the state's clock. */
  readonly now: number
  readonly times: Times
  readonly worlds: Worlds
  readonly sandboxes: { keys(): string[]; remove(key: string): boolean }
  readonly imagine: ImaginingService['imagine']
}

/** What a method gives. A long result may be made when it is read. */
export type Found = Omit<Outcome, 'row'>

/** What a method has changed. Without a text, the row says what differs. */
export interface Changed extends Partial<Pick<KeptChange, 'text' | 'undoes' | 'subject' | 'isUndo' | 'isWhole' | 'backTo'>> {
  readonly state: State
  readonly result?: unknown
}

/** A change that begins later, when what it needs has been fetched. */
export type Later = Promise<(view: View) => Changed>

/** Something that the present state, or the log, does not allow. */
export const conflict = (message: string) => new UsageError(message, 409)

/** The state before a row, or the present one, and its time. */
export function stateAt(view: View, before: number | undefined): Pick<View, 'state' | 'now'> {
  if (before === undefined) return view
  const { row } = findRow(view, before)
  return { state: readBefore(row), now: row.at }
}

export function readBefore({ id, before }: Pick<KeptRow, 'id' | 'before'>): State {
  if (before) return before
  throw conflict(`Row ${id} is too old: the state before it is no longer kept`)
}

/** A row of this state; a UsageError says where else it is. */
export function findRow({ worlds, world: { requestLog }, key }: View, id: number) {
  const found = requestLog.find(id)
  if (found) return found
  const elsewhere = worlds.all().find(([other, world]) => other !== key && world.requestLog.find(id))
  if (elsewhere) throw conflict(`Row ${id} belongs to ${elsewhere[0] === undefined ? 'the shared state' : `the sandbox ${elsewhere[0]}`}`)
  throw id > requestLog.lastId ? new UsageError(`There is no row ${id}`, 404) : conflict(`Row ${id} is no longer in the log`)
}
