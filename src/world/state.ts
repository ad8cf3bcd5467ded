// What the mock holds at a moment, as a value: a change makes the next state and shares what it
// leaves alone. So a row keeps the state before it, and going back is an assignment. An origin is a
// checked scenario that states start from.
import { UsageError } from '../contract/errors.ts'
import type { Int64, NewPet } from '../contract/generated/contract.ts'
import { increment, isInt64, toJson } from '../contract/int64-json.ts'
import { MAX_DOCUMENT_KEYS } from '../contract/limits.ts'
import { printPet } from '../contract/pet.ts'
import { type Catalogue, putPetText, setPetTextIn } from './catalogue.ts'
import { putAt, startClock, type Times } from './clock.ts'
import type { ReadScenario } from './scenario.ts'
import { emptyList, findIn, putIn } from './sorted.ts'
import { describeParts, type OriginParts, type StateParts, startParts } from './state-parts.ts'
import { surpriseScenario } from './surprise-scenario.ts'

export interface Origin extends OriginParts {
  readonly description: string
  /** Roughly its memory: that of its animals, and twice the rest as text. */
  readonly bytes: number
}

export interface State extends StateParts {
  /** What a reset goes back to. Rewind and undo bring it back with the rest. */
  readonly origin: Origin
}

/** It shares nothing with the scenario that could be changed later. */
export function createOrigin(given: ReadScenario): Origin {
  const parts = createParts(given)
  const { description = '' } = given
  const settings = toJson({ ...describeParts(parts), description })
  return { ...parts, description, bytes: parts.catalogue.bytes + 2 * settings.length }
}

/** An origin also has its size, which takes longer than all the parts. */
export function createParts(given: ReadScenario): OriginParts {
  const scenario = surpriseScenario(given)
  const pets = (scenario.pets ?? []).toSorted((left, right) => (left.id < right.id ? -1 : 1))
  return startParts({ ...scenario, pets })
}

export function beginState(origin: Origin, times: Times): State {
  const state = { ...origin, origin, clock: startClock(origin.clock, times) }
  return withAnimals(state, state.catalogue, state.nextId)
}

/** A literal, since a copy by spreading took a tenth of a create (arm64, Node 20). */
function withAnimals(state: State, catalogue: Catalogue, nextId: Int64): State {
  return {
    origin: state.origin,
    name: state.name,
    nextId,
    surprise: state.surprise,
    calls: state.calls,
    calibrated: state.calibrated,
    apiKeys: state.apiKeys,
    clock: state.clock,
    choices: state.choices,
    latency: state.latency,
    faults: state.faults,
    lastFaultId: state.lastFaultId,
    random: state.random,
    catalogue,
  }
}

export function addPet(
  state: State,
  fields: NewPet,
): { readonly state: State; readonly body: string } {
  const id = state.nextId
  if (!isInt64(id)) {
    throw new UsageError('No ids left: the last int64 has been given out', 507)
  }
  const body = printPet(id, fields)
  const catalogue = putPetText(state.catalogue, id, body, fields.status)
  return { state: withAnimals(state, catalogue, increment(id)), body }
}

/**
 * The state with an animal under its own id, new or not, or without it. Ids that are given out
 * later are above it.
 */
export function setPetText(state: State, id: Int64, text: string | undefined): State {
  const catalogue = setPetTextIn(state.catalogue, id, text)
  const isAbove = text !== undefined && id >= state.nextId
  const nextId = isAbove ? increment(id) : state.nextId
  return withAnimals(state, catalogue, nextId)
}

export function countCall(
  state: State,
  target: string,
): { readonly state: State; readonly nth: number } {
  const nth = (findIn(state.calls, target) ?? 0) + 1
  // With more keys a snapshot could not be read.
  const isFull = nth === 1 && state.calls.size >= MAX_DOCUMENT_KEYS
  const calls = isFull ? emptyList<string, number>() : state.calls
  return { state: { ...state, calls: putIn(calls, target, nth) }, nth }
}

/** The clock stands still at that moment, as in a recorded state. */
export function stopClock(state: State, at: number, times: Times): State {
  return {
    ...state,
    clock: putAt(at, true, times),
  }
}

/** For a state that leaves the mock: without the listed keys, so that any key is valid. */
export function withoutKeys<Parts extends Pick<StateParts, 'apiKeys' | 'choices'>>(
  parts: Parts,
): Parts {
  const { apiKeys, choices } = parts
  if (apiKeys.size === 0 && choices['valid-keys'] !== 'listed') return parts
  return { ...parts, apiKeys: new Set(), choices: { ...choices, 'valid-keys': 'any' } }
}

/** What a state of this origin is compared with: another state of it, or what it started from. */
export function baseOf(origin: Origin, other: State | undefined) {
  return other?.origin === origin ? other : origin
}
