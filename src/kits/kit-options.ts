// The options of the kits: what each may be.
import { isPlainObject } from '../contract/describe-value.ts'
import { joinWords } from '../contract/text.ts'
import type { ScenarioName } from '../generated/scenarios.ts'
import { type BaseUrl, parseBaseUrl } from '../mock/base-address.ts'
import { baseUrlRules } from '../mock/fetch.ts'
import { checkScenario, type MockOptions, mockRules, readMockOptions } from '../mock/mock-options.ts'
import { type OptionRules, oneOf } from '../mock/options.ts'
import { isReference, type ScenarioDocument } from '../scenario/document.ts'
import { resolveScenario } from '../scenario/resolve.ts'
import { parseInteger, splitList } from '../settings/flag.ts'
import type { Surprise } from '../surprise/setting.ts'
import type { Scenario } from '../world/start.ts'
import { expectedRules } from './match-request.ts'
import { MISSTEPS, type Misstep } from './watch-test.ts'

export interface ReportOptions {
  /** How long matchers wait for a request, in milliseconds; 1,000 by default. */
  readonly timeout?: number
  /** What fails a test: such a request, or a fault that the test adds and that is never applied. Nothing by default. */
  readonly failOn?: readonly Misstep[]
}

/** The state that a test or a story starts from; in Storybook `parameters.store` of a story, of its component or of the whole preview. */
export interface StoreParameters extends Pick<MockOptions, 'faults' | 'now'> {
  /** A scenario, which may use `extends` and `generate`, or the name of a shipped one; in Node also a file. */
  readonly scenario?: ScenarioDocument | ScenarioName | ScenarioFile
}

type ScenarioFile = `${string}/${string}` | `${string}.${'yaml' | 'yml' | 'json'}`

/** Which requests a store gets, and how. */
export interface InterceptionOptions {
  /** The address or addresses that the app calls, version segment included. By default the paths of the API on any origin. */
  readonly baseUrl?: BaseUrl
  /** By `msw`, or by replacing the global `fetch` for `baseUrl` only. `msw` is the default, except in Jest and in Vitest's browser mode. */
  readonly intercept?: 'msw' | 'fetch'
}

/** How a store is made: the options of `createMock`, and these. */
export interface StoreOptions extends Omit<MockOptions, 'scenario'>, ReportOptions, StoreParameters, InterceptionOptions {}

type StartOptions = Omit<StoreOptions, keyof ReportOptions | keyof InterceptionOptions>

export const reportRules: OptionRules<ReportOptions> = {
  timeout: expectedRules.timeout,
  failOn: {
    expected: `a list of ${joinWords(Object.keys(MISSTEPS), 'or')}`,
    fits: (value) => Array.isArray(value) && [...value].every((one) => Object.hasOwn(MISSTEPS, one)),
  },
}
export const interceptionRules: OptionRules<InterceptionOptions> = { ...baseUrlRules, intercept: oneOf(['msw', 'fetch']) }
export const parameterRules: OptionRules<StoreParameters> = {
  scenario: { expected: 'a scenario, a name or a file', fits: (value) => typeof value === 'string' || isPlainObject(value) },
  faults: mockRules.faults,
  now: mockRules.now,
}
const storeRules: OptionRules<StoreOptions> = { ...mockRules, ...reportRules, ...interceptionRules, ...parameterRules }

/** The options of `mockStore` as a plain copy, if all of them are right. */
export function readStoreOptions(given: StoreOptions): StoreOptions {
  const options = readMockOptions<StoreOptions>(given, 'mockStore', storeRules)
  parseBaseUrl(options.baseUrl)
  return { ...readSurprise(), ...options }
}

/** The surprise that the variables of the command line's flags ask for. In a page there is no environment. */
export function readSurprise(): Pick<MockOptions, 'surprise'> {
  const { ANIMAL_STORE_SURPRISE: seed, ANIMAL_STORE_KINDS: kinds, ANIMAL_STORE_ONLY: only } = globalThis.process?.env ?? {}
  if (!seed) return {}
  const lists = { ...(kinds && { kinds: splitList(kinds) as NonNullable<Surprise['kinds']> }), ...(only && { only: splitList(only) }) }
  return { surprise: { seed: parseInteger(seed), ...lists } }
}

/** The options as far as they are known at once: without a scenario that has to be fetched. */
export function withoutReference({ scenario, ...options }: StartOptions): MockOptions {
  return scenario === undefined || isReference(scenario) ? options : { ...options, scenario: scenario as Scenario }
}

/** What the options make of their scenario, checked; a kit that runs in Node also finds files. */
export async function readState(
  { scenario, ...options }: StartOptions,
  find: (given: unknown) => Scenario | Promise<Scenario> = resolveScenario,
) {
  return checkScenario(scenario === undefined ? options : { ...options, scenario: await find(scenario) })
}
