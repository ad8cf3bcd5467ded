// The options of a store for a test suite: those of createMock and of the handlers, and the kit's own.

import { isObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { type OptionRules, oneOf } from '../contract/options.ts'
import { type BaseUrl, parseBaseUrl } from '../mock/base-address.ts'
import { baseUrlRules } from '../mock/fetch.ts'
import { type MockOptions, mockRules, readMockOptions } from '../mock/mock-options.ts'
import { interceptRule, type ReportOptions, reportRules } from './kit-options.ts'

/** MSW's server, of any version. */
export interface MswServer {
  readonly events: object
  use(...handlers: never[]): void
  listHandlers(): readonly unknown[]
}

/** Requests go to the mock until it is stopped. */
export interface Interception {
  /** Back to the start, before each test. */
  reset?(): void
  use?(...handlers: never[]): void
  stop(): void
}

/** How a store is made: the options of `createMock`, and these. */
export interface StoreOptions extends MockOptions, ReportOptions {
  /**
   * The address or addresses that the app calls, version segment included: `https://api.example.com/v1`. By default the paths of the
   * API on any origin.
   */
  readonly baseUrl?: BaseUrl
  /** Your own MSW server, to add the handlers to; starting, resetting and closing it stays with you. By default the store has one. */
  readonly server?: MswServer
  /** How requests are intercepted: by `msw`, the default, or by replacing the global `fetch` for `baseUrl` only, without MSW. */
  readonly intercept?: 'msw' | 'fetch'
  /** What MSW does about requests that nothing answers: paths that the API does not have, and other origins. `error` by default. */
  readonly onUnhandledRequest?: 'error' | 'warn' | 'bypass'
}

const DOOR = 'mockStore'
const rules: OptionRules<StoreOptions> = {
  ...mockRules,
  ...reportRules,
  ...baseUrlRules,
  server: { expected: "a server from MSW's setupServer", fits: (value) => isObject(value) && typeof value.listHandlers === 'function' },
  intercept: interceptRule,
  onUnhandledRequest: oneOf(['error', 'warn', 'bypass']),
}

/** The options as a plain copy, if all of them are right and go together. */
export function readStoreOptions(given: StoreOptions): StoreOptions {
  const options = readMockOptions<StoreOptions>(given, DOOR, rules)
  const { baseUrl, server, intercept, onUnhandledRequest, journal } = options
  parseBaseUrl(baseUrl)
  const isFetch = intercept === 'fetch'
  const ownServer = onUnhandledRequest && "onUnhandledRequest is for the kit's own MSW server"
  const problems = [
    isFetch && server && 'server is for MSW; leave it out with intercept: "fetch"',
    ownServer && server && `${ownServer}; pass it to server.listen()`,
    ownServer && isFetch && `${ownServer}; leave it out with intercept: "fetch"`,
    journal?.entries === 0 && 'journal.entries must be at least 1, since matchers read the journal',
  ].filter((one) => typeof one === 'string')
  if (problems.length > 0) throw new UsageError(problems.map((one) => `${DOOR}: ${one}`))
  return options
}
