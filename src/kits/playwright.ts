// The kit for Playwright: a store for each test, which is a sandbox of a mock in this process or in
// another.
import type { TestInfo, TestType } from '@playwright/test'
import { mismatch } from '../contract/errors.ts'
import { contract } from '../contract/generated/contract.ts'
import { type OptionSchemas, readOptions, TEXT } from '../contract/options.ts'
import { isPromise } from '../contract/values.ts'
import { connect, type RemoteControl } from '../control/client/connect.ts'
import { addressSandbox, parseMockUrl, RECORDING_TYPE } from '../control/protocol.ts'
import { describeRequest } from '../control/rows/describe-request.ts'
import { createMock } from '../mock/mock.ts'
import { openStart, startSchemas } from '../mock/mock-options.ts'
import { hostFlags } from '../scenario/settings/texts.ts'
import type { RequestRow } from '../world/row.ts'
import { findListedKeys, type ReadScenario, type Scenario } from '../world/scenario.ts'
import { pointAt } from './call-site.ts'
import { readSurpriseVariables, readVariable } from './environment.ts'
import { openInKit } from './files.ts'
import type { ReportOptions, StoreParameters } from './kit-options.ts'
import { acceptKey, KEY_PREFIX, reportSchemas } from './kit-options.ts'
import { INSPECTION, type Inspection, type StoreMatchers, storeMatchers } from './matchers.ts'
import type { SandboxStore } from './store.ts'
import { createWaitHeld } from './wait-held.ts'
import { describeStore, watchTest } from './watch-test.ts'

export type { ExpectedRequest, StoreMatchers } from './matchers.ts'

declare global {
  namespace PlaywrightTest {
    interface Matchers<R, T = unknown> extends StoreMatchers {}
  }
}

/** How each test gets its store. */
export interface WithStoreOptions extends ReportOptions, StoreParameters {
  /**
   * A mock that runs with `--sandbox`. @default the variable `ANIMAL_STORE_URL`, else each worker
   * starts one
   */
  readonly url?: string | undefined
  /**
   * A fresh sandbox for each test; or one for each worker, whose name is known before the app
   * starts: `test-worker-0` and so on. Its state starts again with each test.
   * @default 'test'
   */
  readonly sandbox?: 'test' | 'worker' | undefined
}

/** The store of one test: a sandbox that no other test uses at the same time. */
export interface TestStore extends Omit<SandboxStore, 'control'> {
  /** The control of this test's store, as `connect` returns it. */
  readonly control: RemoteControl
}

type UseStore = (store: TestStore & { [INSPECTION]: Inspection }) => Promise<void>
type EndTest = Awaited<ReturnType<typeof watchTest>>
const CALLER = 'withStore'
const schemas: OptionSchemas<WithStoreOptions> = {
  ...reportSchemas,
  ...startSchemas,
  url: TEXT,
  sandbox: { enum: ['test', 'worker'] },
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
) {
  const given = readOptions<WithStoreOptions>(CALLER, schemas, options)
  const { timeout, failOn = [], url, sandbox: scope = 'test', ...start } = given
  const usual = readVariable({ syntax: '--url <address>', parse: parseMockUrl })
  const mockUrl = url === undefined ? usual : parseMockUrl(url, 'url', CALLER)
  const token = readVariable(hostFlags.controlToken)
  const loadStart = prepareStart(start)
  const expected = 'the test of @playwright/test, as in withStore(base)'
  if (typeof base?.extend !== 'function')
    throw mismatch('', expected, { got: base, caller: CALLER })
  base.expect.extend(storeMatchers)

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads fixture names from this pattern
  const apiUrl = async ({}, use: (url: string) => Promise<void>) => {
    if (mockUrl) return use(mockUrl + contract.basePath)
    const { serve } = await import('../hosts/node/serve.ts')
    const serving = await serve(createMock({ sandbox: true, ...readSurpriseVariables() }))
    await use(serving.url)
    await serving.close()
  }

  const store = async ({ apiUrl: address }: { apiUrl: string }, use: UseStore, info: TestInfo) => {
    const apiKey = KEY_PREFIX + crypto.randomUUID()
    const sandbox = scope === 'test' ? apiKey : `${KEY_PREFIX}worker-${info.parallelIndex}`
    const control = connect(address, { token, sandbox })
    const present = await control.state({ pets: false }).catch((error: Error) => {
      throw pointAt('', new Error(`${CALLER}: ${address}: ${error.message}`))
    })
    // What the app has asked for since the last test has started it again.
    if (scope === 'worker') await control.removeSandbox(sandbox)
    await loadStart(control, apiKey, present)
    const listOthers = watchOthers(control)
    const own = addressSandbox(address, sandbox)
    const place = `store.url, or to ${address} with the API key of the test`
    const inspection: Inspection = {
      requests: control.requests,
      pending: new Set(),
      timeout,
      hint: async () => describeStore(place, [], await listOthers()),
    }
    const endTest = await watchTest(failOn, {
      ...inspection,
      faults: control.faults.list,
      rows: () => control.timeline({ waiting: true }),
      alternatives: (row) => control.whatIf(row.id, { alternatives: true }),
      recording: control.recording,
    })
    try {
      const held = createWaitHeld(control, inspection)
      await use({ url: own, sandbox, apiKey, control, held, [INSPECTION]: inspection })
      await reportTest(info, endTest, listOthers)
    } finally {
      await control.removeSandbox(sandbox).catch(() => {})
    }
  }

  type Extend = (fixtures: object) => TestType<T & { store: TestStore }, W>
  const extend: Extend = base.extend
  return extend({ apiUrl: [apiUrl, { scope: 'worker' }], store })
}

