// What the mock holds at a moment, as a value: a change makes the next state and shares what it
// leaves alone. So a row keeps the state before it, and going back is an assignment. An origin is a
// checked scenario that states start from.
import { UsageError } from '../contract/errors.ts'
import type { AssumptionChoices, Int64, NewPet, Pet } from '../contract/generated/contract.ts'
import { idAfter, isInt64, normalizeInt64, toJson } from '../contract/int64-json.ts'
import { MAX_DOCUMENT_KEYS } from '../contract/limits.ts'
import { parsePetText, printPet } from '../contract/pet.ts'
import { freezeCopy, sum } from '../contract/values.ts'
import { buildCatalogue, type Catalogue, putPetText, setPetTextIn, sizeOfPet } from './catalogue.ts'
import type { ClockSetting, Course, Times } from './clock.ts'
import { describeClock, parseInstant, printInstant, shiftClock, startClock } from './clock.ts'
import {
  type CountedFault,
  type DelayMs,
  type Faults,
  sizeOfFault,
  startFaults,
  type TimedFault,
} from './faults.ts'
import { type ReadScenario, type Scenario, usualChoices } from './scenario.ts'
import {
  buildList,
  emptyList,
  entriesOf,
  findIn,
  lastKey,
  putIn,
  type Sorted,
  sliceList,
} from './sorted.ts'
import { draw, type Surprise } from './surprise.ts'
import { surprisePet } from './surprise-pet.ts'

interface Loaded {
  readonly name: string
  readonly apiKeys: ReadonlySet<string>
  readonly surprise: Surprise | undefined
  readonly calibrated: Scenario['calibrated']
}

export interface Origin extends Faults {
  readonly loaded: Loaded
  readonly description: string
  readonly catalogue: Catalogue
  /** One above the highest int64 once there is none left. */
  readonly nextId: bigint
  /**
   * A setting, not a running clock: it begins when the scenario is loaded, and again at each reset.
   */
  readonly clock: ClockSetting
  readonly choices: Readonly<AssumptionChoices>
  readonly latency: DelayMs | null
  readonly random: number
  /**
   * How often each target such as `listPets?status=sold` was called, which decides the surprises of
   * a response.
   */
  readonly calls: Sorted<string, number>
  readonly bytes: number
}

/** The first draws from it hit a fault's rate about as often as later ones. */
const FIRST_RANDOM = 76

export interface State extends Omit<Origin, 'description' | 'clock' | 'bytes'> {
  /** What a reset goes back to. Rewind and undo bring it back with the rest. */
  readonly origin: Origin
  readonly clock: Course
}

/** Odd ids from here on lose digits in a JavaScript number. */
const BIG = 2n ** 60n

/**
 * Surprises change generated animals and the ids that the service assigns, but nothing that a
 * tester wrote.
 */
function surpriseState(scenario: ReadScenario): ReadScenario {
  const { surprise, nextId, generated = 0, faults = [], pets: given = [] } = scenario
  if (!surprise) return scenario
  const writtenCount = given.length - generated
  const pets = given.map((pet, index) =>
    index < writtenCount ? pet : surprisePet(pet, given[index - 1], surprise),
  )
  const isSet = nextId !== undefined || pets.some(({ id }) => id >= BIG)
  if (isSet || !draw(surprise, 'big-ids')) return { ...scenario, pets }
  // A fault can name the id of an animal.
  const keepsIds = writtenCount === pets.length || faults.some(({ petId }) => petId !== undefined)
  if (keepsIds) return { ...scenario, pets, nextId: BIG + 1n }
  const enlarge = (pet: Pet) => ({ ...pet, id: BIG + 2n * BigInt(pet.id) + 1n })
  return {
    ...scenario,
    pets: pets.map((pet, index) => (index < writtenCount ? pet : enlarge(pet))),
  }
}

