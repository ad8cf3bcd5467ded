// A state as a scenario: for people, in files and storages; and as what a recording or a Worker
// keeps of it.
import { idAfter, toJson } from '../contract/int64-json.ts'
import { parsePetText } from '../contract/pet.ts'
import type { Catalogue } from './catalogue.ts'
import {
  type Clock,
  describeClock,
  printInstant,
  shiftClock,
  startClock,
  type Times,
} from './clock.ts'
import type { ReadScenario } from './scenario.ts'
import { lastKey, sliceList } from './sorted.ts'
import { createParts, type Origin, type State } from './state.ts'
import { describeParts } from './state-parts.ts'

/** A state without its origin and animals: a scenario, and what a scenario does not say. */
export interface SavedState {
  readonly scenario: ReadScenario
  readonly lastFaultId?: number
  /** As if steady time had just begun. */
  readonly clock?: Clock
}

export function saveState(state: State, times: Times): Required<SavedState> {
  return {
    scenario: describeParts({ ...state, clock: {} }),
    lastFaultId: state.lastFaultId,
    clock: shiftClock(state.clock, -times.steady()),
  }
}

/** The animals that were saved are those of `catalogue`; by default the scenario has them. */
export function resumeState(
  saved: SavedState,
  origin: Origin,
  times: Times,
  catalogue?: Catalogue,
): State {
  const parts = createParts(saved.scenario)
  const { clock: given } = saved
  const clock = given ? shiftClock(given, times.steady()) : startClock(parts.clock, times)
  const lastFaultId = Math.max(saved.lastFaultId ?? 0, parts.lastFaultId)
  return { ...parts, origin, catalogue: catalogue ?? parts.catalogue, lastFaultId, clock }
}

/** What a past moment adds to a scenario: its clock stands still. */
export function momentOf(at: number, description: string) {
  return {
    description,
    now: printInstant(at),
    frozen: true,
  }
}

/** The state as a scenario without animals. */
export function describeState(state: State, now: number): ReadScenario {
  return describeParts({ ...state, clock: describeClock(state.clock, now) })
}

export function toScenario(state: State, now: number): ReadScenario {
  const { name = '', ...settings } = describeState(state, now)
  const pets = sliceList(state.catalogue.all).map(parsePetText)
  return { name, pets, ...withoutUsualNextId(state.catalogue, settings) }
}

/** The same as JSON, without parsing any animal. */
export function printScenario(
  { catalogue }: Pick<State, 'catalogue'>,
  { name, ...settings }: ReadScenario,
): string {
  const pets = sliceList(catalogue.all).join(',')
  const head = toJson({ name }).slice(0, -1)
  const tail = toJson(withoutUsualNextId(catalogue, settings)).slice(1)
  const comma = tail === '}' ? '' : ','
  return `${head},"pets":[${pets}]${comma}${tail}`
}

export function printOrigin(origin: Origin): string {
  return printScenario(origin, { ...describeParts(origin), description: origin.description })
}

/**
 * Omits a next id that follows from the animals, since people may add some. With surprises, another
 * one would.
 */
function withoutUsualNextId(catalogue: Catalogue, scenario: ReadScenario): ReadScenario {
  const { nextId = 0, ...rest } = scenario
  const isUsual = nextId === idAfter(lastKey(catalogue.all))
  return isUsual && !scenario.surprise ? rest : { nextId, ...rest }
}
