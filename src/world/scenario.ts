// A scenario as a plain value: what a tester writes, and a state as data.
import {
  type AssumptionChoices,
  type AssumptionId,
  assumptions,
  type Int64,
  type NewPet,
  type Pet,
} from '../contract/generated/contract.ts'
import { isPlainObject } from '../contract/values.ts'
import type { Delay, DelayMs, Fault, TimedFault } from './faults.ts'
import type { Surprise } from './surprise.ts'

/**
 * The one key that is not valid by default, so that a client's handling of 401 can be tried without
 * any setting.
 */
export const RESERVED_KEY = 'invalid'
export const USUAL_KEY = 'any-key'

const presets = /* @__PURE__ */ Object.fromEntries(
  assumptions.map((one) => [one.id, one.default]),
) as unknown as AssumptionChoices

/** Listing keys chooses that only they are valid. */
export function usualChoices(hasKeys: boolean): AssumptionChoices {
  return hasKeys ? { ...presets, 'valid-keys': 'listed' } : { ...presets }
}

/** The only keys that are valid; undefined if any is. */
export function findListedKeys(scenario: Scenario): readonly string[] | undefined {
  const { apiKeys = [], assume } = scenario
  const choices = { ...usualChoices(apiKeys.length > 0), ...assume }
  return choices['valid-keys'] === 'listed' ? apiKeys : undefined
}

/** Choices for some questions; one that is undefined counts as absent. */
export type SomeChoices = { readonly [Id in AssumptionId]?: AssumptionChoices[Id] | undefined }

/** What a tester can set in a state; src/scenario/settings/ has a row for each. */
export interface Settings {
  /**
   * Only these API keys are valid, unless `valid-keys` is `any`. @default any well-formed key
   * except `invalid`
   */
  readonly apiKeys?: readonly string[] | undefined
  /** Where the clock starts: `2030-12-06` or `2030-12-06T08:30:00Z`. @default the current time */
  readonly now?: string | undefined
  /** Whether the clock stands still. @default false */
  readonly frozen?: boolean | undefined
  /**
   * Choices for what the API leaves open: `{ 'invalid-query': 'clamp' }`. @default each question's
   * default
   */
  readonly assume?: SomeChoices | undefined
  /** Errors, delays and other faults, in the order in which they are tried. @default none */
  readonly faults?: readonly Fault[] | undefined
  /**
   * Delays every response: `200` milliseconds, `1.5s`, or a range such as `200-800`. @default none
   */
  readonly latency?: Delay | null | undefined
  /**
   * Unusual responses within the spec; false for none. @default none in a new mock; a load keeps
   * the current one
   */
  readonly surprise?: Surprise | false | undefined
}

/** An animal to add; without an id it gets one. */
export type AddedPet = NewPet & { readonly id?: Int64 | undefined }

/**
 * A whole state as plain data: what the mock starts from, and what `state()` returns, without
 * defaults.
 */
export interface Scenario extends Settings {
  /** What it is called. @default the name of its file, or `unnamed` */
  readonly name?: string | undefined
  /** One sentence about it. @default none */
  readonly description?: string | undefined
  /** The animals, in any order. One without an `id` gets the lowest that is free. @default none */
  readonly pets?: readonly AddedPet[] | undefined
  /** The id of the next animal. @default one above the highest, or 1 */
  readonly nextId?: Int64 | undefined
  /** How many animals, at the end of the list, were generated. @default 0 */
  readonly generated?: number | undefined
  /** Where the random generator stands. @default 76 */
  readonly random?: number | undefined
  /** What `calibrate` saw of the real service. @default nothing */
  readonly calibrated?: Calibrated | undefined
}

/** What `calibrate` saw of the real service. */
export interface Calibrated {
  /** When it asked. */
  readonly on: string
  /** The host that it asked. */
  readonly against: string
  /** The choices that the service showed. */
  readonly choices: Partial<AssumptionChoices>
}

/** Over HTTP, `{"name":"sold-out"}` is the shipped scenario, not an empty one of that name. */
export function isNameAlone(scenario: unknown): scenario is { readonly name: string } {
  if (!isPlainObject(scenario) || typeof scenario.name !== 'string') return false
  return Object.keys(scenario).length === 1
}

/** Wherever a scenario is taken, the animals alone are one too. */
export type GivenScenario = Scenario | NonNullable<Scenario['pets']>

/**
 * A scenario that has been checked and read: every animal has its id, and every delay is in
 * milliseconds.
 */
export interface ReadScenario extends Scenario {
  readonly assume?: Readonly<Partial<AssumptionChoices>>
  readonly pets?: readonly Readonly<Pet>[]
  readonly faults?: readonly TimedFault[]
  readonly latency?: DelayMs | null
}
