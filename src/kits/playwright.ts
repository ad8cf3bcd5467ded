// The kit for Playwright: a store for each test, either a sandbox of one mock that serves all workers, or a server of its own. Tests and
// store are in different processes or may be, so that everything goes through the control API.
import type { TestInfo, TestType } from '@playwright/test'
import { connect, type RemoteControl } from '../client/connect.ts'
import { followRequests } from '../client/follow-requests.ts'
import { type OptionRules, oneOf, readOptions, stringLike } from '../contract/options.ts'
import { list } from '../contract/schema.ts'
import { contract } from '../generated/contract.ts'
import { toScenario } from '../mock/mock-options.ts'
import type { JournalEntry, JournalFilter } from '../world/journal-entry.ts'
import { describeJournal, describeMissteps } from './describe-request.ts'
import { DEFAULT_TIMEOUT_MS, parameterRules, type ReportOptions, reportRules, type StoreParameters } from './kit-options.ts'
import { INSPECTION, type Inspection, type StoreMatchers, storeMatchers } from './matchers.ts'

export type { ExpectedRequest, ExpectedRequests, ExpectedStep, StoreMatchers } from './matchers.ts'

declare global {
  namespace PlaywrightTest {
    interface Matchers<R, T = unknown> extends StoreMatchers {}
  }
}

/** How each test gets its store. */
export interface WithStoreOptions extends ReportOptions, StoreParameters {
  /**
   * `sandbox`, the default: a world of one running mock, by an API key of the test's own. `server`: a mock of its own on a free port.
   */
  readonly mode?: 'sandbox' | 'server'
  /** Where the running mock is, with `mode: 'sandbox'`; by default `ANIMAL_STORE_URL`, which `animal-store-mock exec` sets. */
  readonly url?: string
  /** The token of its control API, if it needs one; by default `ANIMAL_STORE_CONTROL_TOKEN`. */
  readonly controlToken?: string
}

/** The store of one test. */
export interface TestStore {
  /** The address of the API, version segment included. */
  readonly url: string
  /** The key that the app must send, and that no other test has. */
  readonly apiKey: string
  /** The control API, for this test's store alone. */
  readonly control: RemoteControl
  /** The requests of this test, oldest first: all of them, or those that match the filter. */
  requests(filter?: JournalFilter): Promise<JournalEntry[]>
}

/** What `withStore` adds to a test. */
export interface StoreFixtures {
  /** The store of this test. */
  store: TestStore
  /** The key that the app must send: that of the store. */
  apiKey: string
}

const DOOR = 'withStore'
/** How far a failure looks back for requests that missed the store. */
const MAX_REQUESTS = 100
/** What the keys of all tests begin with. */
const OWN_KEY = 'test-'
const rules: OptionRules<WithStoreOptions> = {
  ...reportRules,
  ...parameterRules,
  mode: oneOf(['sandbox', 'server']),
  url: { ...stringLike('http://127.0.0.1:7387/v1'), fits: (value) => typeof value === 'string' && URL.canParse(value) },
  controlToken: stringLike('a token'),
}

/**
 * Playwright's `test` with the fixtures `store` and `apiKey`.
 *
 * @example
 * export const test = withStore(base, { mode: 'sandbox' })
 */
export function withStore<T extends object, W extends object>(
  base: TestType<T, W>,
  given: WithStoreOptions = {},
): TestType<T & StoreFixtures, W> {
  const options = readOptions<WithStoreOptions>(DOOR, rules, given)
  const { mode = 'sandbox', timeout = DEFAULT_TIMEOUT_MS, failOn = [] } = options
  const isGiven = Object.keys(parameterRules).some((name) => name in options)
  base.expect.extend(storeMatchers)
  return base.extend<StoreFixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads fixture names from this pattern
    store: async ({}, use: (store: TestStore) => Promise<void>, testInfo: TestInfo) => {
      const apiKey = OWN_KEY + crypto.randomUUID()
      const { url, token, sandbox, stop } = mode === 'server' ? await startServer() : joinMock(apiKey, options)
      const control = connect(url, { token, sandbox })
      const start = Date.now()
      const hint = async () =>
        `The store answers requests to ${url} with the API key of the test.${sandbox === undefined ? '' : await describeStrays(control, start)}`
      let onEnd: (() => void) | undefined
      try {
        await control.summary().catch((error: Error) => Promise.reject(toFailure(`${DOOR}: ${url}: ${error.message}`)))
        if (isGiven) await control.load(toScenario(options))
        const { read, stop: unfollow } = await followRequests(control)
        onEnd = unfollow
        const inspection: Inspection = { requests: read, timeout, hint }
        await use({ url, apiKey, control, requests: control.requests, [INSPECTION]: inspection } as TestStore)
        const entries = await read()
        // The first is the file.
        const name = testInfo.titlePath.slice(1).join(' › ')
        const problem = describeMissteps(name, failOn, entries)
        const hasFailed = problem !== undefined || testInfo.status !== testInfo.expectedStatus
        if (hasFailed) await testInfo.attach('store-journal', { body: describeJournal(name, entries), contentType: 'text/plain' })
        if (problem !== undefined) throw toFailure(problem)
      } finally {
        onEnd?.()
        await stop(control)
      }
    },
    apiKey: ({ store }: StoreFixtures, use: (key: string) => Promise<void>) => use(store.apiKey),
  } as never) as never
}

async function startServer() {
  const [{ createMock }, { serve }] = await Promise.all([import('../mock/mock.ts'), import('../hosts/node/serve.ts')])
  const mock = createMock()
  const { url, close } = await serve(mock)
  return { url, token: undefined, sandbox: undefined, stop: close }
}

function joinMock(sandbox: string, options: WithStoreOptions) {
  const { url = process.env.ANIMAL_STORE_URL, controlToken: token = process.env.ANIMAL_STORE_CONTROL_TOKEN } = options
  const remedy = `run npx animal-store-mock exec --sandbox -- npx playwright test, or say where it is: ${DOOR}(base, { url })`
  if (!url) throw toFailure(`${DOOR}: there is no mock to share; ${remedy}`)
  return {
    url: new URL(url).origin + contract.basePath,
    token,
    sandbox,
    // The test is over, and so is its sandbox; whether the mock still runs does not matter.
    stop: (control: RemoteControl) => control.removeSandbox(sandbox).catch(() => {}),
  }
}

/** The requests since then that came with a key of no test, as of an app that was built with one. */
async function describeStrays(control: RemoteControl, start: number): Promise<string> {
  const all = await control.requests({ sandbox: '*', limit: MAX_REQUESTS }).catch(() => [])
  const strays = all.filter(({ sandbox, realAt }) => !sandbox?.startsWith(OWN_KEY) && Date.parse(realAt) >= start)
  if (strays.length === 0) return ''
  const keys = new Set(strays.map(({ key }) => (key === null ? 'no key' : `key ${key}`)))
  return ` Meanwhile ${strays.length} request${strays.length === 1 ? '' : 's'} came with ${list([...keys], 'and')}.`
}

/** An error without a stack: Playwright would show the line of ours that it comes from, and that is a whole bundle. */
function toFailure(problem: string): Error {
  return Object.assign(new Error(problem), { stack: `Error: ${problem}` })
}
