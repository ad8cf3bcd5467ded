// The host matrix: every spec of the service runs on each place where the mock can live, through
// one small client.
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setupServer } from 'msw/node'
import { describe, onTestFinished } from 'vitest'
import { createHandlers } from '../../src/hosts/msw.ts'
import { middleware } from '../../src/hosts/node/middleware.ts'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock, type Mock, type MockOptions } from '../../src/mock/mock.ts'
import {
  type Api,
  createClient,
  Dropped,
  lowerCase,
  sendRequest,
  toDirectWire,
  type Wire,
} from './client.ts'
import { judge } from './judge.ts'
import { sendOverHttp } from './send-over-http.ts'
import { startOnWorker, useWorkerd } from './worker-host.ts'

export { type Answer, type Api, type Ask, Dropped } from './client.ts'

type Carry = (mock: Mock) => Promise<Wire>

/** One for all: MSW asks each handler twice while two servers listen in one process. */
const mswServer = setupServer()
let mswMocks = 0

/**
 * The places. On `direct` and `node` a target goes out as it is; the others can only send what a
 * URL can say.
 */
export const hosts: Record<'direct' | 'fetch' | 'node' | 'http2' | 'msw', Carry> = {
  direct: async (mock) => toDirectWire(mock),

  async fetch(mock) {
    return (ask) => sendRequest((request) => mock.fetch(request), 'http://mock.test', ask)
  },

  async node(mock) {
    const { port, close } = await serve(mock)
    onTestFinished(close)
    return (sent) => sendOverHttp(port, sent)
  },

  /** Such as Vite has with TLS. */
  async http2(mock) {
    const { session } = await startHttp2(mock)
    return ({ method, target, headers, body }) =>
      new Promise((resolve, reject) => {
        // A value must not begin or end with a space (RFC 9113 §8.2.1).
        const trimmed = Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, value.trim()]),
        )
        const stream = session.request(
          { ':method': method, ':path': target, ...trimmed },
          { endStream: body === undefined },
        )
        const chunks: Buffer[] = []
        stream.on('error', () => {}).on('close', () => reject(new Dropped()))
        stream.on('response', ({ ':status': status = 0, ...fields }) => {
          const received = Object.entries(fields).map(
            ([name, value]) => [name, String(value)] as const,
          )
          stream.on('data', (chunk) => chunks.push(chunk))
          stream.on('end', () =>
            resolve({
              status,
              headers: lowerCase(received),
              text: Buffer.concat(chunks).toString(),
            }),
          )
        })
        if (body) stream.end(body)
      })
  },

  async msw(mock) {
    // A separate address for each mock, so that two of one test do not answer for each other.
    const origin = `http://${crypto.randomUUID()}.test`
    if (mswMocks++ === 0) mswServer.listen({ onUnhandledRequest: 'error' })
    mswServer.use(...createHandlers(mock, { baseUrl: `${origin}/v1` }))
    onTestFinished(() => {
      mswServer.resetHandlers()
      if (--mswMocks === 0) mswServer.close()
    })
    return (ask) => sendRequest((request) => fetch(request), origin, ask)
  },
}

/** The middleware in a server of node:http2, and a client of it. */
export async function startHttp2(mock: Mock) {
  const server = createHttp2Server(middleware(mock) as never)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const session = connectHttp2(`http://${authority}`)
  onTestFinished(() => {
    session.destroy()
    server.close()
  })
  return { session, authority }
}

/** Those, and the one in a separate process. */
type HostName = keyof typeof hosts | 'worker'

/** Hosts that send a target exactly as it is written. */
export const RAW_HOSTS = ['direct', 'node'] as const

/** The hosts of this run: `npm test` takes two, `npm run test:rest` the others. */
const chosen = process.env.HOSTS?.split(',')

/** Runs the specs on each host of this run; `start` gives a fresh mock there. */
export function onEveryHost(
  specs: (start: (options?: MockOptions) => Promise<Api>, host: HostName) => void,
  names: readonly HostName[] = ['direct', 'fetch', 'node', 'http2', 'msw', 'worker'],
): void {
  describe.each(names.filter((name) => chosen?.includes(name) ?? true))('on %s', (name) => {
    if (name === 'worker') useWorkerd()
    specs((options) => startWith(name, options), name)
  })
}

/** A fresh mock on one host. */
async function startWith(name: HostName, options?: MockOptions): Promise<Api> {
  if (name !== 'worker') return startOn(name, createMock(options))
  const { mock, wire } = await startOnWorker(options)
  return toJudged(mock, wire)
}

/** A client of the mock on one host of this process. */
export async function startOn(name: keyof typeof hosts, mock: Mock): Promise<Api> {
  return toJudged(mock, await hosts[name](mock))
}

/** Prism judges every answer. */
function toJudged(mock: Mock, wire: Wire): Api {
  return createClient(
    mock,
    wire,
    ({ method, target, headers }, { status, headers: answered, text }) => {
      const faults = mock.control.faults.list()
      const faulty = 'prefer' in headers || faults.length > 0
      // Such a body is wrong on purpose.
      if (!faults.some(({ body, response }) => body !== undefined || response !== undefined))
        judge({ method, target, status, headers: answered, text }, faulty)
    },
  )
}
