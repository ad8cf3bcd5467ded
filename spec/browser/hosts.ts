// Stands in for ../hosts.ts where specs run inside a page: one host, MSW's service worker in a real browser, on the built package.
import { createMock, type Mock, type MockOptions } from 'animal-store-mock'
import { createHandlers } from 'animal-store-mock/msw'
import { setupWorker } from 'msw/browser'
import { describe } from 'vitest'
import { parseJson } from '../../src/contract/int64-json.ts'
import type { Answer, Api, Ask } from '../hosts.ts'

export type { Answer, Api, Ask }

export class Dropped extends Error {}

/** Hosts that send a target exactly as it is written; no browser is one of them. */
export const RAW_HOSTS = ['direct', 'node'] as const

const ORIGIN = 'http://msw.test'
const worker = setupWorker()
const started = worker.start({ quiet: true, onUnhandledRequest: 'bypass' })

/** Runs the specs that run on MSW in Node. */
export function onEveryHost(
  specs: (start: (options?: MockOptions) => Promise<Api>, host: string) => void,
  names: readonly string[] = ['msw'],
): void {
  if (names.includes('msw')) describe('in a browser', () => specs((options) => startOn('msw', createMock(options)), 'msw'))
  else describe.skip('on hosts that are no browser', () => specs(() => Promise.reject(), 'msw'))
}

export async function startOn(_: string, mock: Mock): Promise<Api> {
  await started
  worker.resetHandlers(...createHandlers(mock, { baseUrl: `${ORIGIN}/v1` }))
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

async function ask(asked: Ask | string): Promise<Answer> {
  const {
    method = 'GET',
    target = '/v1/pets',
    key = 'spec-key',
    headers = {},
    body,
  } = typeof asked === 'string' ? { target: asked } : asked
  const fields = { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body as Uint8Array<ArrayBuffer> | undefined)
  let response: Response
  try {
    response = await fetch(ORIGIN + target, { method, headers: fields, ...(bytes ? { body: bytes } : {}) })
  } catch {
    throw new Dropped()
  }
  const text = await response.text()
  return { status: response.status, headers: Object.fromEntries(response.headers), text, json: text === '' ? undefined : parseJson(text) }
}
