// A store for a test file: a mock, the interception of requests to it, and what happens around each
// test.
import { UsageError } from '../contract/errors.ts'
import { hash } from '../contract/random.ts'
import { isPromise } from '../contract/values.ts'
import type { Control, StateControl } from '../control/control.ts'
import { installPassThrough } from '../hosts/global-fetch.ts'
import { findApiUrl } from '../mock/base-address.ts'
import { createEngine } from '../mock/mock.ts'
import { openStart } from '../mock/mock-options.ts'
import { defaultScenario } from '../scenario/generated/default-scenario.ts'
import { isRecordingFile } from '../world/row.ts'
import { createOrigin } from '../world/state.ts'
import { createInterception } from './intercept.ts'
import {
  acceptKey,
  KEY_PREFIX,
  readStoreOptions,
  readVariable,
  type StoreOptions,
} from './kit-options.ts'
import { findCallSite, INSPECTION, type Inspection, pointAt, storeMatchers } from './matchers.ts'
import {
  describeStore,
  type EndedTest,
  openInKit,
  reportSurprises,
  type Watched,
  watchTest,
} from './watch-test.ts'

export type { StoreOptions } from './kit-options.ts'
export type { ExpectedRequest, StoreMatchers } from './matchers.ts'

/** A store for a test file, as it was at the start before each test. */
export interface Store {
  /** The address of the API. */
  readonly url: string
  /** Everything a tester can do to it: faults, clock, request log, sandboxes. */
  readonly control: Control
  /**
   * A fresh sandbox, for a concurrent test: matchers take it like a store. The store must have
   * `sandbox: true`.
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
export type RunningTest = Pick<EndedTest, 'name' | 'hasFailed'> &
  Partial<EndedTest> & { isConcurrent: boolean }

export interface Runner {
  readonly kit: string
  readonly intercept: 'msw' | 'fetch'
  readonly expect: { extend(matchers: typeof storeMatchers): void }
  isRunning(): boolean
  beforeAll(run: () => Promise<void>): void
  beforeEach(run: (test: RunningTest) => Promise<void>): void
  afterEach(run: (test: RunningTest) => Promise<void>): void
  afterAll(run: () => void): void
}

const HOW_TO_CALL = 'Call mockStore at the top of a file; to share it, in setupFiles too'
const INACTIVE = `This store is not active here: its hooks did not run. ${HOW_TO_CALL}`
const LATE =
  'mockStore: call it at the top of a file or of a describe block, not inside a test or a hook'
const SANDBOXED = 'This store has a sandbox for each API key; pass store.sandbox() to matchers'
const NEEDS_SANDBOX = 'pass sandbox: true to mockStore, and call store.sandbox() in each test'
const CONCURRENT = `is a concurrent test; make it a plain test, or ${NEEDS_SANDBOX}`

/** The kit of a runner. Importing it catches clients that keep the `fetch` they find. */
export function createKit(runner: Runner): (options?: StoreOptions) => Store {
  installPassThrough()
  return (options = {}) => {
    const callSite = findCallSite()
    runner.expect.extend(storeMatchers)
    const read = readStoreOptions(options)
    if (runner.isRunning()) throw pointAt(callSite, new UsageError(LATE))
    const running = createStore(runner, read)
    addHooks(runner, read, running, callSite)
    return running.store
  }
}

function createStore(runner: Runner, options: StoreOptions) {
  const { baseUrl, timeout } = options
  const opened = openStart(options, 'mockStore', openInKit)
  // Reported when the tests begin.
  if (isPromise(opened)) opened.catch(() => {})
  let scenario = isPromise(opened) ? defaultScenario : opened
  let origin = createOrigin(scenario)
  const { mock, worlds, restart } = createEngine({ ...options, origin })
  const { control } = mock
  const interception = createInterception(mock, runner.kit, {
    intercept: runner.intercept,
    ...options,
  })
  const addresses = [baseUrl ?? "the API's paths on any origin"].flat().join(', ')
  const hint = () => describeStore(addresses, interception.elsewhere())
  const watched: Watched = {
    ...watchAll(control),
    requests: readRequests,
    pending: new Set(),
    timeout,
    hint,
  }
  const store = {
    url: findApiUrl(baseUrl),
    control,
    sandbox,
    use: interception.use,
    [INSPECTION]: watched,
  }
  let sandboxes = 0
  reportSurprises(control)
  return { store, watched, interception, begin, reset }

  function readRequests(...filter: Parameters<Inspection['requests']>) {
    // Without its hooks no request reaches it, so the request log proves nothing.
    if (!interception.isActive()) throw new UsageError(INACTIVE)
    if (options.sandbox) throw new UsageError(SANDBOXED)
    return control.requests(...filter)
  }

  function sandbox() {
    if (!interception.isActive()) throw new UsageError(INACTIVE)
    const apiKey = `${KEY_PREFIX}${++sandboxes}`
    const own = control.sandbox(apiKey)
    restart(createOrigin(acceptKey(scenario, apiKey)), apiKey)
    const others = () => control.requests({ sandbox: '*', waiting: true })
    const hint = () =>
      describeStore(`${addresses} with the key ${apiKey}`, interception.elsewhere(), others())
    const inspected: Inspection = { requests: own.requests, pending: new Set(), timeout, hint }
    return { url: store.url, apiKey, control: own, [INSPECTION]: inspected }
  }

  async function begin(): Promise<void> {
    scenario = await opened
    origin = createOrigin(scenario)
    await interception.start()
  }

  function reset(): void {
    // Not the control's `reset`, which would go back to a scenario that a test has loaded.
    restart(origin)
    for (const key of control.sandboxes()) worlds.remove(key)
    interception.reset()
  }
}

/** Of all sandboxes, since it is not known which of them a test uses. */
function watchAll(
  control: Control,
): Pick<Watched, 'alternatives' | 'rows' | 'faults' | 'recording'> {
  const stateOf = (key: string | null): StateControl =>
    key === null ? control : control.sandbox(key)
  return {
    alternatives: async ({ id, sandbox }) => stateOf(sandbox).whatIf(id, { alternatives: true }),
    rows: () => control.timeline({ sandbox: '*', waiting: true, limit: Number.MAX_SAFE_INTEGER }),
    faults: () => [null, ...control.sandboxes()].flatMap((key) => stateOf(key).faults.list()),
    recording: () => control.recording({ sandbox: '*' }),
  }
}

function addHooks(
  runner: Runner,
  options: StoreOptions,
  running: ReturnType<typeof createStore>,
  callSite: string,
) {
  // A file there is for `exec`.
  const asked = readVariable({ syntax: '--record <folder>', parse: String }) ?? ''
  const { failOn = [], record = isRecordingFile(asked) ? '' : asked } = options
  const { watched, interception, begin, reset } = running
  let endTest: Awaited<ReturnType<typeof watchTest>> | undefined
  const names: string[] = []

  function refuse(past: readonly string[]): void {
    if (past.length > 0)
      throw pointAt(callSite, new Error(['Requests went past the store:', ...past].join('\n  ')))
  }

  const reject = (error: Error) =>
    Promise.reject(error instanceof UsageError ? pointAt(callSite, error) : error)
  runner.beforeAll(() => begin().catch(reject))
  runner.beforeEach(async ({ name, isConcurrent }) => {
    if (isConcurrent && !options.sandbox)
      throw pointAt(callSite, new Error(`${JSON.stringify(name)} ${CONCURRENT}`))
    if (isConcurrent) return
    reset()
    endTest = await watchTest(failOn, watched)
  })
  runner.afterEach(async ({ isConcurrent, ...test }) => {
    names.push(test.name)
    const nth = names.filter((name) => name === test.name).length
    const file = record
      ? nameRecording(record, nth > 1 ? `${test.name} ${nth}` : test.name, callSite)
      : undefined
    // It is not known which of several concurrent tests sent a request.
    const ended = isConcurrent ? undefined : await endTest?.({ callSite, file, ...test })
    if (ended) console.error([ended.log, ended.saved].filter(Boolean).join('\n'))
    refuse(interception.takePast())
    if (ended?.problem) throw ended.problem
  })
  runner.afterAll(() => {
    const past = interception.takePast()
    interception.stop()
    refuse(past)
  })
}

/**
 * A file for a recording: the name of the test, and a hash for tests of the same name in other
 * files.
 */
function nameRecording(folder: string, name: string, callSite: string): string {
  const words = name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)
  return `${folder}/${words}-${hash(`${callSite} ${name}`).toString(36)}.jsonl`
}