/** It shares nothing with the scenario that could be changed later. */
export function createOrigin(given: ReadScenario): Origin {
  const scenario = surpriseState(given)
  const pets = (scenario.pets ?? []).toSorted((left, right) => (left.id < right.id ? -1 : 1))
  const {
    name = 'unnamed',
    description = '',
    apiKeys = [],
    now,
    frozen,
    latency,
    random = FIRST_RANDOM,
  } = scenario
  const { calls = {}, ...setting } = scenario.surprise || {}
  const surprise = 'seed' in setting ? freezeCopy(setting) : undefined
  const calibrated = scenario.calibrated && freezeCopy(scenario.calibrated)
  const targets = Object.keys(calls).sort()
  const counts = targets.map((target) => calls[target] as number)
  const catalogue = buildCatalogue(pets)
  const faults = startFaults((scenario.faults ?? []).map(freezeCopy))
  return {
    loaded: { name, apiKeys: new Set(apiKeys), surprise, calibrated },
    description,
    catalogue,
    nextId: BigInt(scenario.nextId ?? idAfter(pets.at(-1)?.id)),
    clock: {
      ...(now && { now: printInstant(parseInstant(now)) }),
      ...(frozen !== undefined && { frozen }),
    },
    choices: { ...usualChoices(apiKeys.length > 0), ...scenario.assume },
    ...faults,
    latency: latency ? freezeCopy(latency) : null,
    random,
    calls: buildList(targets, counts),
    bytes:
      sum(sliceList(catalogue.all).map(sizeOfPet)) +
      sum(faults.faults.map(({ fault }) => sizeOfFault(fault))),
  }
}

/** What a past moment adds to a scenario: its clock stands still. */
export const momentOf = (at: number, description: string) => ({
  description,
  now: printInstant(at),
  frozen: true,
})

export function beginState(origin: Origin, times: Times): State {
  const { loaded, catalogue, nextId, faults, lastFaultId, choices, latency, random, calls } = origin
  const clock = startClock(origin.clock, times)
  return {
    origin,
    loaded,
    catalogue,
    nextId,
    faults,
    lastFaultId,
    choices,
    latency,
    clock,
    random,
    calls,
  }
}

export function addPet(
  state: State,
  fields: NewPet,
): { readonly state: State; readonly body: string } {
  if (!isInt64(state.nextId))
    throw new UsageError('No ids left: the last int64 has been given out', 507)
  const id = normalizeInt64(state.nextId)
  const body = printPet(id, fields)
  const catalogue = putPetText(state.catalogue, id, body, fields.status)
  const nextId = state.nextId + 1n
  // A literal, since copying by spreading took a tenth of a create (arm64, Node 20).
  const { origin, loaded, faults, lastFaultId, choices, latency, clock, random, calls } = state
  const next = {
    origin,
    loaded,
    catalogue,
    nextId,
    faults,
    lastFaultId,
    choices,
    latency,
    clock,
    random,
    calls,
  }
  return { state: next, body }
}

/**
 * The state with an animal under its own id, new or not, or without it. Ids that are given out
 * later are above it.
 */
export function setPetText(state: State, id: Int64, text: string | undefined): State {
  const catalogue = setPetTextIn(state.catalogue, id, text)
  const isAbove = text !== undefined && BigInt(id) >= state.nextId
  return { ...state, catalogue, nextId: isAbove ? BigInt(id) + 1n : state.nextId }
}

export function countCall(
  state: State,
  target: string,
): { readonly state: State; readonly nth: number } {
  const nth = (findIn(state.calls, target) ?? 0) + 1
  // With more keys a snapshot could not be read.
  const calls =
    nth === 1 && state.calls.size >= MAX_DOCUMENT_KEYS ? emptyList<string, number>() : state.calls
  return { state: { ...state, calls: putIn(calls, target, nth) }, nth }
}

/** For handing on: without the listed keys, so that any key is valid. */
export function withoutKeys<Parts extends Pick<State, 'loaded' | 'choices'>>(parts: Parts): Parts {
  const { loaded, choices } = parts
  if (loaded.apiKeys.size === 0 && choices['valid-keys'] !== 'listed') return parts
  return {
    ...parts,
    loaded: { ...loaded, apiKeys: new Set() },
    choices: { ...choices, 'valid-keys': 'any' },
  }
}

