// Stands in for ../hosts.ts where specs run inside a page: the built package behind MSW's service worker. Where a spec is not for
// MSW, the page asks the engine itself.
import { createMock, type Mock, type MockOptions } from 'animal-store-mock'
import { createHandlers } from 'animal-store-mock/msw'
import { setupWorker } from 'msw/browser'
import { describe, onTestFinished } from 'vitest'
import { parseJson } from '../../src/contract/int64-json.ts'
import type { Answer, Api, Ask } from '../hosts.ts'

export type { Answer, Api, Ask }

export class Dropped extends Error {}

/** Hosts that send a target exactly as it is written. */
export const RAW_HOSTS = ['direct'] as const

interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array<ArrayBuffer> | undefined
}
type Wire = (sent: Sent) => Promise<Omit<Answer, 'json'>>

const worker = setupWorker()
const started = worker.start({ quiet: true, onUnhandledRequest: 'bypass' })

const hosts: Record<'direct' | 'msw', (mock: Mock) => Promise<Wire>> = {
  async direct(mock) {
    return async ({ method, target, headers, body }) => {
      const reply = mock.answer({ method, target, header: (name) => headers[name], body })
      if (reply.drop) throw new Dropped()
      return { status: reply.status, headers: lowerCase(Object.entries(reply.headers)), text: reply.body }
    }
  },

  async msw(mock) {
    await started
    const origin = `http://${crypto.randomUUID()}.test`
    worker.use(...createHandlers(mock, { baseUrl: `${origin}/v1` }))
    onTestFinished(() => worker.resetHandlers())
    return async ({ method, target, headers, body }) => {
      const response = await fetch(origin + target, { method, headers, ...(body ? { body } : {}) }).catch(() => {
        throw new Dropped()
      })
      return { status: response.status, headers: lowerCase([...response.headers]), text: await response.text() }
    }
  },
}

/** Runs the specs in this page; `start` gives a fresh mock there. */
export function onEveryHost(
  specs: (start: (options?: MockOptions) => Promise<Api>, host: keyof typeof hosts) => void,
  names: readonly string[] = ['msw'],
): void {
  const name = names.includes('msw') ? 'msw' : 'direct'
  describe(`on ${name} in a page`, () => specs((options) => startOn(name, createMock(options)), name))
}

/** A client of the mock. */
export async function startOn(name: keyof typeof hosts, mock: Mock): Promise<Api> {
  const wire = await hosts[name](mock)
  async function ask(asked: Ask | string): Promise<Answer> {
    const {
      method = 'GET',
      target = '/v1/pets',
      key = 'spec-key',
      headers = {},
      body,
    }: Ask = typeof asked === 'string' ? { target: asked } : asked
    const fields = { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers }
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body as Uint8Array<ArrayBuffer> | undefined)
    const answer = await wire({ method, target, headers: fields, body: bytes })
    return { ...answer, json: answer.text === '' ? undefined : parseJson(answer.text) }
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
