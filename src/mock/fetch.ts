// Carries a standard Request into the engine and a Response out. It waits, drops and aborts as it
// is told.
import { isBodiless } from '../contract/address.ts'
import { mismatch } from '../contract/errors.ts'
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import { CHECKED_LATER, type OptionSchemas, readOptions } from '../contract/options.ts'
import { isObject } from '../contract/values.ts'
import type { Service } from '../service/answer.ts'
import type { Call, Reply } from '../service/call.ts'
import { type BaseUrl, baseOfPage, findTarget, parseBaseUrl } from './base-address.ts'

export type Answering = Pick<Service, 'answer'>

/** Which addresses a `fetch` of the mock answers. */
export interface FetchOptions {
  /**
   * What the app calls, version segment included; other addresses are rejected. @default every
   * address
   */
  readonly baseUrl?: BaseUrl | undefined
}

export const baseUrlSchema: OptionSchemas<{ baseUrl?: BaseUrl }> = { baseUrl: CHECKED_LATER }

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
    const asked = ask(input, init)
    if (asked) return asked
    const url = urlOf(input)
    if (url) throw new TypeError(`fetch failed: ${url.href} is not under the mock's baseUrl`)
    throw new TypeError(
      `fetch failed: expected an http or https URL, got ${JSON.stringify(String(input))}`,
    )
  }
}

/** A `fetch` for the addresses that `find` knows; it returns nothing for any other. */
export function createAsk(mock: Answering, find: (url: URL) => string | undefined) {
  const respond = createResponder(mock)
  const answer = async (
    given: RequestInfo | URL,
    init: RequestInit | undefined,
    url: URL,
    target: string,
  ) => {
    const { request, signal } = readFetched(given, init, url)
    const response = await respond(request, target, signal)
    if (response.type === 'error')
      throw new TypeError('fetch failed: the mock dropped the connection')
    return response
  }
  return (input: RequestInfo | URL, init?: RequestInit): Promise<Response> | undefined => {
    const url = urlOf(input)
    const target = url && find(url)
    return url && target !== undefined ? answer(input, init, url, target) : undefined
  }
}

export const isAnswering = (value: unknown): value is Answering =>
  isObject(value) && typeof value.answer === 'function'

export function checkMock(door: string, value: unknown): void {
  if (!isAnswering(value))
    throw mismatch('', 'a mock from createMock', { got: value, caller: door })
}

export function createResponder({ answer }: Answering) {
  return async (request: Request, target: string, signal?: AbortSignal): Promise<Response> => {
    signal?.throwIfAborted()
    const body = await readRequestBody(request)
    signal?.throwIfAborted()
    const reply = answer({ ...callOf(request, target), body })
    await carryOut(reply, signal)
    if (reply.drop) return Response.error()
    // A constructed response has no address. MSW 2.3 sets it again.
    return Object.defineProperty(toResponse(reply), 'url', {
      value: request.url,
      configurable: true,
    })
  }
}

/** A request without its body. Not every library can iterate over its headers. */
export function callOf({ method, headers: given }: Request, target: string): Call {
  const headers: Record<string, string> = {}
  given.forEach((value, name) => {
    headers[name] = value
  })
  return { method, target, headers, reportsOutcome: true }
}

export async function carryOut(reply: Reply, signal: AbortSignal | undefined): Promise<void> {
  try {
    if (reply.delay !== undefined) await wait(reply.delay, signal)
  } catch (reason) {
    reply.settle?.('aborted')
    throw reason
  }
  reply.settle?.('sent')
}

function readFetched(input: RequestInfo | URL, init: RequestInit | undefined, url: URL) {
  const given = isRequestObject(input) ? input : undefined
  // The signal stays outside: the platform's Request refuses one of another realm, such as jsdom's.
  const rest =
    init?.signal && !isRequestObject(init)
      ? Object.create(init, { signal: { value: undefined } })
      : init
  const request = given && !init ? given : new Request(given ?? url.href, rest)
  return {
    request,
    signal: (init?.signal === undefined ? given?.signal : init.signal) ?? undefined,
  }
}

/** Of any realm or library, so not by its class. */
const isRequestObject = (value: unknown): value is Request =>
  isObject(value) && typeof value.url === 'string' && isObject(value.headers)

function urlOf(input: RequestInfo | URL): URL | undefined {
  const [text, base] = [isRequestObject(input) ? input.url : String(input), baseOfPage()]
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/**
 * The body, if there is one; of one that is too large, just enough to show that it is: the service
 * refuses it.
 */
export async function readRequestBody(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
): Promise<Uint8Array | undefined> {
  if (isBodiless(request.method) || request.body === null) return undefined
  // Not every Request has a stream.
  if (!request.body) return new Uint8Array(await request.arrayBuffer())
  const reader = request.body.getReader()
  const chunks: { readonly at: number; readonly value: Uint8Array }[] = []
  let length = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push({ at: length, value: read.value })
    length += read.value.length
    if (length > maxBytes) break
  }
  void reader.cancel()
  const bytes = new Uint8Array(length)
  for (const { at, value } of chunks) bytes.set(value, at)
  return length > 0 ? bytes : undefined
}

export const toResponse = ({ status, headers, body }: Reply) =>
  new Response(body || null, { status, headers })

export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
  signal?.throwIfAborted()
}
