// The kit for Jest: its hooks and its `expect`, nothing else. Jest tells a hook neither which test is running nor whether it failed, and
// runs no hooks around concurrent tests; both are read from the state of jest-circus, as it is in Jest 27 to 30.
// biome-ignore lint/suspicious/noTsIgnore: an error here, where Jest is not installed, and none in a project that has it
// @ts-ignore
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import { type StoreMatchers, storeMatchers } from './matchers.ts'
import { createStore, type Runner, type RunningTest, refuseConcurrency, type Store, type StoreOptions } from './store.ts'

export type { ExpectedRequest, ExpectedRequests, ExpectedStep, SandboxStore, Store, StoreMatchers, StoreOptions } from './store.ts'

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

/** A test or a describe block of jest-circus, as far as it matters here. */
interface Block {
  readonly name: string
  readonly concurrent?: boolean
  readonly errors?: readonly unknown[]
  readonly children?: readonly Block[]
}

/**
 * A store for this test file: requests to it are intercepted, and everything is reset before each test.
 *
 * @example
 * const store = mockStore({ baseUrl: 'https://api.example.com/v1' })
 */
export function mockStore(options: StoreOptions = {}): Store {
  expect.extend(storeMatchers)
  const block = readState()?.currentDescribeBlock
  const runner: Runner = {
    beforeAll: (run) =>
      beforeAll(() => {
        const concurrent = options.sandbox ? undefined : findConcurrent(block)
        if (concurrent) refuseConcurrency(concurrent.name)
        return run()
      }),
    beforeEach: (run) => beforeEach(() => run(toTest())),
    afterEach: (run) => afterEach(() => run(toTest())),
    afterAll,
  }
  return createStore(runner, options)
}

function toTest(): RunningTest {
  const errors = readState()?.currentlyRunningTest?.errors ?? []
  return { name: expect.getState().currentTestName ?? 'a test', isConcurrent: false, hasFailed: errors.length > 0 }
}

function readState(): { currentDescribeBlock?: Block; currentlyRunningTest?: Block } | undefined {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL')
  return symbol && (globalThis as never)[symbol]
}

function findConcurrent(block: Block | undefined): Block | undefined {
  return block?.concurrent ? block : block?.children?.map(findConcurrent).find((one) => one !== undefined)
}
