// The options of the kits, and what each may be.
import { contract } from '../contract/generated/contract.ts'
import { type OptionSchemas, TEXT } from '../contract/options.ts'
import { isRefused } from '../control/rows/reasons.ts'
import { type BaseUrl, baseUrlSchema } from '../mock/base-address.ts'
import { mockSchemas, type OwnOptions, readMockOptions } from '../mock/mock-options.ts'
import type { ScenarioDocument } from '../scenario/document.ts'
import type { ScenarioName } from '../scenario/generated/scenarios.ts'
import { isUncounted, type RequestRow } from '../world/row.ts'
import {
  findListedKeys,
  type GivenScenario,
  type ReadScenario,
  type Scenario,
} from '../world/scenario.ts'
import { readSurpriseVariables } from './environment.ts'
import { expectedSchemas } from './match-request.ts'

export const KEY_PREFIX = 'test-'
const INVALID = [400, 413, 414, 415]
export const MISSTEPS = {
  'unknown-operation': (row) =>
    !row.operation && !isUncounted(row) && !INVALID.includes(row.status),
  deprecated: ({ operation }) => operation !== null && contract.operations[operation].deprecated,
  'bad-request': (row) => INVALID.includes(row.status) && isRefused(row),
  'unused-fault': () => false,
} satisfies Record<string, (row: RequestRow) => boolean>
export type Misstep = keyof typeof MISSTEPS
type ScenarioFile =
  | `${string}/${string}`
  | `${string}.${'yaml' | 'yml' | 'json'}`
  | `${string}.jsonl#${number}`

export interface ReportOptions {
  /** How long matchers wait for a request, in milliseconds. @default 1000 */
  readonly timeout?: number | undefined
  /** The kinds of request, or unused faults, that fail a test. @default nothing */
  readonly failOn?: readonly Misstep[] | undefined
}

/**
 * The state that a test or story starts from; in Storybook `parameters.store` of a story, component
 * or preview.
 */
export interface StoreParameters extends Scenario {
  /**
   * A scenario, which may use `extends` and `generate`; a shipped name; in Node, a file.
   * @default 'default'
   */
  readonly scenario?: ScenarioDocument | GivenScenario | ScenarioName | ScenarioFile | undefined
}

/** Which requests a store gets, and how. */
export interface InterceptionOptions {
  /**
   * The address or addresses that the app calls, version segment included. @default the API's paths
   * on any origin
   */
  readonly baseUrl?: BaseUrl | undefined
  /**
   * With MSW, or by replacing `fetch`. @default `'fetch'` in Jest and in Vitest's browser mode,
   * else `'msw'`
   */
  readonly intercept?: 'msw' | 'fetch' | undefined
}

/** How a store is made: the options of `createMock`, and these. */
export interface StoreOptions
  extends OwnOptions,
    ReportOptions,
    StoreParameters,
    InterceptionOptions {
  /**
   * In Node, a folder for recordings of tests that fail before `afterEach`.
   * @default `ANIMAL_STORE_RECORD`, if set
   */
  readonly record?: string | undefined
}

export const reportSchemas: OptionSchemas<ReportOptions> = {
  timeout: expectedSchemas.timeout,
  failOn: { type: 'array', items: { enum: Object.keys(MISSTEPS) } },
}
export const interceptionSchemas = { ...baseUrlSchema, intercept: { enum: ['msw', 'fetch'] } }
const schemas: OptionSchemas<StoreOptions> = {
  ...mockSchemas,
  ...reportSchemas,
  ...interceptionSchemas,
  record: TEXT,
}

export function readStoreOptions(given: StoreOptions): StoreOptions {
  const options = readMockOptions('mockStore', schemas, given)
  return { ...readSurpriseVariables(), ...options }
}

/** Where only listed keys are valid, the one of a test or a story is too. */
export function acceptKey(scenario: ReadScenario, key: string): ReadScenario {
  const listed = findListedKeys(scenario)
  return listed ? { ...scenario, apiKeys: [...listed, key] } : scenario
}
