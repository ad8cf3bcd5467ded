// The options of createMock: what each may be, and how they override the scenario that the mock starts from.
import { isObject, withoutUndefined } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { defaultScenario } from '../generated/default-scenario.ts'
import { findScenarioProblems, throwProblems } from '../scenario/check.ts'
import { documentSchema, explainMistake, toState } from '../scenario/document.ts'
import { settingNames } from '../settings/rows.ts'
import { createStart, type Scenario, type Start, type State } from '../world/start.ts'
import type { StateStorage } from './keep-state.ts'
import { BOOLEAN, CHECKED_LATER, matching, type OptionRule, type OptionRules, objectLike, readOptions } from './options.ts'

/** The fields of the scenario that an option can replace. */
const SCENARIO_OPTIONS = ['pets', ...settingNames] as const
type ScenarioOption = (typeof SCENARIO_OPTIONS)[number]

/** How a mock starts. Options override the scenario; `faults` come before its own, and `assume` changes the choices that it names. */
export interface MockOptions extends Pick<Scenario, ScenarioOption> {
  /**
   * The scenario to start from; by default eighteen animals of every status.
   *
   * @example
   * createMock({ scenario: scenarios['sold-out'] })
   */
  readonly scenario?: Scenario
  /** Whether every API key gets a sandbox, its own state; false by default. */
  readonly sandbox?: boolean
  /** How many requests the request log keeps, as in `{ entries: 50 }`: 1,000 by default, at most 100,000; with 0 none. */
  readonly requestLog?: { readonly entries?: number }
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

export const mockRules: OptionRules<MockOptions> = {
  scenario: { ...objectLike('scenarios.default'), explain: explainMistake },
  // Checked with the scenario.
  ...(Object.fromEntries(SCENARIO_OPTIONS.map((name) => [name, CHECKED_LATER])) as Record<ScenarioOption, OptionRule>),
  sandbox: BOOLEAN,
  requestLog: matching('requestLog', {
    type: 'object',
    additionalProperties: false,
    properties: { entries: { type: 'integer', minimum: 0, maximum: 100_000 } },
  }),
  storage: {
    expected: 'a storage such as sessionStorage',
    fits: (value) => isObject(value) && typeof value.getItem === 'function' && typeof value.setItem === 'function',
  },
  corsOrigins: matching('corsOrigins', {
    type: 'array',
    items: {
      type: 'string',
      pattern: '^(?:[*]|[a-z][a-z0-9+.\\-]*:\\/\\/[^\\s\\/?#A-Z]+)$',
      title: 'an origin such as "https://app.example.com" (no path, in lower case), or "*"',
    },
  }),
}

/** The options as a plain copy, if all of them are right. A caller with further options passes their rules. */
export function readMockOptions<Options extends Omit<MockOptions, 'scenario'> = MockOptions>(
  given: unknown,
  caller = 'createMock',
  rules: OptionRules<Options> = mockRules as OptionRules<Options>,
): Options {
  const options = readOptions<Options>(caller, rules, given, (name) =>
    Object.hasOwn(documentSchema.properties ?? {}, name) ? `it belongs in a scenario: ${caller}({ scenario: { … } })` : undefined,
  )
  if (options.storage && options.sandbox) throw new UsageError(`${caller}: storage and sandbox cannot be combined; one state is kept`)
  return options
}

/** What the states of a mock start from. */
export function toStart(options: MockOptions): Start {
  return createStart(checkScenario(options))
}

/** The scenario that the options make of theirs, checked. */
export function checkScenario(options: MockOptions): State {
  // By themselves first: a fault of the options has another place in the whole.
  throwProblems(findScenarioProblems(pickChanges(options)))
  const changed = toScenario(options)
  throwProblems(findScenarioProblems(changed))
  return toState(changed)
}

/** The scenario that the options make of the one they name. */
export function toScenario(options: MockOptions): Scenario {
  // Own fields only: an inherited one counts as absent.
  const whole: Scenario = { ...(options.scenario ?? defaultScenario) }
  const { nextId, generated, ...others } = whole
  const changes = pickChanges(options)
  const { pets, apiKeys, assume, faults } = changes
  // Other animals bring their own ids, so the scenario's next one need not hold for them.
  const base = pets ? others : whole
  return {
    ...base,
    ...changes,
    // Naming keys answers `valid-keys`, also over a snapshot, which spells every choice out.
    ...((assume || apiKeys) && {
      assume: { ...base.assume, ...(apiKeys && { 'valid-keys': 'listed' }), ...(assume && withoutUndefined(assume)) },
    }),
    ...(faults && { faults: [...faults, ...(base.faults ?? [])] }),
  }
}

/** The options that replace fields of the scenario. */
function pickChanges(options: MockOptions): Scenario {
  return withoutUndefined(Object.fromEntries(SCENARIO_OPTIONS.map((name) => [name, options[name]])))
}
