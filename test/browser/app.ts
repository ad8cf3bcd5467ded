// The page of the browser suite: every door of the built package that is for browsers, with MSW's worker, within reach of a test.
import { createMock } from 'animal-store-mock'
import { generatePets } from 'animal-store-mock/generate'
import { createHandlers } from 'animal-store-mock/msw'
import { scenarios } from 'animal-store-mock/scenarios'
import { setupWorker } from 'msw/browser'

export interface Asked {
  readonly method?: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** What a page sees of an answer; the bytes as base64, since a test must not take our word for their text. */
export interface Seen {
  readonly status: number
  readonly headers: Record<string, string>
  readonly bytes: string
}

const mock = createMock({ apiKeys: ['page-key'], now: '2026-11-15T10:00:00Z', frozen: true })
const worker = setupWorker(...createHandlers(mock, { baseUrl: ['/v1', 'https://api.example.test/v1'] }))

async function ask({ url, ...init }: Asked): Promise<Seen> {
  const response = await fetch(url, init)
  const bytes = new Uint8Array(await response.arrayBuffer())
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    bytes: btoa(String.fromCharCode(...bytes)),
  }
}

const own = { mock, worker, ask, createMock, generatePets, scenarios }
type App = typeof own

declare global {
  var app: App
}

await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
globalThis.app = own