/** A state without its origin and animals: a scenario, and what a scenario does not say. */
export interface SavedState {
  readonly scenario: ReadScenario
  readonly lastFaultId?: number
  /** As if steady time had just begun. */
  readonly clock?: Course
}

export function saveState(state: State, times: Times): Required<SavedState> {
  const { lastFaultId, clock } = state
  return {
    scenario: describeParts(state, {}),
    lastFaultId,
    clock: shiftClock(clock, -times.steady()),
  }
}

/** The animals that were saved are those of `catalogue`; by default the scenario has them. */
export function resumeState(
  saved: SavedState,
  origin: Origin,
  times: Times,
  catalogue?: Catalogue,
): State {
  const state = beginState(createOrigin(saved.scenario), times)
  const clock = saved.clock ? shiftClock(saved.clock, times.steady()) : state.clock
  const lastFaultId = Math.max(saved.lastFaultId ?? 0, state.lastFaultId)
  return { ...state, origin, catalogue: catalogue ?? state.catalogue, lastFaultId, clock }
}

/**
 * What a state of this origin is compared with: another state of the same origin, or what it
 * started from.
 */
export const baseOf = (origin: Origin, other: State | undefined) =>
  other?.origin === origin ? other : origin

export const describeState = (state: State, now: number) =>
  describeParts(state, describeClock(state.clock, now))

export const printOrigin = (origin: Origin): string =>
  printScenario(origin, { ...describeParts(origin, origin.clock), description: origin.description })

function describeParts(parts: Omit<State, 'origin' | 'clock'>, clock: ClockSetting): ReadScenario {
  const { loaded, nextId, choices, latency, random, faults, calls } = parts
  const { name, surprise, calibrated, apiKeys } = loaded
  const counts = calls.size === 0 ? {} : { calls: Object.fromEntries(entriesOf(calls)) }
  const usual = new Map<string, string>(Object.entries(usualChoices(apiKeys.size > 0)))
  const chosen = Object.entries(choices).filter(([id, choice]) => choice !== usual.get(id))
  return {
    name,
    nextId: normalizeInt64(nextId),
    ...(surprise && { surprise: { ...surprise, ...counts } }),
    ...(calibrated && { calibrated }),
    ...(apiKeys.size > 0 && { apiKeys: [...apiKeys] }),
    ...clock,
    ...(chosen.length > 0 && { assume: Object.fromEntries(chosen) }),
    ...(latency && { latency }),
    ...(faults.length > 0 && { faults: faults.map(saveFault) }),
    ...(random !== FIRST_RANDOM && { random }),
  }
}

function saveFault({ fault, seen, applied }: CountedFault): TimedFault {
  return { ...fault, ...(seen > 0 && { seen }), ...(applied > 0 && { applied }) }
}

/**
 * Omits a next id that follows from the animals, since people may add some. With surprises, another
 * one would.
 */
function withoutNextId({ all }: Catalogue, { nextId = 0, ...rest }: ReadScenario): ReadScenario {
  return BigInt(nextId) === idAfter(lastKey(all)) && !rest.surprise ? rest : { nextId, ...rest }
}

export function toScenario(state: State, now: number): ReadScenario {
  const { name = '', ...rest } = describeState(state, now)
  const { catalogue } = state
  return {
    name,
    pets: sliceList(catalogue.all).map(parsePetText),
    ...withoutNextId(catalogue, rest),
  }
}

export function printScenario(
  { catalogue }: Pick<State, 'catalogue'>,
  { name, ...rest }: ReadScenario,
): string {
  const [head, tail] = [toJson({ name }), toJson(withoutNextId(catalogue, rest))]
  const pets = sliceList(catalogue.all).join(',')
  return `${head.slice(0, -1)},"pets":[${pets}]${tail === '{}' ? '' : ','}${tail.slice(1)}`
}
