// The host matrix: every spec of the service runs on each place where the mock can live, through one small client.
import { request as httpRequest } from 'node:http'
import { setupServer } from 'msw/node'
import { describe, onTestFinished } from 'vitest'
import { parseJson } from '../src/contract/int64-json.ts'
import { createHandlers } from '../src/hosts/msw.ts'
import { serve } from '../src/hosts/node.ts'
import { createMock, type Mock, type MockOptions } from '../src/mock.ts'
import { judge } from './judge.ts'

/** What a spec sends. The key is `spec-key` unless another, or none, is named. */
export interface Ask {
  readonly method?: string
  readonly target?: string
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** What comes back, with field names in lower case; `json` is exact at int64. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: unknown
}

export interface Api {
  readonly mock: Mock
  /** Sends a request; a dropped connection rejects with a Dropped. */
  ask(ask: Ask | string): Promise<Answer>
  /** Adds an animal. */
  create(pet: unknown, ask?: Ask): Promise<Answer>
}

export class Dropped extends Error {}

type Wire = (
  ask: Required<Omit<Ask, 'key' | 'body'>> & { body: Uint8Array | undefined },
) => Promise<{ status: number; headers: Record<string, string>; text: string }>
type Carry = (mock: Mock) => Promise<Wire>

/** One for all: MSW asks each handler twice while two servers listen in one process. */
const mswServer = setupServer()
let mswMocks = 0

/** The places. On `direct` and `node` a target goes out as it is; the other two can only send what a URL can say. */
export const hosts: Record<'direct' | 'fetch' | 'node' | 'msw', Carry> = {
  async direct(mock) {
    return async ({ method, target, headers, body }) => {
      const reply = mock.answer({ method, target, header: (name) => headers[name], body })
      if (reply.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.delay))
      if (reply.drop) throw new Dropped()
      return { status: reply.status, headers: lowerCase(Object.entries(reply.headers)), text: reply.body }
    }
  },

  async fetch(mock) {
    return (ask) => viaFetch((request) => mock.fetch(request), 'http://mock.test', ask)
  },

  async node(mock) {
    const { url, close } = await serve(mock)
    onTestFinished(close)
    const { port } = new URL(url)
    return ({ method, target, headers, body }) =>
      new Promise((resolve, reject) => {
        const request = httpRequest({ host: '127.0.0.1', port, method, path: target, headers, agent: false }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk)).on('error', () => reject(new Dropped()))
          response.on('end', () => {
            const fields = response.rawHeaders.flatMap((name, index, all) =>
              index % 2 === 0 ? [[name, all[index + 1]] as [string, string]] : [],
            )
            resolve({ status: response.statusCode ?? 0, headers: lowerCase(fields), text: Buffer.concat(chunks).toString() })
          })
        })
        request.on('error', () => reject(new Dropped()))
        request.end(body)
      })
  },

  async msw(mock) {
    // An address of its own for each mock, so that two of one test do not answer for each other.
    const origin = `http://${crypto.randomUUID()}.test`
    if (mswMocks++ === 0) mswServer.listen({ onUnhandledRequest: 'error' })
    mswServer.use(...createHandlers(mock, { baseUrl: `${origin}/v1` }))
    onTestFinished(() => {
      mswServer.resetHandlers()
      if (--mswMocks === 0) mswServer.close()
    })
    return (ask) => viaFetch((request) => fetch(request), origin, ask)
  },
}

/** Hosts that send a target exactly as it is written. */
export const RAW_HOSTS = ['direct', 'node'] as const

async function viaFetch(
  send: (request: Request) => Promise<Response>,
  origin: string,
  { method, target, headers, body }: Parameters<Wire>[0],
) {
  const request = new Request(origin + target, {
    method,
    headers: { ...headers },
    ...(body ? { body: body as Uint8Array<ArrayBuffer> } : {}),
  })
  let response: Response
  try {
    response = await send(request)
  } catch {
    throw new Dropped()
  }
  return { status: response.status, headers: lowerCase([...response.headers]), text: await response.text() }
}

/** Runs the specs on each host; `start` gives a fresh mock there. */
export function onEveryHost(
  specs: (start: (options?: MockOptions) => Promise<Api>, host: keyof typeof hosts) => void,
  names: readonly (keyof typeof hosts)[] = ['direct', 'fetch', 'node', 'msw'],
): void {
  describe.each(names)('on %s', (name) => {
    specs(async (options) => startOn(name, createMock(options)), name)
  })
}

/** A client of the mock on one host. */
export async function startOn(name: keyof typeof hosts, mock: Mock): Promise<Api> {
  const wire = await hosts[name](mock)
  async function ask(asked: Ask | string): Promise<Answer> {
    const {
      method = 'GET',
      target = '/v1/pets',
      key = 'spec-key',
      headers = {},
      body,
    } = typeof asked === 'string' ? { target: asked } : asked
    const fields = { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers }
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    const { status, headers: answered, text } = await wire({ method, target, headers: fields, body: bytes })
    const faulty = 'prefer' in fields || mock.control.faults.list().length > 0
    judge({ method, target, status, headers: answered, text }, faulty)
    return { status, headers: answered, text, json: text === '' ? undefined : parseJson(text) }
  }
  return {
    mock,
    ask,
    create: (pet, more = {}) =>
      ask({
        method: 'POST',
        body: typeof pet === 'string' ? pet : JSON.stringify(pet),
        ...more,
        headers: { 'content-type': 'application/json', ...more.headers },
      }),
  }
}

function lowerCase(fields: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]))
}
