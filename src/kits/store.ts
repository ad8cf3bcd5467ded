// A store for a test file: a mock, the interception of requests to it, and what matchers and hooks
// see of it.
import { UsageError } from '../contract/errors.ts'
import { isPromise } from '../contract/values.ts'
import type { Control, StateControl } from '../control/control.ts'
import { addressSandbox } from '../control/protocol.ts'
import { findApiUrl, listAddresses } from '../mock/base-address.ts'
import { createEngine } from '../mock/mock.ts'
import { openStart } from '../mock/mock-options.ts'
import { defaultScenario } from '../scenario/generated/default-scenario.ts'
import { createOrigin } from '../world/state.ts'
import { reportSurprises } from './environment.ts'
import { openInKit } from './files.ts'
import { createInterception } from './intercept.ts'
import { acceptKey, KEY_PREFIX, type StoreOptions } from './kit-options.ts'
import { INSPECTION, type Inspection } from './matchers.ts'
import { createWaitHeld, type WaitHeld } from './wait-held.ts'
import { describeStore, type Watched } from './watch-test.ts'

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
  /**
   * Waits until a fault holds responses of an operation; by default one, of any.
   *
   * @example
   * const [first, second] = await store.held('listPets', { count: 2 })
   */
  readonly held: WaitHeld
  /** Adds MSW handlers that override the store's until the test ends. */
  use(...handlers: object[]): void
}

/** A part of a store that no other test uses. */
export interface SandboxStore {
  /** The address of the API, with a prefix that chooses the sandbox whatever the key is. */
  readonly url: string
  /** The name of the sandbox. */
  readonly sandbox: string
  /** A key that is valid there. It chooses the sandbox too, at the usual address. */
  readonly apiKey: string
  /** Everything a tester can do to this sandbox. */
  readonly control: StateControl
  /** Waits until a fault holds responses here. */
  readonly held: WaitHeld
}

export type RunningStore = ReturnType<typeof createStore>

const HOW_TO_CALL = 'Call mockStore at the top of a file; to share it, in setupFiles too'
const INACTIVE = `This store is not active here: its hooks did not run. ${HOW_TO_CALL}`
const SANDBOXED = 'This store has a sandbox for each API key; pass store.sandbox() to matchers'

/** `kit` is the name of the module that a test imports. */
export function createStore(kit: string, options: StoreOptions) {
  const { baseUrl, timeout } = options
  const opened = openStart(options, 'mockStore', openInKit)
  // Reported when the tests begin.
  if (isPromise(opened)) opened.catch(() => {})
  let scenario = isPromise(opened) ? defaultScenario : opened
  let origin = createOrigin(scenario)
  const { mock, worlds, restart } = createEngine({ ...options, origin })
  const { control } = mock
  const interception = createInterception(mock, kit, options)
  const addresses = listAddresses(baseUrl ?? "the API's paths on any origin").join(', ')
  const watched: Watched = {
    ...watchAll(control),
    requests: readRequests,
    pending: new Set(),
    timeout,
    hint: () => describeStore(addresses, interception.elsewhere()),
  }
  const store = {
    url: findApiUrl(baseUrl),
    control,
    sandbox,
    held: createWaitHeld(control, watched),
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
    sandboxes++
    const apiKey = `${KEY_PREFIX}${sandboxes}`
    const own = control.sandbox(apiKey)
    restart(createOrigin(acceptKey(scenario, apiKey)), apiKey)
    const hint = () => {
      const others = control.requests({ sandbox: '*', waiting: true })
      return describeStore(`${addresses} with the key ${apiKey}`, interception.elsewhere(), others)
    }
    const inspected: Inspection = { requests: own.requests, pending: new Set(), timeout, hint }
    const url = addressSandbox(store.url, apiKey)
    const held = createWaitHeld(own, inspected)
    return { url, sandbox: apiKey, apiKey, control: own, held, [INSPECTION]: inspected }
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
    alternatives: async (row) => stateOf(row.sandbox).whatIf(row.id, { alternatives: true }),
    rows: () => control.timeline({ sandbox: '*', waiting: true, limit: Number.MAX_SAFE_INTEGER }),
    faults: () => [null, ...control.sandboxes()].flatMap((key) => stateOf(key).faults.list()),
    recording: () => control.recording({ sandbox: '*' }),
  }
}
