// The options that several kits share: how long matchers wait, which requests fail a test, and what a test starts from.
import { integerBetween, type OptionRules, oneOf } from '../contract/options.ts'
import { list } from '../contract/schema.ts'
import { contract } from '../generated/contract.ts'
import { type MockOptions, mockRules } from '../mock/mock-options.ts'
import type { JournalEntry } from '../world/journal-entry.ts'

/** What `failOn` can name. */
export type Misstep = 'unknown-path' | 'deprecated' | 'bad-request'

export interface ReportOptions {
  /** How long matchers wait for a request, in milliseconds; 1,000 by default. */
  readonly timeout?: number
  /**
   * Fails a test that sends such a request: to an unknown path or with a method that it does not have, for a deprecated operation, or an
   * invalid one. None by default.
   */
  readonly failOn?: readonly Misstep[]
}

/** The situation of a test or a story; in Storybook `parameters.store` of a story, of its component or of the whole preview. */
export type StoreParameters = Pick<MockOptions, 'scenario' | 'faults' | 'now'>

export const DEFAULT_TIMEOUT_MS = 1_000
const MAX_TIMEOUT_MS = 60_000

export const MISSTEPS: Readonly<Record<Misstep, (entry: JournalEntry) => boolean>> = {
  'unknown-path': ({ operation, method }) => operation === null && method !== 'OPTIONS',
  deprecated: ({ operation }) => operation !== null && contract.operations[operation].deprecated,
  // The statuses of a request that is not as the contract has it; a deliberate fault is no fault of the request's.
  'bad-request': ({ operation, status, faults }) => operation !== null && [400, 413, 415].includes(status) && faults.length === 0,
}
export const reportRules: OptionRules<ReportOptions> = {
  timeout: integerBetween(0, MAX_TIMEOUT_MS),
  failOn: {
    expected: `a list of ${list(Object.keys(MISSTEPS), 'or')}`,
    fits: (value) => Array.isArray(value) && [...value].every((one) => Object.hasOwn(MISSTEPS, one)),
  },
}
export const interceptRule = oneOf(['msw', 'fetch'])
export const parameterRules: OptionRules<StoreParameters> = { scenario: mockRules.scenario, faults: mockRules.faults, now: mockRules.now }
