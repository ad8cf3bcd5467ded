// The options of a store for a test suite: those of createMock and of the handlers, and the kit's own.
import { type BaseUrl, parseBaseUrl } from '../base-address.ts'
import { isObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import type { OptionRules } from '../contract/options.ts'
import { baseUrlRules } from '../fetch.ts'
import { type MockOptions, mockRules, readMockOptions } from '../mock-options.ts'
import { oneOf, type ReportOptions, reportRules } from './report-options.ts'

/** What to do about a request that nobody answers; MSW's words. */
export type UnhandledRule = 'error' | 'warn' | 'bypass'

/** MSW's server, of any version. */
export interface MswServer {
  readonly events: object
  use(...handlers: never[]): void
  listHandlers(): readonly unknown[]
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
  readonly onUnhandledRequest?: UnhandledRule
}

const DOOR = 'mockStore'
const rules: OptionRules<StoreOptions> = {
  ...mockRules,
  ...reportRules,
  ...baseUrlRules,
  server: { expected: "a server from MSW's setupServer", fits: (value) => isObject(value) && typeof value.listHandlers === 'function' },
  intercept: oneOf(['msw', 'fetch']),
  onUnhandledRequest: oneOf(['error', 'warn', 'bypass']),
}

/** The options as a plain copy, if all of them are right and go together. */
export function readStoreOptions(given: StoreOptions): StoreOptions {
  const options = readMockOptions<StoreOptions>(given, DOOR, rules)
  const { baseUrl, server, intercept, onUnhandledRequest, journal } = options
  if (baseUrl !== undefined) parseBaseUrl(baseUrl)
  if (intercept === 'fetch' && server) throw new UsageError(`${DOOR}: server is for MSW; leave it out with intercept: "fetch"`)
  if (onUnhandledRequest !== undefined && (server || intercept === 'fetch')) {
    throw new UsageError(
      `${DOOR}: onUnhandledRequest is for the kit's own MSW server; ${server ? 'pass it to server.listen()' : 'leave it out with intercept: "fetch"'}`,
    )
  }
  if (journal?.entries === 0) throw new UsageError(`${DOOR}: journal.entries must be at least 1, since matchers read the journal`)
  return options
}
