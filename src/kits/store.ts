// A store for a test file: a mock, the interception of requests to it, and what happens around each test. The kits for
// Vitest and Jest bring their hooks.
import { isPromise } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { cutText } from '../contract/problem.ts'
import type { Control, StateControl } from '../control/control.ts'
import { contract } from '../generated/contract.ts'
import { defaultScenario } from '../generated/default-scenario.ts'
import { installPassThrough, replaceFetch } from '../hosts/global-fetch.ts'
import { pageAddress } from '../mock/base-address.ts'
import { createEngine } from '../mock/mock.ts'
import { openStart } from '../mock/mock-options.ts'
import { describeKeys } from '../render/rows.ts'
import { createOrigin } from '../world/state.ts'
import { nameRecording, openInKit, reportSurprises, saveRecording } from './files.ts'
import type { Interception } from './intercept-msw.ts'
import { readStoreOptions, type StoreOptions } from './kit-options.ts'
import { findCallSite, INSPECTION, type Inspection, pointAt, storeMatchers } from './matchers.ts'
import { type EndedTest, type Watched, watchNetwork, watchTest } from './watch-test.ts'

export type { StoreOptions } from './kit-options.ts'
export type { ExpectedRequest, StoreMatchers } from './matchers.ts'

/** A store for a test file, as it was at the start before each test. */
export interface Store {
  /** The address of the API. */
  readonly url: string
  /** Everything a tester can do to it: faults, clock, request log, sandboxes. */
  readonly control: Control
  /**
   * A fresh sandbox, for a concurrent test: matchers take it as they take a store. The store must have been made with `sandbox: true`.
   *
   * @example
   * const { apiKey, control } = store.sandbox()
   */
  sandbox(): SandboxStore
  /** Adds MSW handlers that override the store's until the test ends. */
  use(...handlers: object[]): void
}

/** A part of a store that no other test uses. */
export interface SandboxStore extends Pick<Store, 'url'> {
  /** The key that the app must send. */
  readonly apiKey: string
  /** Everything a tester can do to this sandbox. */
  readonly control: StateControl
}

/** The test that is running. Vitest does not know the line of its definition. */
export type RunningTest = Pick<EndedTest, 'name' | 'hasFailed'> & { readonly callSite?: string; readonly isConcurrent: boolean }

export interface Runner {
  readonly kit: string
  readonly intercept: 'msw' | 'fetch'
  readonly expect: { extend(matchers: typeof storeMatchers): void }
  /** Whether tests or their hooks run: then it is too late to add hooks. */
  isRunning(): boolean
  beforeAll(run: () => Promise<void>): void
  beforeEach(run: (test: RunningTest) => Promise<void>): void
  afterEach(run: (test: RunningTest) => Promise<void>): void
  afterAll(run: () => void): void
}

const INACTIVE = 'This store is not active here: its hooks did not run. Call mockStore at the top of a file; to share it, in setupFiles too'
const NEEDS_MSW = 'install it (npm i -D msw@2), or pass intercept: "fetch"; Jest needs settings for it'
const LATE = 'mockStore: call it at the top of a file or of a describe block, not inside a test or a hook'
const SECOND = 'mockStore: another store is active; use one store, with a list as baseUrl if there are several addresses'
const SANDBOXED = 'This store has a sandbox for each API key; pass store.sandbox() to matchers'
const CONCURRENT = 'is a concurrent test; make it a plain test, or pass sandbox: true to mockStore, and call store.sandbox() in each test'
/** Marks an active store, on the global object that interception changes: the package may be in a process twice. */
const ACTIVE = Symbol.for('animal-store-mock.active')
const marks = globalThis as { [ACTIVE]?: boolean }
const KEY_PREFIX = 'sandbox-'

/** The kit of a runner. Importing it catches clients that keep the `fetch` they find. */
export function createKit(runner: Runner): (options?: StoreOptions) => Store {
  installPassThrough()
  return (options = {}) => createStore(runner, options)
}

