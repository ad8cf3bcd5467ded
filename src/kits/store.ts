// A store for a test file: a mock, the interception of requests to it, and what happens around each test. The kits for Vitest and Jest
// bring their hooks.
import { UsageError } from '../contract/errors.ts'
import type { Control, StateControl } from '../control/control.ts'
import type { LoggedRequest } from '../control/logged-request.ts'
import { contract } from '../generated/contract.ts'
import { type BaseUrl, pageAddress } from '../mock/base-address.ts'
import { createEngine, type Mock } from '../mock/mock.ts'
import { toScenario } from '../mock/mock-options.ts'
import type { JournalFilter } from '../world/journal-entry.ts'
import { findCallSite, pointAt } from './call-site.ts'
import { type EndedTest, endTest } from './end-test.ts'
import type { Interception } from './intercept-msw.ts'
import { readStoreOptions, type StoreOptions } from './kit-options.ts'
import { cancelPending, INSPECTION, type Inspection, type PendingMatcher } from './matchers.ts'
import { reportSurprises } from './surprise.ts'

export type { StoreOptions } from './kit-options.ts'
export type { ExpectedRequest, StoreMatchers } from './matchers.ts'

/** The store of one API key. */
export interface SandboxStore {
  /** The address of the API. */
  readonly url: string
  /** Everything a tester can do to it: faults, clock, request log. */
  readonly control: StateControl
  /** The requests since the test began, oldest first: all of them, or those that match the filter. */
  requests(filter?: JournalFilter): LoggedRequest[]
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

/** The test that is running, by the name that includes its blocks. Vitest does not know the line of its definition. */
export interface RunningTest extends Pick<EndedTest, 'name' | 'hasFailed'>, Partial<Pick<EndedTest, 'callSite'>> {
  readonly isConcurrent: boolean
}

/** The hooks of a runner. */
export interface Runner {
  readonly intercept: 'msw' | 'fetch'
  beforeAll(run: () => Promise<void>): void
  beforeEach(run: (test: RunningTest) => void): void
  afterEach(run: (test: RunningTest) => void): void
  afterAll(run: () => Promise<void>): void
}

const INACTIVE =
  'This store is not active here: its hooks belong to the file that called mockStore first. To share it between files, import it in setupFiles too'
const MISSING = 'mockStore: MSW is not installed; run npm i -D msw, or do without it: intercept: "fetch"'
const SECOND = 'mockStore: another store is active; use one store, with a list as baseUrl if there are several addresses'
/** Marks an active store, on the global object, since that is what interception changes, and the package may be in a process twice. */
const ACTIVE = Symbol.for('animal-store-mock.active')
const marks = globalThis as { [ACTIVE]?: boolean }

export function createStore(runner: Runner, given: StoreOptions): Store {
  const callSite = findCallSite()
  const { timeout, failOn = [], server, baseUrl, ...rest } = readStoreOptions(given)
  const { intercept = server ? 'msw' : runner.intercept, ...options } = rest
  const engine = createEngine(options)
  const { mock } = engine
  const { control } = mock
  const start = toScenario(options)
  const url = findUrl(baseUrl)
  let interception: Interception | undefined
  const pending = new Set<PendingMatcher>()
  /** The ids of the faults that every test starts with. */
  let started = new Set<string>()
  reportSurprises(control)

  async function startIntercepting(): Promise<void> {
    // It would silently take the requests of the first.
    if (marks[ACTIVE]) throw new UsageError(SECOND)
    interception =
      intercept === 'fetch'
        ? { stop: (await import('../hosts/global-fetch.ts')).replaceFetch(mock, baseUrl) }
        : (await importMsw()).interceptWithMsw(engine, baseUrl, server)
    marks[ACTIVE] = true
  }

  runner.beforeAll(() =>
    startIntercepting().catch((error) => {
      throw error instanceof UsageError ? pointAt(callSite, error) : error
    }),
  )
  runner.beforeEach(({ name, isConcurrent }) => {
    if (isConcurrent && !options.sandbox) throw pointAt(callSite, new Error(explainConcurrency(name)))
    if (isConcurrent) return
    // Not `reset`, which would go back to a scenario that a test has loaded.
    control.load(start)
    for (const key of control.sandboxes()) control.removeSandbox(key)
    started = new Set(control.faults.list().map(({ id }) => id))
    interception?.reset?.()
  })
  runner.afterEach(({ isConcurrent, ...test }) => {
    // It is not known which of several concurrent tests sent a request.
    if (isConcurrent) return
    const entries = control.requests({ sandbox: '*', waiting: true })
    const faults = [control, ...control.sandboxes().map(control.sandbox)].flatMap((state) => state.faults.list())
    const { problem, log } = endTest(failOn, { callSite, ...test, unawaited: cancelPending(pending), entries, faults, started })
    if (log) console.error(log)
    if (problem) throw problem
  })
  runner.afterAll(async () => {
    if (interception) marks[ACTIVE] = false
    interception?.stop()
    interception = undefined
    // Of a concurrent test.
    const unawaited = cancelPending(pending)
    if (unawaited) throw unawaited
  })

  function inspect(read: () => readonly LoggedRequest[]): Record<symbol, Inspection> {
    const requests = () => {
      // Without its hooks no request reaches it, so the journal proves nothing.
      if (!interception) throw new UsageError(INACTIVE)
      return read()
    }
    return { [INSPECTION]: { requests, pending, timeout, hint: `The store answers requests to ${url}.` } }
  }

  return {
    mock,
    control,
    url,
    requests: (filter) => control.requests(filter),
    sandbox(key) {
      const own = control.sandbox(key)
      return { url, control: own, requests: own.requests, ...inspect(() => own.requests({ waiting: true })) }
    },
    use(...handlers) {
      if (!interception?.use) throw new UsageError('store.use needs MSW (intercept: "msw"), inside a test or a hook')
      interception.use(...(handlers as never[]))
    },
    ...inspect(() => {
      if (options.sandbox) throw new UsageError('This store has a sandbox for each API key; name one: expect(store.sandbox("key"))')
      return control.requests({ waiting: true })
    }),
  }
}

/** Runners and Node have several codes for a missing package, but hardly more than these words. */
function importMsw(): Promise<typeof import('./intercept-msw.ts')> {
  return import('./intercept-msw.ts').catch((error) => {
    throw /cannot find (module|package) '?msw/i.test(String(error)) ? new UsageError(MISSING) : error
  })
}

function explainConcurrency(test: string): string {
  return `${JSON.stringify(test)} is a concurrent test, and would share its store with others. Make it a plain test, or give each its own API key: mockStore({ sandbox: true }), and in the test store.sandbox('key-1')`
}

/** The address of the API; of several the first. */
function findUrl(baseUrl: BaseUrl | undefined): string {
  const [first = contract.basePath] = [baseUrl ?? []].flat() as (string | URL)[]
  return new URL(first, pageAddress() ?? 'http://localhost').href.replace(/\/+$/, '')
}
