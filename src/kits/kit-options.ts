// The options of the kits: what each may be.
import { describeValue, isPlainObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { list } from '../contract/schema.ts'
import { type BaseUrl, parseBaseUrl } from '../mock/base-address.ts'
import { baseUrlRules } from '../mock/fetch.ts'
import { type MockOptions, mockRules, readMockOptions } from '../mock/mock-options.ts'
import { type OptionRules, oneOf } from '../mock/options.ts'
import { type ScenarioName, scenarios } from '../scenarios.ts'
import type { Scenario } from '../world/start.ts'
import { expectedRules } from './match-request.ts'
import { readSurprise } from './surprise.ts'
import { MISSTEPS, type Misstep } from './watch-test.ts'

export interface ReportOptions {
  /** How long matchers wait for a request, in milliseconds; 1,000 by default. */
  readonly timeout?: number
  /** What fails a test: such a request, or a fault that the test adds and that is never applied. Nothing by default. */
  readonly failOn?: readonly Misstep[]
}

/** The state that a test or a story starts from; in Storybook `parameters.store` of a story, of its component or of the whole preview. */
export interface StoreParameters extends Pick<MockOptions, 'faults' | 'now'> {
  /** A scenario, or the name of a shipped one. */
  readonly scenario?: Scenario | ScenarioName
}

/** Which requests a store gets, and how. */
export interface InterceptionOptions {
  /** The address or addresses that the app calls, version segment included. By default the paths of the API on any origin. */
  readonly baseUrl?: BaseUrl
  /** By `msw`, or by replacing the global `fetch` for `baseUrl` only. `msw` is the default, except in Jest and in Vitest's browser mode. */
  readonly intercept?: 'msw' | 'fetch'
}

/** How a store is made: the options of `createMock`, and these. */
export interface StoreOptions extends Omit<MockOptions, 'scenario'>, ReportOptions, StoreParameters, InterceptionOptions {}

/** The same options with the scenario itself. */
export type Resolved<Options> = Omit<Options, 'scenario'> & Pick<MockOptions, 'scenario'>

export const reportRules: OptionRules<ReportOptions> = {
  timeout: expectedRules.timeout,
  failOn: {
    expected: `a list of ${list(Object.keys(MISSTEPS), 'or')}`,
    fits: (value) => Array.isArray(value) && [...value].every((one) => Object.hasOwn(MISSTEPS, one)),
  },
}
export const interceptionRules: OptionRules<InterceptionOptions> = { ...baseUrlRules, intercept: oneOf(['msw', 'fetch']) }
export const parameterRules = { scenario: mockRules.scenario, faults: mockRules.faults, now: mockRules.now }
const storeRules: OptionRules<Resolved<StoreOptions>> = { ...mockRules, ...reportRules, ...interceptionRules }

/** The options of `mockStore` as a plain copy, if all of them are right. */
export function readStoreOptions(given: StoreOptions): Resolved<StoreOptions> {
  const options = readMockOptions<Resolved<StoreOptions>>(resolveScenario('mockStore', given), 'mockStore', storeRules)
  parseBaseUrl(options.baseUrl)
  return { ...readSurprise(), ...options }
}

/** The options with the shipped scenario in place of its name. */
export function resolveScenario(caller: string, given: unknown): unknown {
  if (!isPlainObject(given) || typeof given.scenario !== 'string') return given
  const { scenario: name } = given
  if (Object.hasOwn(scenarios, name)) return { ...given, scenario: scenarios[name as ScenarioName] }
  throw new UsageError(`${caller}: scenario must be a value or ${list(Object.keys(scenarios), 'or')}, got ${describeValue(name)}`)
}
