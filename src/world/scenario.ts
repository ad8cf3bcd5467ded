// A scenario as a plain value: what a tester writes, and a state as data.
import type { AssumptionChoices, Int64, Pet } from '../generated/contract.ts'
import type { Surprise } from '../surprise.ts'
import type { Delay, DelayMs, Fault, TimedFault } from './faults.ts'

/** The one key that is never valid by default, so that a client's handling of 401 can be tried without any setting. */
export const RESERVED_KEY = 'invalid'

/** What a tester can set in a state; src/settings/ has a row for each. */
export interface Settings {
  /** Only these API keys are valid. By default any well-formed key is, except `invalid`. */
  readonly apiKeys?: readonly string[]
  /** Where the clock starts: `2030-12-06` or `2030-12-06T08:30:00Z`. By default the current time. */
  readonly now?: string
  /** Whether the clock stands still; false by default. */
  readonly frozen?: boolean
  /** Choices for what the API leaves open; a question that is not listed has its default. */
  readonly assume?: Readonly<Partial<AssumptionChoices>>
  /** Deliberate misbehaviour, in the order in which it is tried; none by default. */
  readonly faults?: readonly Fault[]
  /** Delays every response of the service: `200` milliseconds, `1.5s`, or a time between two as in `200-800`. None by default. */
  readonly latency?: Delay
  /** Answers within the spec, but unusually; a new mock has none by default, and a load keeps the current setting. */
  readonly surprise?: Surprise
}

/** A whole state as plain data: what the mock starts from, and what `state()` returns. */
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
  /** What `calibrate` saw of the real service: when, where, and which choices it showed. */
  readonly calibrated?: {
    /** When it asked. */
    readonly on: string
    /** The host that it asked. */
    readonly against: string
    /** The choices that the service showed. */
    readonly choices: Partial<AssumptionChoices>
  }
}

/** A scenario that has been checked and read: every animal has its id, and every delay is in milliseconds. */
export interface ReadScenario extends Scenario {
  readonly pets?: readonly Readonly<Pet>[]
  readonly faults?: readonly TimedFault[]
  readonly latency?: DelayMs
}
