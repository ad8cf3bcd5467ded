// What the mock holds at a moment, as a value: a change makes the next state and shares what it leaves alone. So a row of the timeline keeps
// the state before it as a reference, and going back is an assignment.
import { isInt64, normalizeInt64, toJson } from '../contract/int64-json.ts'
import { parsePetText, toPet, toPetText } from '../contract/pet.ts'
import type { Int64, NewPet, Pet } from '../generated/contract.ts'
import { type Catalogue, FullError, mergeCatalogues, putPet, restorePet, trimCatalogue } from './catalogue.ts'
import { type ClockSetting, type Course, describeClock, readClock, startClock, type Times } from './clock.ts'
import { showFault } from './faults.ts'
import { createOrigin, type Origin } from './origin.ts'
import type { ReadScenario } from './scenario.ts'
import { emptyList, entriesOf, findIn, putIn, sliceList } from './sorted.ts'

export interface State extends Omit<Origin, 'description' | 'clock' | 'bytes'> {
  /** What a reset goes back to. Rewind and undo bring it back with the rest. */
  readonly origin: Origin
  readonly clock: Course
}

/** Bounds the counts; beyond it all of them start again. */
const MAX_TARGETS = 10_000

/** A load, a reset, and the first request of a sandbox. */
export function begin(origin: Origin, times: Times): State {
  const { loaded, catalogue, nextId, faults, lastFaultId, choices, latency, clock, random, calls } = origin
  return { origin, loaded, catalogue, nextId, faults, lastFaultId, choices, latency, clock: startClock(clock, times), random, calls }
}

export function addPet(state: State, fields: NewPet): { readonly state: State; readonly body: string } {
  const { nextId } = state
  if (!isInt64(nextId)) throw new FullError('No ids left: the last int64 has been given out')
  const id = normalizeInt64(nextId)
  const body = toPetText(toPet(id, fields))
  // A literal, since copying by spreading took a tenth of a create (arm64, Node 20).
  const { origin, loaded, faults, lastFaultId, choices, latency, clock, random, calls } = state
  const catalogue = putPet(state.catalogue, id, body, fields.status)
  const next = { origin, loaded, catalogue, nextId: nextId + 1n, faults, lastFaultId, choices, latency, clock, random, calls }
  return { state: next, body }
}

/** The state with an animal under its own id, new or not. Ids that are given out later are above it. */
export function setPet(state: State, pet: Pet): State {
  const id = normalizeInt64(pet.id)
  return setPetText(state, id, toPetText({ ...pet, id }))
}

export function setPetText(state: State, id: Int64, text: string | undefined): State {
  const isAbove = text !== undefined && BigInt(id) >= state.nextId
  return { ...state, catalogue: restorePet(state.catalogue, id, text), nextId: isAbove ? BigInt(id) + 1n : state.nextId }
}

export function countCall(state: State, target: string): { readonly state: State; readonly nth: number } {
  const nth = (findIn(state.calls, target) ?? 0) + 1
  const calls = nth === 1 && state.calls.size === MAX_TARGETS ? emptyList<string, number>() : state.calls
  return { state: { ...state, calls: putIn(calls, target, nth) }, nth }
}

/** The same state to go on from: it keeps nothing of the states after it in memory. */
export function comeBack(state: State): State {
  return { ...state, catalogue: trimCatalogue(state.catalogue) }
}

/** A state without its origin and animals: a scenario, and what a scenario does not say. */
export interface SavedState {
  readonly scenario: ReadScenario
  readonly lastFaultId?: number
  readonly wasTurned?: boolean
}

export function saveState(state: State, times: Times): Required<SavedState> {
  const { lastFaultId, clock } = state
  return { scenario: describeState(state, readClock(clock, times)), lastFaultId, wasTurned: clock.wasTurned }
}

/** The animals that were saved are those of `catalogue`; by default the scenario has them, and shares what it can with the origin. */
export function resumeState(saved: SavedState, origin: Origin, times: Times, catalogue?: Catalogue): State {
  const read = createOrigin(saved.scenario)
  const state = begin(read, times)
  const { lastFaultId = 0, wasTurned = toJson(read.clock) !== toJson(origin.clock) } = saved
  return {
    ...state,
    origin,
    catalogue: catalogue ?? mergeCatalogues(origin.catalogue, read.catalogue),
    lastFaultId: Math.max(lastFaultId, state.lastFaultId),
    clock: { ...state.clock, wasTurned },
  }
}

/** What a state of this origin is compared with: another state of the same origin, or what it started from. */
export function baseOf(origin: Origin, other: State | undefined): State | Origin {
  return other?.origin === origin ? other : origin
}

export function describeState(state: State, now: number): ReadScenario {
  return describeParts(state, describeClock(state.clock, now))
}

export function printOrigin(origin: Origin): string {
  return printScenario(origin, { ...describeParts(origin, origin.clock), description: origin.description })
}

function describeParts(parts: Omit<State, 'origin' | 'clock'>, clock: ClockSetting): ReadScenario {
  const { loaded, nextId, choices, latency, random, faults, calls } = parts
  const { name, surprise, calibrated, apiKeys } = loaded
  const counts = calls.size === 0 ? {} : { calls: Object.fromEntries(entriesOf(calls)) }
  return {
    name,
    nextId: normalizeInt64(nextId),
    ...(surprise && { surprise: { ...surprise, ...counts } }),
    ...(calibrated && { calibrated }),
    ...(apiKeys.size > 0 && { apiKeys: [...apiKeys] }),
    ...clock,
    assume: { ...choices },
    ...(latency !== undefined && { latency }),
    faults: faults.map(showFault),
    random,
  }
}

/** The state as a scenario; loading it restores the state. */
export function toScenario(state: State, now: number): ReadScenario {
  const { name, ...rest } = describeState(state, now)
  return { ...(name !== undefined && { name }), pets: sliceList(state.catalogue.all).map(parsePetText), ...rest }
}

/** The JSON of that scenario. The animals are texts already. */
export function printScenario({ catalogue }: Pick<State, 'catalogue'>, { name, ...rest }: ReadScenario): string {
  const head = toJson({ name })
  return `${head.slice(0, -1)},"pets":[${sliceList(catalogue.all).join(',')}],${toJson(rest).slice(1)}`
}
