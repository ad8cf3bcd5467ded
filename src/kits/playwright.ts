// The kit for Playwright: a store for each test, which is a sandbox of a mock in this process or in
// another.
import type { TestInfo, TestType } from '@playwright/test'
import { mismatch } from '../contract/errors.ts'
import { contract } from '../contract/generated/contract.ts'
import { type OptionSchemas, readOptions, TEXT } from '../contract/options.ts'
import { isPromise } from '../contract/values.ts'
import { connect, type RemoteControl } from '../control/client/connect.ts'
import { parseMockUrl, RECORDING_TYPE } from '../control/protocol.ts'
import { describeRequest } from '../control/text/describe-request.ts'
import { createMock } from '../mock/mock.ts'
import { openStart, startSchemas } from '../mock/mock-options.ts'
import { hostFlags } from '../scenario/settings/texts.ts'
import type { RequestRow } from '../world/row.ts'
import { findListedKeys } from '../world/scenario.ts'
import type { ReportOptions, StoreParameters } from './kit-options.ts'
import {
  acceptKey,
  KEY_PREFIX,
  readSurpriseVariables,
  readVariable,
  reportSchemas,
} from './kit-options.ts'
import {
  INSPECTION,
  type Inspection,
  pointAt,
  type StoreMatchers,
  storeMatchers,
} from './matchers.ts'
import type { SandboxStore } from './store.ts'
import { describeStore, openInKit, type Watched, watchTest } from './watch-test.ts'

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
  readonly url?: string
}

/** The store of one test, with a key that no other test has. */
export interface TestStore extends Omit<SandboxStore, 'control'> {
  /** The control of this test's store, as `connect` returns it. */
  readonly control: RemoteControl
}

type UseStore = (store: TestStore & { [INSPECTION]: Inspection }) => Promise<void>
const CALLER = 'withStore'
const schemas: OptionSchemas<WithStoreOptions> = { ...reportSchemas, ...startSchemas, url: TEXT }

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
  const {
    timeout,
    failOn = [],
    url,
    ...start
  } = readOptions<WithStoreOptions>(CALLER, schemas, options)
  const usual = readVariable({ syntax: '--url <address>', parse: parseMockUrl })
  const mockUrl = url === undefined ? usual : parseMockUrl(url, 'url', CALLER)
  const token = readVariable(hostFlags.controlToken)
  const scenario = Object.keys(start).length > 0 ? openStart(start, CALLER, openInKit) : undefined
  if (isPromise(scenario)) scenario.catch(() => {})
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
    const control = connect(address, { token, sandbox: apiKey })
    const refuse = ({ message }: Error) =>
      Promise.reject(pointAt('', new Error(`${CALLER}: ${address}: ${message}`)))
    const present = await control.state({ pets: false }).catch(refuse)
    if (scenario) {
      // Without a scenario, over what the mock has.
      const given = start.scenario === undefined && { ...start, scenario: await control.state() }
      const opened = await (given ? openStart(given, CALLER, openInKit) : scenario)
      await control.load(acceptKey(opened, apiKey))
    } else if (findListedKeys(present)) await control.assume({ 'valid-keys': 'any' })
    const startedAt = new Date().toISOString()
    const listAll = () => control.requests({ sandbox: '*', waiting: true }).catch(() => [])
    const listOthers = async () => (await listAll()).filter(({ realAt }) => realAt >= startedAt)
    const hint = async () =>
      describeStore(`${address} with the API key of the test`, [], await listOthers())
    const inspection: Inspection = { requests: control.requests, pending: new Set(), timeout, hint }
    const { faults, recording } = control
    const rows = () => control.timeline({ waiting: true })
    const alternatives: Watched['alternatives'] = ({ id }) =>
      control.whatIf(id, { alternatives: true })
    const endTest = await watchTest(failOn, {
      ...inspection,
      faults: faults.list,
      rows,
      alternatives,
      recording,
    })
    try {
      await use({ url: address, apiKey, control, [INSPECTION]: inspection })
      const path = info.outputPath('store.jsonl')
      const name = info.titlePath.slice(1).join(' › ')
      const hasFailed = info.status !== info.expectedStatus
      const callSite = `    at ${info.file}:${info.line}:${info.column}`
      const ended = await endTest({ name, hasFailed, callSite, file: path })
      if (!ended) return
      // Reporters cut long texts, so the line that opens the recording comes first.
      const body = `${ended.saved}\n${ended.log}${describePreflights(await listOthers())}`
      await info.attach('request-log', { body, contentType: 'text/plain' })
      await info.attach('recording', { path, contentType: RECORDING_TYPE })
      if (ended.problem) throw ended.problem
    } finally {
      await control.removeSandbox(apiKey).catch(() => {})
    }
  }

  const { extend }: { extend<Added extends object>(fixtures: object): TestType<T & Added, W> } =
    base
  return extend<{ store: TestStore }>({ apiUrl: [apiUrl, { scope: 'worker' }], store })
}

/**
 * A preflight has no key; other workers may have sent some of them. Browsers repeat them before
 * every request.
 */
function describePreflights(rows: readonly RequestRow[]): string {
  const preflights = rows.filter(({ method }) => method === 'OPTIONS')
  const different = new Map(preflights.map((row) => [`${row.target} ${row.notes}`, row]))
  const lines = [...different.values()].flatMap((row) => describeRequest(row))
  return lines.length === 0
    ? ''
    : ['\nOPTIONS meanwhile, which have no key:', ...lines].join('\n  ')
}