/** Returns a function that brings the sandbox of a test to its start. */
function prepareStart(start: StoreParameters) {
  const isEmpty = Object.keys(start).length === 0
  const scenario = isEmpty ? undefined : openStart(start, CALLER, openInKit)
  // Reported in each test.
  if (isPromise(scenario)) scenario.catch(() => {})
  return async (control: RemoteControl, apiKey: string, present: Scenario): Promise<void> => {
    if (scenario) {
      const opened = await (start.scenario === undefined ? openPresent(control) : scenario)
      await control.load(acceptKey(opened, apiKey))
    } else {
      const listed = findListedKeys(present)
      if (listed) await control.keys.set([...listed, apiKey])
    }
  }

  /** Without a scenario, the options change what the mock has. */
  async function openPresent(control: RemoteControl): Promise<ReadScenario> {
    return openStart({ ...start, scenario: await control.state() }, CALLER, openInKit)
  }
}

/** Returns a function that lists the requests of all keys since now. */
function watchOthers(control: RemoteControl) {
  const startedAt = new Date().toISOString()
  return async (): Promise<readonly RequestRow[]> => {
    const all = await control.requests({ sandbox: '*', waiting: true }).catch(() => [])
    return all.filter((row) => row.realAt >= startedAt)
  }
}

async function reportTest(
  info: TestInfo,
  endTest: EndTest,
  listOthers: () => Promise<readonly RequestRow[]>,
): Promise<void> {
  const path = info.outputPath('store.jsonl')
  const ended = await endTest({
    name: info.titlePath.slice(1).join(' › '),
    hasFailed: info.status !== info.expectedStatus,
    callSite: `    at ${info.file}:${info.line}:${info.column}`,
    file: path,
  })
  if (!ended) return
  // Reporters cut long texts, so the line that opens the recording comes first.
  const body = `${ended.saved}\n${ended.log}${describePreflights(await listOthers())}`
  await info.attach('request-log', { body, contentType: 'text/plain' })
  await info.attach('recording', { path, contentType: RECORDING_TYPE })
  if (ended.problem) throw ended.problem
}

/**
 * A preflight has no key; other workers may have sent some of them. Browsers repeat them before
 * every request.
 */
function describePreflights(rows: readonly RequestRow[]): string {
  const different = new Map<string, RequestRow>()
  for (const row of rows) {
    if (row.method === 'OPTIONS') different.set(`${row.target} ${row.notes}`, row)
  }
  if (different.size === 0) return ''
  const lines = [...different.values()].flatMap((row) => describeRequest(row))
  return ['\nOPTIONS meanwhile, which have no key:', ...lines].join('\n  ')
}
