// A store for a test file: a mock, the interception of requests to it, and what happens around each test. The kits for Vitest and Jest
// bring their hooks.
import { UsageError } from '../contract/errors.ts'
import type { Control } from '../control/control.ts'
import type { LoggedRequest } from '../control/logged-request.ts'
import { contract } from '../generated/contract.ts'
import { pageAddress } from '../mock/base-address.ts'
import { createEngine, type Mock } from '../mock/mock.ts'
import { toScenario } from '../mock/mock-options.ts'
import type { JournalFilter } from '../world/journal-entry.ts'
import { findCallSite, pointAt } from './call-site.ts'
import type { Interception } from './intercept-msw.ts'
import { readStoreOptions, type StoreOptions } from './kit-options.ts'
import { cancelPending, INSPECTION, type Inspection } from './matchers.ts'
import { type EndedTest, endTest } from './report.ts'
import { reportSurprises } from './surprise.ts'

export type { StoreOptions } from './kit-options.ts'
export type { ExpectedRequest, StoreMatchers } from './matchers.ts'

/** A store for a test file, as it was at the start before each test. */
export interface Store {
  /** The address of the API. */
  readonly url: string
  /** The mock itself. */
  readonly mock: Mock
  /** Everything a tester can do to it: faults, clock, request log, sandboxes. */
  readonly control: Control
  /** The requests since the test began, oldest first: all of them, or those that match the filter. */
  requests(filter?: JournalFilter): LoggedRequest[]
  /** Adds MSW handlers that override the store's until the test ends. */
  use(...handlers: object[]): void
}

/** The test that is running. Vitest does not know the line of its definition. */
export type RunningTest = Pick<EndedTest, 'name' | 'hasFailed'> & { readonly callSite?: string; readonly isConcurrent: boolean }

/** The hooks of a runner. */
export interface Runner {
  readonly intercept: 'msw' | 'fetch'
  beforeAll(run: () => Promise<void>): void
  beforeEach(run: (test: RunningTest) => void): void
  afterEach(run: (test: RunningTest) => void): void
  afterAll(run: () => void): void
}

const INACTIVE =
  'This store is not active here: its hooks belong to the file that called mockStore first. To share it between files, import it in setupFiles too'
const MISSING = 'mockStore: MSW is not installed; run npm i -D msw, or do without it: intercept: "fetch"'
const SECOND = 'mockStore: another store is active; use one store, with a list as baseUrl if there are several addresses'
const SANDBOXED = 'This store has a sandbox for each API key; name one: assertReceived(store.control.sandbox("key"), …)'
const CONCURRENT =
  'is a concurrent test, and would share its store with others; make it a plain test, or give each its own API key: mockStore({ sandbox: true })'
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
  // Of several addresses the first.
  const [first = contract.basePath] = [baseUrl ?? []].flat() as (string | URL)[]
  const url = new URL(first, pageAddress() ?? 'http://localhost').href.replace(/\/+$/, '')
  const hint = `The store answers requests to ${baseUrl === undefined ? url : [baseUrl].flat().join(', ')}.`
  const inspection: Inspection = { requests: readRequests, pending: new Set(), timeout, hint }
  let interception: Interception | undefined
  /** The ids of the faults that every test starts with. */
  let started = new Set<string>()
  reportSurprises(control)

  function readRequests(): LoggedRequest[] {
    // Without its hooks no request reaches it, so the journal proves nothing.
    if (!interception) throw new UsageError(INACTIVE)
    if (options.sandbox) throw new UsageError(SANDBOXED)
    return control.requests({ waiting: true })
  }

  async function startIntercepting(): Promise<void> {
    // It would silently take the requests of the first.
    if (marks[ACTIVE]) throw new UsageError(SECOND)
    interception =
      intercept === 'fetch'
        ? { stop: (await import('../hosts/global-fetch.ts')).replaceFetch(mock, baseUrl) }
        : (await import('./intercept-msw.ts')).interceptWithMsw(engine, baseUrl, server)
    marks[ACTIVE] = true
  }

  runner.beforeAll(() =>
    startIntercepting().catch((error) => {
      // Runners and Node have several codes for a missing package, but hardly more than these words.
      const problem = /cannot find (module|package) '?msw/i.test(String(error)) ? new UsageError(MISSING) : error
      throw problem instanceof UsageError ? pointAt(callSite, problem) : problem
    }),
  )
  runner.beforeEach(({ name, isConcurrent }) => {
    if (isConcurrent && !options.sandbox) throw pointAt(callSite, new Error(`${JSON.stringify(name)} ${CONCURRENT}`))
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
    const unawaited = cancelPending(inspection.pending)
    const { problem, log } = endTest(failOn, { callSite, ...test, unawaited, entries, faults, started })
    if (log) console.error(log)
    if (problem) throw problem
  })
  runner.afterAll(() => {
    if (interception) marks[ACTIVE] = false
    interception?.stop()
    interception = undefined
  })

  const store: Store & { [INSPECTION]: Inspection } = {
    url,
    mock,
    control,
    requests: control.requests,
    use(...handlers) {
      if (!interception?.use) throw new UsageError('store.use needs MSW (intercept: "msw"), inside a test or a hook')
      interception.use(...(handlers as never[]))
    },
    [INSPECTION]: inspection,
  }
  return store
}
