// The kit for Vitest: its hooks and its `expect`, nothing else.
import { afterAll, afterEach, beforeAll, beforeEach, expect, type TestContext } from 'vitest'
import { createKit, type RunningTest } from './create-kit.ts'
import { isNode } from './environment.ts'
import type { StoreMatchers } from './matchers.ts'

export type { ExpectedRequest, SandboxStore, Store, StoreMatchers, StoreOptions } from './store.ts'

declare module 'vitest' {
  // biome-ignore-start lint/suspicious: declared as in Vitest 4, and compiles with Vitest 5
  /**
   * @ts-ignore: Vitest 5 has other type parameters, and the compiler merges the declarations all
   * the same.
   */
  interface Matchers<T = any> extends StoreMatchers {}
  // biome-ignore-end lint/suspicious: as above
}

/** The part of Vitest's own state that the kit reads: the file, suite or test that it is at. */
type OwnState = { __vitest_worker__?: { current?: { result?: { state?: string } } } }

/**
 * A store for this test file: requests to it are intercepted, and everything is reset before each
 * test.
 *
 * @example
 * const store = mockStore({ baseUrl: 'https://api.example.com/v1' })
 */
export const mockStore = createKit({
  kit: 'animal-store-mock/vitest',
  // MSW's server needs Node, which Vitest's browser mode does not have.
  intercept: isNode ? 'msw' : 'fetch',
  expect,
  isRunning: () => (globalThis as OwnState).__vitest_worker__?.current?.result?.state === 'run',
  beforeAll,
  beforeEach: (run) => beforeEach((context) => run(toTest(context))),
  afterEach: (run) => afterEach((context) => run(toTest(context))),
  afterAll,
})

function toTest({ task }: TestContext): RunningTest {
  return {
    name: task.fullTestName ?? task.name,
    isConcurrent: task.concurrent ?? false,
    hasFailed: task.result?.state === 'fail',
  }
}
