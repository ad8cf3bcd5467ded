// The options of createMock: what each may be, and how they override the scenario that the mock starts from.
import { describeValue, isObject, isPlainObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import type { AssumptionChoices, Pet } from '../generated/contract.ts'
import { defaultScenario } from '../generated/default-scenario.ts'
import { findScenarioProblems, isChecked, markChecked, throwProblems } from '../scenario/check.ts'
import { explainMistake, withIds } from '../scenario/document.ts'
import type { Surprise } from '../surprise/setting.ts'
import type { Delay, Fault } from '../world/faults.ts'
import { createSituation, type Scenario, type Situation } from '../world/situation.ts'
import type { StateStorage } from './keep-state.ts'
import { BOOLEAN, integerBetween, listOf, type OptionRules, objectLike, readOptions, stringLike } from './options.ts'

/** How a mock starts. Options override the scenario. */
export interface MockOptions {
  /**
   * The scenario to start from; by default eighteen animals of every status.
   *
   * @example
   * createMock({ scenario: scenarios['sold-out'] })
   */
  readonly scenario?: Scenario
  /** The animals, instead of the scenario's. */
  readonly pets?: readonly Pet[]
  /** Only these API keys are valid. By default any well-formed key is, except `invalid`. */
  readonly apiKeys?: readonly string[]
  /** Where the mock's clock starts: `2030-12-06` or `2030-12-06T08:30:00Z`. By default the current time. */
  readonly now?: string
  /** Whether the clock stands still; false by default. */
  readonly frozen?: boolean
  /**
   * Choices for what the API leaves open; the defaults are listed by `control.assumptions()`.
   *
   * @example
   * createMock({ assume: { 'invalid-query': 'clamp' } })
   */
  readonly assume?: Readonly<Partial<AssumptionChoices>>
  /** Deliberate misbehaviour, tried before the scenario's own; none by default. */
  readonly faults?: readonly Fault[]
  /** Delays every response by this many milliseconds, or by a time between two; 0 by default, at most 60,000. */
  readonly latency?: Delay
  /** Answers within the spec, but unusually. Scenarios that are loaded later keep it, unless they have their own; none by default. */
  readonly surprise?: Surprise
  /** Whether every API key gets a sandbox, its own state; false by default. */
  readonly sandbox?: boolean
  /** How many requests the journal keeps: 1,000 by default, at most 100,000; 0 keeps none. */
  readonly journal?: { readonly entries?: number }
  /**
   * Where the state is kept, so that it survives a reload of the page; nowhere by default. Excludes `sandbox`.
   *
   * @example
   * createMock({ storage: sessionStorage })
   */
  readonly storage?: StateStorage
  /** Origins whose pages may read responses, besides loopback ones; `*` allows all. None by default. */
  readonly corsOrigins?: readonly string[]
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#A-Z]+$/
/** Fields of a scenario that are not options of the mock. */
const SCENARIO_FIELDS = ['name', 'description', 'nextId', 'random', 'calibrated', 'extends', 'generate', '$schema']
/** Options that replace fields of the scenario. */
const CHANGING_OPTIONS = ['pets', 'apiKeys', 'now', 'frozen', 'assume', 'faults', 'latency', 'surprise'] as const

export const mockRules: OptionRules<MockOptions> = {
  scenario: {
    expected: 'an object such as scenarios.default',
    fits: (value) => isPlainObject(value) && explainMistake(value) === undefined,
    explain: explainMistake,
  },
  pets: listOf('animals'),
  apiKeys: listOf('API keys'),
  now: stringLike('2030-12-06'),
  frozen: BOOLEAN,
  assume: objectLike('{ "invalid-query": "clamp" }'),
  faults: listOf('faults'),
  latency: {
    expected: 'milliseconds such as 200, or the shortest and the longest such as [20, 80]',
    fits: (value) => typeof value === 'number' || Array.isArray(value),
  },
  surprise: objectLike('{ seed: 7 }'),
  sandbox: BOOLEAN,
  journal: objectLike('{ entries: 500 }'),
  storage: {
    expected: 'a storage such as sessionStorage',
    fits: (value) => isObject(value) && typeof value.getItem === 'function' && typeof value.setItem === 'function',
  },
  corsOrigins: {
    expected: 'a list of origins such as "https://app.example.com", or ["*"]',
    fits: (value) => Array.isArray(value) && [...value].every((one) => one === '*' || (typeof one === 'string' && ORIGIN.test(one))),
    explain: (value) => (Array.isArray(value) ? explainOrigin(value) : undefined),
  },
}
const journalRules: OptionRules<NonNullable<MockOptions['journal']>> = { entries: integerBetween(0, 100_000) }

/** The options as a plain copy, if all of them are right. A caller with further options passes their rules. */
export function readMockOptions<Options extends Omit<MockOptions, 'scenario'> = MockOptions>(
  given: unknown,
  caller = 'createMock',
  rules: OptionRules<Options> = mockRules as OptionRules<Options>,
): Options {
  const options = readOptions<Options>(caller, rules, given, (name) =>
    SCENARIO_FIELDS.includes(name) ? `it belongs in a scenario: ${caller}({ scenario: { … } })` : undefined,
  )
  if (options.storage && options.sandbox) throw new UsageError(`${caller}: storage and sandbox cannot be combined; one state is kept`)
  return options.journal ? { ...options, journal: readOptions(`${caller}: journal`, journalRules, options.journal) } : options
}

/** What the states of a mock start from. */
export function toSituation(options: MockOptions): Situation {
  return createSituation(checkScenario(options))
}

/** The scenario that the options make of theirs, checked. Of a scenario that was checked when it was read, only the changes are checked. */
export function checkScenario(options: MockOptions): Scenario {
  const { scenario = defaultScenario } = options
  const changed = toScenario(options)
  const changes = CHANGING_OPTIONS.filter((name) => options[name] !== undefined).map((name) => [name, changed[name]])
  const isTrusted = scenario === defaultScenario || isChecked(scenario)
  throwProblems(findScenarioProblems(isTrusted ? Object.fromEntries(changes) : changed))
  return markChecked(withIds(changed))
}

/** The scenario that the options make of the one they name. */
export function toScenario(options: MockOptions): Scenario {
  const { scenario = defaultScenario, pets, apiKeys, now, frozen, assume, faults, latency, surprise } = options
  // Own fields only: an inherited one counts as absent.
  const { nextId, ...base }: Scenario = { ...scenario }
  return {
    ...base,
    // Other animals bring their own ids, so the scenario's next one need not hold for them.
    ...(pets ? { pets } : nextId === undefined ? {} : { nextId }),
    ...(apiKeys ? { apiKeys } : {}),
    ...(now === undefined ? {} : { now }),
    ...(frozen === undefined ? {} : { frozen }),
    // Naming keys answers `valid-keys`, also over a snapshot, which spells every choice out.
    ...(assume || apiKeys
      ? { assume: { ...base.assume, ...(apiKeys ? { 'valid-keys': 'listed' } : {}), ...withoutUndefined(assume ?? {}) } }
      : {}),
    ...(latency === undefined ? {} : { latency }),
    ...(surprise ? { surprise } : {}),
    ...(faults ? { faults: [...faults, ...(base.faults ?? [])] } : {}),
  }
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

function explainOrigin(origins: readonly unknown[]): string | undefined {
  const wrong = origins.find((one) => one !== '*' && !(typeof one === 'string' && ORIGIN.test(one)))
  return `corsOrigins must be origins such as "https://app.example.com" (no path, in lower case), or "*"; got ${describeValue(wrong)}`
}
