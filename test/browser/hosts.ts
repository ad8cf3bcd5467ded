// Replaces ../hosts.ts where specs run inside a page: the built package behind MSW's service
// worker. Where a spec is not for MSW, the page asks the engine itself.
import { createMock, type Mock, type MockOptions } from 'animal-store-mock'
import { createHandlers } from 'animal-store-mock/msw'
import { setupWorker } from 'msw/browser'
import { describe, onTestFinished } from 'vitest'
import { type Api, createClient, sendRequest, toDirectWire, type Wire } from '../support/client.ts'

export { type Answer, type Api, type Ask, Dropped } from '../support/client.ts'

/** Hosts that send a target exactly as it is written. */
export const RAW_HOSTS = ['direct'] as const

const worker = setupWorker()
const started = worker.start({ quiet: true, onUnhandledRequest: 'bypass' })

const hosts: Record<'direct' | 'msw', (mock: Mock) => Promise<Wire>> = {
  direct: async (mock) => toDirectWire(mock),

  async msw(mock) {
    await started
    const origin = `http://${crypto.randomUUID()}.test`
    worker.use(...createHandlers(mock, { baseUrl: `${origin}/v1` }))
    onTestFinished(() => worker.resetHandlers())
    return (sent) => sendRequest(fetch, origin, sent)
  },
}

/** Runs the specs in this page; `start` gives a fresh mock there. */
export function onEveryHost(
  specs: (start: (options?: MockOptions) => Promise<Api>, host: keyof typeof hosts) => void,
  names: readonly string[] = ['msw'],
): void {
  const name = names.includes('msw') ? 'msw' : 'direct'
  describe(`on ${name} in a page`, () =>
    specs((options) => startOn(name, createMock(options)), name))
}

/** A client of the mock. */
export async function startOn(name: keyof typeof hosts, mock: Mock): Promise<Api> {
  return createClient(mock, await hosts[name](mock))
}
