// The worker as a host of the specs: one real workerd for each file, with a separate deployment for
// every mock.
import { afterAll } from 'vitest'
import { toJson } from '../../src/contract/int64-json.ts'
import { createMock, type Mock, type MockOptions } from '../../src/mock/mock.ts'
import { openStart } from '../../src/mock/mock-options.ts'
import { checkScenario } from '../../src/scenario/check-scenario.ts'
import { createAskAtOnce } from './ask-at-once.ts'
import type { Wire } from './client.ts'
import { createRemoteControl } from './remote-control.ts'
import { sendOverHttp } from './send-over-http.ts'
import { MANY_DEPLOYMENTS, startWorkerd, type Workerd } from './workerd.ts'

const TOKEN = 'control-token-of-the-specs'

let workerd: Promise<Workerd> | undefined
const ask = createAskAtOnce()
let deployments = 0

/** Stops workerd after the specs of the file. */
export function useWorkerd(): void {
  afterAll(async () => {
    await (await workerd)?.stop()
    workerd = undefined
  })
}

/** A mock with these options on the worker: its control, and how to send requests to it. */
export async function startOnWorker(
  options: MockOptions = {},
): Promise<{ readonly mock: Mock; readonly wire: Wire }> {
  // What is wrong with the options is the same on every host.
  createMock(options)
  workerd ??= startWorkerd({ entry: MANY_DEPLOYMENTS })
  const { port } = await workerd
  const name = `d${++deployments}`
  ask({
    port,
    method: 'PUT',
    path: `/deployments/${name}`,
    headers: {},
    body: JSON.stringify(toBindings(options)),
  })
  const control = createRemoteControl((method, target, body) =>
    ask({
      port,
      method,
      path: `/__mock${target}`,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'x-deployment': name,
        ...(body === undefined
          ? { 'x-mock-control': '1' }
          : { 'content-type': 'application/json' }),
      },
      body,
    }),
  )
  const wire: Wire = (sent) =>
    sendOverHttp(port, { ...sent, headers: { ...sent.headers, 'x-deployment': name } })
  return { mock: { control } as Mock, wire }
}

function toBindings({
  sandbox = false,
  requestLog,
  corsOrigins,
  ...scenario
}: MockOptions): Record<string, string> {
  return {
    CONTROL_TOKEN: TOKEN,
    SANDBOX: sandbox ? '1' : '0',
    SCENARIO: toJson(openStart(scenario, 'test', checkScenario)),
    ...(corsOrigins ? { CORS_ORIGIN: corsOrigins.join(' ') } : {}),
    ...(requestLog?.rows === undefined ? {} : { REQUEST_LOG: String(requestLog.rows) }),
  }
}
