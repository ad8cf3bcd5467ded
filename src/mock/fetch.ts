// A `fetch` that the mock answers: which addresses it takes, and what it rejects.
import { readOptions } from '../contract/options.ts'
import {
  type BaseUrl,
  baseOfPage,
  baseUrlSchema,
  findTarget,
  parseBaseUrl,
} from './base-address.ts'
import { isRequestObject, readFetched } from './read-fetched.ts'
import { type Answering, checkMock, createResponder } from './respond.ts'

/** Which addresses a `fetch` of the mock answers. */
export interface FetchOptions {
  /**
   * What the app calls, version segment included; other addresses are rejected. @default every
   * address
   */
  readonly baseUrl?: BaseUrl | undefined
}

/**
 * A `fetch` that the mock answers, for any client that takes one. It behaves as the platform's: a
 * dropped connection rejects with a TypeError, an aborted request with its reason.
 *
 * @example
 * const fetch = createFetch(createMock(), { baseUrl: 'https://api.example.com/v1' })
 * const client = createClient<paths>({ baseUrl: 'https://api.example.com/v1', fetch })
 */
export function createFetch(mock: Answering, options: FetchOptions = {}): typeof globalThis.fetch {
  checkMock('createFetch', mock)
  const { baseUrl } = readOptions('createFetch', baseUrlSchema, options)
  const bases = baseUrl === undefined ? undefined : parseBaseUrl(baseUrl)
  const ask = createAsk(mock, (url) => (bases ? findTarget(bases, url) : url.pathname + url.search))
  return async (input, init) => {
    const response = ask(input, init)
    if (response) return response
    throw new TypeError(`fetch failed: ${explainMiss(input)}`)
  }
}

/** A `fetch` for the addresses that `find` knows; it returns nothing for any other. */
export function createAsk(mock: Answering, find: (url: URL) => string | undefined) {
  const respond = createResponder(mock)

  async function send(
    input: RequestInfo | URL,
    init: RequestInit | undefined,
    url: URL,
    target: string,
  ): Promise<Response> {
    const { request, signal } = await readFetched(input, init, url)
    const response = await respond(request, target, signal)
    if (response.type === 'error')
      throw new TypeError('fetch failed: the mock dropped the connection')
    return response
  }

  return (input: RequestInfo | URL, init?: RequestInit): Promise<Response> | undefined => {
    const url = parseUrl(input)
    if (!url) return undefined
    const target = find(url)
    if (target === undefined) return undefined
    return send(input, init, url, target)
  }
}

function parseUrl(input: RequestInfo | URL): URL | undefined {
  const text = isRequestObject(input) ? input.url : String(input)
  const base = baseOfPage()
  if (!URL.canParse(text, base)) return undefined
  const url = new URL(text, base)
  return /^https?:$/.test(url.protocol) ? url : undefined
}

function explainMiss(input: RequestInfo | URL): string {
  const url = parseUrl(input)
  if (url) return `${url.href} is not under the mock's baseUrl`
  return `expected an http or https URL, got ${JSON.stringify(String(input))}`
}
