// The kit for Jest. Its hooks do not learn whether a test failed: the state of jest-circus in Jest
// 27 to 30 has that.
// biome-ignore lint/suspicious/noTsIgnore: an error only where Jest is not installed
// @ts-ignore
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import { findCallSite } from './call-site.ts'
import { createKit, type RunningTest } from './create-kit.ts'
import type { StoreMatchers } from './matchers.ts'

export type { ExpectedRequest, SandboxStore, Store, StoreMatchers, StoreOptions } from './store.ts'

// biome-ignore lint/suspicious/noTsIgnore: as above
// @ts-ignore
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends StoreMatchers {}
}
declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: must be declared as Jest's types declare it
    interface Matchers<R, T = {}> extends StoreMatchers {}
  }
}

/**
 * A store for this test file: requests to it are intercepted, and everything is reset before each
 * test.
 *
 * @example
 * const store = mockStore({ baseUrl: 'https://api.example.com/v1' })
 */
export const mockStore = createKit({
  kit: 'animal-store-mock/jest',
  // MSW consists in part of ES modules, which Jest does not load without further settings.
  intercept: 'fetch',
  expect,
  isRunning: () => readCircus().hasStarted === true,
  beforeAll,
  beforeEach: (run) => beforeEach(() => run(toTest())),
  afterEach: (run) => afterEach(() => run(toTest())),
  afterAll,
})

/**
 * The part of jest-circus's state that the kit reads. `asyncError` was made where the test is
 * defined.
 */
type CircusState = {
  hasStarted?: boolean
  currentlyRunningTest?: { errors?: unknown[]; asyncError?: Error } | null
}

function readCircus(): CircusState {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  )
  if (!symbol) return {}
  return (globalThis as { [symbol: symbol]: CircusState })[symbol] ?? {}
}

function toTest(): RunningTest {
  const { errors = [], asyncError } = readCircus().currentlyRunningTest ?? {}
  const name = expect.getState().currentTestName ?? 'a test'
  return {
    name,
    isConcurrent: false,
    hasFailed: errors.length > 0,
    callSite: findCallSite(asyncError?.stack),
  }
}
