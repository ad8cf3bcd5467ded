// What the functions behind the control methods get and give. A method that reads is a function of a view; one that changes something
// gives the next state, and `create.ts` does the rest.
import { UsageError } from '../contract/errors.ts'
import type { OverridableService } from '../service/answer.ts'
import { readClock, type Times } from '../world/clock.ts'
import type { KeptChange } from '../world/row.ts'
import type { State } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Control } from './control.ts'

export type Imagine = OverridableService['imagine']

/** What a method may look at. */
export interface View {
  /** The key of the sandbox; undefined for the shared state. */
  readonly key: string | undefined
  /** A sandbox that does not exist yet is shown as it would start. */
  readonly world: World
  readonly state: State
  readonly times: Times
  readonly worlds: Worlds
  readonly sandboxes: { keys(): string[]; remove(key: string): boolean }
  readonly coverage: Control['coverage']
  readonly imagine: Imagine
}

/** What a method has changed. Without a text, the row says what differs. */
export interface Changed extends Partial<Pick<KeptChange, 'text' | 'undoes' | 'subject' | 'isUndo' | 'isWhole' | 'backTo'>> {
  readonly state: State
  readonly result?: unknown
}

/** A change that begins later, when what it needs has been fetched. */
export type Later = Promise<(view: View) => Changed>

/** A result that is long as a value and as JSON, so that only one of the two is made. */
export class Printable<T> {
  readonly value: () => T
  readonly print: () => string

  constructor(value: () => T, print: () => string) {
    this.value = value
    this.print = print
  }
}

/** The time of a state's clock. */
export function nowIn(state: State, times: Times): number {
  return readClock(state.clock, times)
}

/** The state before a row, or the present one, and its time. */
export function stateAt({ world, state, times, worlds, key }: View, before: number | undefined) {
  if (before === undefined) return { state, now: nowIn(state, times) }
  const { row } = findRow(worlds, world, key, before)
  if (row.before) return { state: row.before, now: row.at }
  throw new UsageError(`The state before row ${before} is no longer kept`, 409)
}

/** A row of this state; a UsageError says where else it is. */
export function findRow(worlds: Worlds, { requestLog }: World, key: string | undefined, id: number) {
  const found = requestLog.find(id)
  if (found) return found
  for (const [other, world] of worlds.all()) {
    if (other === key || !world.requestLog.find(id)) continue
    throw new UsageError(`Row ${id} belongs to ${other === undefined ? 'the shared state' : `the sandbox ${other}`}`, 409)
  }
  if (id > requestLog.lastId) throw new UsageError(`There is no row ${id}`, 404)
  throw new UsageError(`Row ${id} is no longer in the log`, 409)
}
