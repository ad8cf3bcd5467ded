// A store for a test file: a mock, the interception of requests to it, and what happens around each test. Which runner it is, the two
// kits that use this file know.

import { UsageError } from '../contract/errors.ts'
import type { Control, StateControl } from '../control/control.ts'
import { addWaiting, createRequestLog } from '../control/request-log.ts'
import { contract } from '../generated/contract.ts'
import { type BaseUrl, pageAddress } from '../mock/base-address.ts'
import { createMock, type Mock } from '../mock/mock.ts'
import { toScenario } from '../mock/mock-options.ts'
import type { JournalEntry, JournalFilter } from '../world/journal-entry.ts'
import { describeJournal, describeMissteps } from './describe-request.ts'
import { DEFAULT_TIMEOUT_MS } from './kit-options.ts'
import { INSPECTION, type Inspection, type PendingMatcher } from './matchers.ts'
import { type Interception, readStoreOptions, type StoreOptions } from './store-options.ts'

export type { ExpectedRequest, ExpectedRequests, ExpectedStep, StoreMatchers } from './matchers.ts'
export type { StoreOptions } from './store-options.ts'

/** The store of one API key. */
export interface SandboxStore {
  /** The address of the API. */
  readonly url: string
  /** Everything a tester can do to it: faults, clock, journal. */
  readonly control: StateControl
  /** The requests since the test began, oldest first: all of them, or those that match the filter. */
  requests(filter?: JournalFilter): JournalEntry[]
}

/** A store for a test file, as it was at the start before each test. */
export interface Store extends SandboxStore {
  /** The mock itself. */
  readonly mock: Mock
  /** Everything a tester can do to it, sandboxes included. */
  readonly control: Control
  /** The store of one API key; needs the option `sandbox: true`. */
  sandbox(key: string): SandboxStore
  /** Adds MSW handlers that override the store's until the test ends. */
  use(...handlers: object[]): void
}

/** The test that is running. */
export interface RunningTest {
  /** With the names of the blocks that it is in. */
  readonly name: string
  readonly isConcurrent: boolean
  readonly hasFailed: boolean
}

/** The hooks of a runner. */
export type Runner = Record<'beforeAll' | 'afterAll', (run: () => Promise<void>) => void> &
  Record<'beforeEach' | 'afterEach', (run: (test: RunningTest) => void) => void>

const INACTIVE =
  'This store is not active here: its hooks belong to the file that called mockStore first. To share it between files, import it in setupFiles too'

export function createStore(runner: Runner, given: StoreOptions): Store {
  const { timeout = DEFAULT_TIMEOUT_MS, failOn = [], intercept, ...rest } = readStoreOptions(given)
  const { baseUrl, server, onUnhandledRequest, ...options } = rest
  const mock = createMock(options)
  const { control } = mock
  const start = toScenario(options)
  const url = toUrl(baseUrl)
  const hint = () => `The store answers requests to ${url}.`
  let interception: Interception | undefined
  const pending = new Set<PendingMatcher>()
  /** The requests of the test, of all worlds; a test may empty the journal, or remove a sandbox with its own. */
  const log = createRequestLog()
  control.subscribe(log.note)

  function restart(): void {
    // Not `reset`, which would go back to a scenario that a test has loaded.
    control.load(start)
    for (const key of control.sandboxes()) control.removeSandbox(key)
    interception?.reset?.()
    log.restart()
  }

  /** What is wrong with a test that ends before its matchers; they end with it. */
  function endMatchers(): string | undefined {
    const [first] = pending
    for (const matcher of pending) matcher.isCancelled = true
    pending.clear()
    return first && `A matcher was not awaited; write: await ${first.call}`
  }

  runner.beforeAll(async () => {
    interception =
      intercept === 'fetch'
        ? { stop: (await import('../hosts/global-fetch.ts')).replaceFetch(mock, baseUrl) }
        : (await importMsw()).interceptWithMsw(mock, rest)
    interception.reset?.()
  })
  runner.beforeEach(({ name, isConcurrent }) => {
    if (!isConcurrent) restart()
    else if (control.summary().sandboxes === undefined) refuseConcurrency(name)
  })
  runner.afterEach(({ name, isConcurrent, hasFailed }) => {
    // Whose requests they are, nobody knows.
    if (isConcurrent) return
    const all = log.all()
    const unawaited = endMatchers()
    // One that failed may have been waiting for a matcher when its time was up.
    const problem = (hasFailed ? undefined : unawaited) ?? describeMissteps(name, failOn, all)
    if (hasFailed || problem !== undefined) console.error(describeJournal(name, all))
    if (problem !== undefined) throw new Error(problem)
  })
  runner.afterAll(async () => {
    interception?.stop()
    interception = undefined
    // Of concurrent tests: whose it was, nobody knows.
    const problem = endMatchers()
    if (problem !== undefined) throw new Error(problem)
  })

  function inspect(read: Inspection['requests']): Record<symbol, Inspection> {
    const requests = () => {
      // Without its hooks no request reaches it: that none came would say nothing.
      if (!interception) throw new UsageError(INACTIVE)
      return read()
    }
    return { [INSPECTION]: { requests, pending, timeout, hint } }
  }

  return {
    mock,
    control,
    url,
    requests: (filter) => control.requests(filter),
    sandbox(key) {
      const own = control.sandbox(key)
      return { url, control: own, requests: own.requests, ...inspect(() => addWaiting(own.requests(), log.waiting(key))) }
    },
    use(...handlers) {
      if (!interception?.use) throw new UsageError(`store.use needs MSW, inside a test or a hook`)
      interception.use(...(handlers as never[]))
    },
    ...inspect(() => {
      if (control.summary().sandboxes !== undefined)
        throw new UsageError('This store has a sandbox for each API key; name one: expect(store.sandbox("key"))')
      return addWaiting(control.requests(), log.waiting(null))
    }),
  }
}

/** In Node and in the loaders of the runners, a missing package has several codes, but hardly more than these words. */
async function importMsw(): Promise<typeof import('./intercept-msw.ts')> {
  try {
    return await import('./intercept-msw.ts')
  } catch (error) {
    if (!/cannot find (module|package) '?msw/i.test(String(error))) throw error
    throw new UsageError('mockStore: MSW is not installed; run npm i -D msw, or do without it: intercept: "fetch"')
  }
}

/** A concurrent test cannot have a store without a key of its own. */
export function refuseConcurrency(name: string): never {
  const problem = `${JSON.stringify(name)} is a concurrent test, and would share its store with others. Make it a plain test, or give each an API key of its own: mockStore({ sandbox: true }), and in the test store.sandbox('key-1')`
  throw new UsageError(problem)
}

/** Where the API is for whoever calls it: of several addresses the first. */
function toUrl(baseUrl: BaseUrl | undefined): string {
  const [first = contract.basePath] = [baseUrl ?? []].flat() as (string | URL)[]
  return new URL(first, pageAddress() ?? 'http://localhost').href.replace(/\/+$/, '')
}