function createStore(runner: Runner, given: StoreOptions): Store {
  const callSite = findCallSite()
  runner.expect.extend(storeMatchers)
  const { record = globalThis.process?.env.ANIMAL_STORE_RECORD, ...options } = readStoreOptions(given)
  const { timeout, failOn = [], baseUrl, intercept = runner.intercept } = options
  if (runner.isRunning()) throw pointAt(callSite, new UsageError(LATE))
  const opened = openStart(options, 'mockStore', openInKit)
  // Reported when the tests begin.
  if (isPromise(opened)) opened.catch(() => {})
  let start = createOrigin(isPromise(opened) ? defaultScenario : opened)
  const engine = createEngine({ ...options, origin: start })
  const { control } = engine.mock
  const listAll = () => control.requests({ sandbox: '*', waiting: true })
  // The first of several addresses.
  const [first = contract.basePath] = [baseUrl ?? []].flat() as (string | URL)[]
  const url = new URL(first, pageAddress() ?? 'http://localhost').href.replace(/\/+$/, '')
  /** Where a test added a fault, by its id. */
  const sites = new Map<string, string>()
  const inspection: Inspection = { requests: readRequests, pending: new Set(), timeout, hint: () => describeStore() }
  const watched: Watched = {
    ...inspection,
    siteOf: (id) => sites.get(id),
    async alternatives({ id, sandbox }) {
      return (sandbox === null ? control : control.sandbox(sandbox)).whatIf(id, { alternatives: true })
    },
    rows: () => control.timeline({ sandbox: '*', waiting: true }),
    faults: () => [control, ...control.sandboxes().map(control.sandbox)].flatMap((state) => state.faults.list()),
  }
  let interception: Interception | undefined
  let sandboxes = 0
  let network: ReturnType<typeof watchNetwork> | undefined
  let endTest: Awaited<ReturnType<typeof watchTest>> | undefined
  reportSurprises(control)

  function readRequests(...filter: Parameters<Inspection['requests']>) {
    // Without its hooks no request reaches it, so the request log proves nothing.
    if (!interception) throw new UsageError(INACTIVE)
    if (options.sandbox) throw new UsageError(SANDBOXED)
    return control.requests(...filter)
  }

  /** Its address, and the requests that this test sent to others or, in a sandbox, with another key. */
  function describeStore(apiKey?: string): string {
    const sent = network?.elsewhere() ?? []
    const strays = apiKey === undefined ? [] : listAll().filter(({ sandbox }) => !sandbox?.startsWith(KEY_PREFIX))
    const lines = [
      `The store answers requests to ${[baseUrl ?? url].flat().join(', ')}${apiKey === undefined ? '' : ` with the key ${apiKey}`}.`,
      describeKeys(strays),
      sent.length > 0 ? `Requests went elsewhere: ${sent.join(', ')}.` : '',
    ]
    return lines.filter(Boolean).join('\n')
  }

  function noteSites<T extends StateControl>(state: T): T {
    const add: StateControl['faults']['add'] = (fault) => {
      const added = state.faults.add(fault)
      sites.set(added.id, findCallSite())
      return added
    }
    return { ...state, faults: { ...state.faults, add } }
  }

  function sandbox(): SandboxStore & { readonly [INSPECTION]: Inspection } {
    if (!interception) throw new UsageError(INACTIVE)
    const apiKey = `${KEY_PREFIX}${++sandboxes}`
    const own = control.sandbox(apiKey)
    // Where only listed keys are valid, this one is.
    const { loaded } = start
    engine.restart(loaded.apiKeys.size > 0 ? { ...start, loaded: { ...loaded, apiKeys: new Set([apiKey]) } } : start, apiKey)
    const inspected = { ...inspection, requests: own.requests, pending: new Set<never>(), hint: () => describeStore(apiKey) }
    return { url, apiKey, control: noteSites(own), [INSPECTION]: inspected }
  }

  async function startIntercepting(): Promise<void> {
    // It would silently take the requests of the first.
    if (marks[ACTIVE]) throw new UsageError(SECOND)
    if (isPromise(opened)) start = createOrigin(await opened)
    if (intercept === 'fetch') interception = { stop: replaceFetch(engine.mock, baseUrl) }
    else interception = (await importMsw()).interceptWithMsw(engine.mock, baseUrl, (request) => network?.noteStray(request))
    // MSW has the requests of node:http, which are reported all the same.
    network = watchNetwork(baseUrl, intercept === 'fetch' ? ['fetch', 'http'] : ['fetch'], runner.kit)
    marks[ACTIVE] = true
  }

  /** Fails a test in which requests went past the store. Some clients send them late, when their test is over. */
  function refuseSent(): void {
    const sent = network?.take() ?? []
    if (sent.length === 0 || interception?.letsPass?.()) return
    throw pointAt(callSite, new Error(['Requests went past the store:', ...sent].join('\n  ')))
  }

  runner.beforeAll(() =>
    startIntercepting().catch((error) => {
      throw error instanceof UsageError ? pointAt(callSite, error) : error
    }),
  )
  runner.beforeEach(async ({ name, isConcurrent }) => {
    if (isConcurrent && !options.sandbox) throw pointAt(callSite, new Error(`${JSON.stringify(name)} ${CONCURRENT}`))
    if (isConcurrent) return
    // Not `reset`, which would go back to a scenario that a test has loaded.
    engine.restart(start)
    for (const key of control.sandboxes()) engine.worlds.remove(key)
    interception?.reset?.()
    sites.clear()
    endTest = await watchTest(failOn, watched)
  })
  runner.afterEach(async ({ isConcurrent, ...test }) => {
    // It is not known which of several concurrent tests sent a request.
    const { problem, log, at } = isConcurrent || !endTest ? {} : await endTest({ callSite, ...test })
    if (log && record) {
      const file = nameRecording(record, test.name, callSite)
      console.error(log + (await saveRecording(file, control.recording({ sandbox: '*' }), at)))
    } else if (log) console.error(log)
    refuseSent()
    if (problem) throw problem
  })
  runner.afterAll(() => {
    if (!interception) return
    marks[ACTIVE] = false
    network?.stop()
    try {
      refuseSent()
    } finally {
      interception.stop()
      interception = undefined
    }
  })

  const store: Store & { readonly [INSPECTION]: Inspection } = {
    url,
    control: noteSites(control),
    sandbox,
    use(...handlers) {
      if (!interception?.use) throw new UsageError('store.use needs MSW (intercept: "msw"), inside a test or a hook')
      interception.use(handlers)
    },
    [INSPECTION]: inspection,
  }
  return store
}

function importMsw() {
  return import('./intercept-msw.ts').catch((error: Error) => {
    const [reason = ''] = error.message.split('\n', 1)
    throw new UsageError(`mockStore: msw could not be loaded (${cutText(reason, 200)}); ${NEEDS_MSW}`)
  })
}
