// The kit for Playwright: a store for each test, which is a sandbox of a running mock or of one that the worker starts. The mock may run in
// another process, so everything goes through the control API.
import type { TestInfo, TestType } from '@playwright/test'
import { connect, type RemoteControl } from '../client/connect.ts'
import { contract } from '../generated/contract.ts'
import { createMock } from '../mock/mock.ts'
import { checkScenario } from '../mock/mock-options.ts'
import { type OptionRules, readOptions, stringLike } from '../mock/options.ts'
import { pointAt } from './call-site.ts'
import {
  parameterRules,
  type ReportOptions,
  readState,
  readSurprise,
  reportRules,
  type StoreParameters,
  withoutReference,
} from './kit-options.ts'
import { INSPECTION, type Inspection, type StoreMatchers, storeMatchers } from './matchers.ts'
import type { SandboxStore } from './store.ts'
import { watchTest } from './watch-test.ts'

export type { ExpectedRequest, StoreMatchers } from './matchers.ts'

declare global {
  namespace PlaywrightTest {
    interface Matchers<R, T = unknown> extends StoreMatchers {}
  }
}

/** How each test gets its store. */
export interface WithStoreOptions extends ReportOptions, StoreParameters {
  /** A mock that runs with `--sandbox`; by default `ANIMAL_STORE_URL`, which `exec` sets. Without either, each worker starts one. */
  readonly url?: string
}

/** The store of one test, with a key that no other test has. */
export interface TestStore extends Omit<SandboxStore, 'control'> {
  /** The control of this test's store, as `connect` returns it. */
  readonly control: RemoteControl
}

const findInFiles = async (scenario: unknown) => (await import('../scenario/files.ts')).findAnyScenario(scenario)

const KEY_PREFIX = 'test-'
const CALLER = 'withStore'
const rules: OptionRules<WithStoreOptions> = {
  ...reportRules,
  ...parameterRules,
  url: { ...stringLike('http://127.0.0.1:7387/v1'), fits: (value) => typeof value === 'string' && URL.canParse(value) },
}

/**
 * Playwright's `test` with the fixture `store`.
 *
 * @example
 * export const test = withStore(base, { scenario: 'sold-out' })
 */
export function withStore<T extends object, W extends object>(
  base: TestType<T, W>,
  options: WithStoreOptions = {},
): TestType<T & { store: TestStore }, W> {
  const { timeout, failOn = [], url = process.env.ANIMAL_STORE_URL, ...start } = readOptions<WithStoreOptions>(CALLER, rules, options)
  const token = process.env.ANIMAL_STORE_CONTROL_TOKEN
  const changesStart = Object.keys(start).length > 0
  checkScenario(withoutReference(start))
  base.expect.extend(storeMatchers)

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads fixture names from this pattern
  const mockUrl = async ({}, use: (url: string) => Promise<void>) => {
    if (url) return use(new URL(url).origin + contract.basePath)
    const { serve } = await import('../hosts/node/serve.ts')
    const serving = await serve(createMock({ sandbox: true, ...readSurprise() }))
    await use(serving.url)
    await serving.close()
  }

  const store = async (
    { mockUrl: address }: { mockUrl: string },
    use: (store: TestStore & { [INSPECTION]: Inspection }) => Promise<void>,
    info: TestInfo,
  ) => {
    const apiKey = KEY_PREFIX + crypto.randomUUID()
    const control = connect(address, { token, sandbox: apiKey })
    await control.summary().catch(({ status, message }: { status: number; message: string }) => {
      const problem = status === 401 ? 'The mock requires its control token; set ANIMAL_STORE_CONTROL_TOKEN to it' : message
      throw pointAt('', new Error(`${CALLER}: ${address}: ${problem}`))
    })
    if (changesStart) await control.load(await readState(start, findInFiles))
    const startedAt = new Date().toISOString()
    const hint = async () => `The store answers requests to ${address} with the API key of the test.${await countOthers()}`
    const inspection: Inspection = { requests: control.requests, pending: new Set(), timeout, hint }
    const endTest = await watchTest(failOn, { ...inspection, faults: control.faults.list, rows: () => control.timeline({ waiting: true }) })
    try {
      await use({ url: address, apiKey, control, [INSPECTION]: inspection })
      const { problem, log } = await endTest({
        // The first is the file.
        name: info.titlePath.slice(1).join(' › '),
        hasFailed: info.status !== info.expectedStatus,
        callSite: `    at ${info.file}:${info.line}:${info.column}`,
      })
      if (log)
        await info.attach('request-log', {
          body: log + ((await control.requests({ limit: 1 })).length === 0 ? await countOthers() : ''),
          contentType: 'text/plain',
        })
      if (problem) throw problem
    } finally {
      // The mock may have stopped, which does not matter here.
      await control.removeSandbox(apiKey).catch(() => {})
    }

    /** Requests of other tests have keys of the same form. */
    async function countOthers(): Promise<string> {
      const entries = await control.requests({ sandbox: '*', waiting: true }).catch(() => [])
      const { length } = entries.filter(
        ({ realAt, sandbox, method }) => realAt >= startedAt && method !== 'OPTIONS' && !sandbox?.startsWith(KEY_PREFIX),
      )
      return length === 0 ? '' : `\n${length} ${length === 1 ? 'request' : 'requests'} came with another key.`
    }
  }

  // The compiler cannot know the fixtures of a `base` of any type.
  const { extend }: { extend<Added extends object>(fixtures: object): TestType<T & Added, W> } = base
  return extend<{ store: TestStore }>({ mockUrl: [mockUrl, { scope: 'worker' }], store })
}
