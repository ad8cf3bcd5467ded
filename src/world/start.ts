// What a world starts from: a scenario as a value, and the indexed form that any number of worlds can start from.
import { freezeCopy, withoutUndefined } from '../contract/describe-value.ts'
import { parsePetText } from '../contract/pet.ts'
import { type AssumptionChoices, assumptions, type Int64, type Pet } from '../generated/contract.ts'
import type { Surprise } from '../surprise/setting.ts'
import { surpriseState } from '../surprise/state.ts'
import { createShelf, type Shelf } from './catalogue.ts'
import type { ClockSetting } from './clock.ts'
import type { Delay, DelayMs, Fault, TimedFault } from './faults.ts'

/** What a tester can set in a state; src/settings/ has a row for each. */
export interface Settings {
  /** Only these API keys are valid. By default any well-formed key is, except `invalid`. */
  readonly apiKeys?: readonly string[]
  /** Where the clock starts: `2030-12-06` or `2030-12-06T08:30:00Z`. By default the current time. */
  readonly now?: string
  /** Whether the clock stands still; false by default. */
  readonly frozen?: boolean
  /** Choices for what the API leaves open; a question that is not listed has its default. */
  readonly assume?: Partial<AssumptionChoices>
  /** Deliberate misbehaviour, in the order in which it is tried; none by default. */
  readonly faults?: readonly Fault[]
  /** Delays every response of the service: `200` milliseconds, `1.5s`, or a time between two as in `200-800`. None by default. */
  readonly latency?: Delay
  /** Answers within the spec, but unusually; a new mock has none by default, and a load keeps the current setting. */
  readonly surprise?: Surprise
}

/** A whole state as plain data: what the mock starts from. */
export interface Scenario extends Settings {
  /** What it is called; by default the name of its file, or `unnamed`. */
  readonly name?: string
  /** One sentence about it. */
  readonly description?: string
  /** The animals, in any order; they were created in the order of their ids. One without an id gets the lowest that is free. */
  readonly pets?: readonly (Omit<Pet, 'id'> & { readonly id?: Int64 })[]
  /** The id of the next animal; by default one above the highest. */
  readonly nextId?: Int64
  /** How many of the animals, the last ones, were generated. Surprises change only those; 0 by default. */
  readonly generated?: number
  /** Where the random generator stands, which decides the `rate` and the range of faults; 0 by default. */
  readonly random?: number
  /** What `calibrate` saw of the real service: when, where, which choices it showed, and what deviates from the spec. */
  readonly calibrated?: {
    /** When it asked. */
    readonly on: string
    /** The host that it asked. */
    readonly against: string
    /** The choices that the service showed. */
    readonly choices: Partial<AssumptionChoices>
    /** Responses and questions in which the service deviates from the spec. */
    readonly deviations?: readonly string[]
  }
}

/** A scenario in which every animal has its id, and every delay is in milliseconds: what `state()` returns. */
export interface State extends Scenario {
  /** The animals, in the order of their ids. */
  readonly pets?: readonly Pet[]
  /** The faults, in the order in which they are tried. */
  readonly faults?: readonly TimedFault[]
  /** The delay of every response in milliseconds, or the shortest and the longest. */
  readonly latency?: DelayMs
}

/** A scenario that has been checked and indexed. */
export interface Start {
  readonly name: string
  readonly description: string
  readonly shelf: Shelf
  readonly nextId: bigint
  readonly apiKeys: readonly string[]
  readonly clock: ClockSetting
  readonly choices: AssumptionChoices
  readonly faults: readonly TimedFault[]
  readonly latency: DelayMs | undefined
  readonly random: number
  readonly surprise?: Surprise
  readonly calibrated?: NonNullable<Scenario['calibrated']>
}

const defaultChoices = Object.fromEntries(assumptions.map(({ id, default: choice }) => [id, choice])) as unknown as AssumptionChoices

/** The start of a scenario that has been checked; it shares nothing with the scenario that could be changed later. */
export function createStart(given: State): Start {
  const scenario = surpriseState(given)
  const pets = inIdOrder(scenario.pets ?? [])
  const { name = 'unnamed', description = '', apiKeys = [] } = scenario
  return {
    name,
    description,
    shelf: createShelf(pets),
    nextId: BigInt(scenario.nextId ?? BigInt(pets.at(-1)?.id ?? 0) + 1n),
    apiKeys: [...apiKeys],
    clock: {
      ...(scenario.now === undefined ? {} : { now: scenario.now }),
      ...(scenario.frozen === undefined ? {} : { frozen: scenario.frozen }),
    },
    choices: toChoices(scenario),
    faults: freezeCopy(scenario.faults ?? []),
    latency: scenario.latency === undefined ? undefined : freezeCopy(scenario.latency),
    random: scenario.random ?? 0,
    ...(scenario.surprise && { surprise: freezeCopy(scenario.surprise) }),
    ...(scenario.calibrated && { calibrated: freezeCopy(scenario.calibrated) }),
  }
}

/** The scenario that gives the start again. */
export function toBaseScenario({ shelf, description, ...start }: Start): State {
  return { ...toSettings(start), description, pets: shelf.texts.map(parsePetText) }
}

/** The same without what only the scenario has: its animals, and a description that need not be true of what became of it. */
export function toSettings({ name, nextId, clock, choices, latency, ...rest }: Omit<Start, 'shelf' | 'description'>) {
  return {
    name,
    nextId,
    ...(rest.surprise && { surprise: rest.surprise }),
    ...(rest.calibrated && { calibrated: rest.calibrated }),
    ...(rest.apiKeys.length === 0 ? {} : { apiKeys: [...rest.apiKeys] }),
    ...clock,
    assume: { ...choices },
    ...(latency === undefined ? {} : { latency }),
    faults: rest.faults,
    random: rest.random,
  }
}

/** Listing keys answers `valid-keys`, so it chooses `listed`, unless the scenario makes that choice itself. */
function toChoices({ assume = {}, apiKeys }: Scenario): AssumptionChoices {
  return { ...defaultChoices, ...(apiKeys && { 'valid-keys': 'listed' }), ...withoutUndefined(assume) }
}

function inIdOrder(pets: readonly Pet[]): readonly Pet[] {
  const isAscending = pets.every((pet, index) => index === 0 || (pets[index - 1] as Pet).id < pet.id)
  return isAscending ? pets : pets.toSorted((left, right) => (left.id < right.id ? -1 : 1))
}
