// Carries a standard Request into the engine and a Response out.
import { isBodiless } from '../contract/address.ts'
import { mismatch } from '../contract/errors.ts'
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import { isObject } from '../contract/values.ts'
import type { Service } from '../service/answer.ts'
import type { Call, Reply } from '../service/call.ts'
import { type ContentCoding, failDecoding, findCoding } from '../service/content-coding.ts'
import { carryOut } from './carry-out.ts'
import { isStream, readStream } from './read-stream.ts'

export type Answering = Pick<Service, 'answer'>

export const isAnswering = (value: unknown): value is Answering =>
  isObject(value) && typeof value.answer === 'function'

export function checkMock(caller: string, value: unknown): void {
  if (!isAnswering(value)) throw mismatch('', 'a mock from createMock', { got: value, caller })
}

export function createResponder(mock: Answering) {
  return async (request: Request, target: string, signal?: AbortSignal): Promise<Response> => {
    signal?.throwIfAborted()
    const body = await readRequestBody(request, MAX_BODY_BYTES, signal)
    signal?.throwIfAborted()
    const reply = mock.answer({ ...callOf(request, target), body })
    const final = await carryOut(reply, signal)
    if (final.drop) return Response.error()
    // A constructed response has no address. MSW 2.3 sets it again.
    return Object.defineProperty(toResponse(final), 'url', {
      value: request.url,
      configurable: true,
    })
  }
}

/** A request without its body. Not every library can iterate over its headers. */
export function callOf(request: Request, target: string): Call {
  const headers: Record<string, string> = {}
  request.headers.forEach((value, name) => {
    headers[name] = value
  })
  return { method: request.method, target, headers, reportsOutcome: true }
}

/** The body, if there is one; the service refuses one that is too large. */
export async function readRequestBody(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (isBodiless(request.method) || request.body === null) return undefined
  const encoding = request.headers.get('content-encoding') ?? ''
  const coding = findCoding({ headers: { 'content-encoding': encoding } })
  const { body } = request
  if (coding) {
    const stream = isStream(body) ? body : new Blob([await request.arrayBuffer()]).stream()
    return decompress(stream, coding, maxBytes, signal)
  }
  // Not every Request has a stream of the web.
  if (!isStream(body)) return new Uint8Array(await request.arrayBuffer())
  const bytes = await readStream(body, maxBytes, signal)
  return bytes.length > 0 ? bytes : undefined
}

async function decompress(
  stream: ReadableStream<Uint8Array>,
  coding: ContentCoding,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  try {
    const { readable, writable } = new DecompressionStream(coding)
    // The types of some platforms disagree about what a chunk is.
    const pair = { readable, writable: writable as WritableStream<Uint8Array> }
    const bytes = await readStream(stream.pipeThrough(pair), maxBytes, signal)
    return bytes.length > 0 ? bytes : undefined
  } catch {
    signal?.throwIfAborted()
    return failDecoding(false, maxBytes)
  }
}

export function toResponse(reply: Reply): Response {
  const { status, headers, body } = reply
  return new Response(reply.cut ? breakOff(body) : body || null, { status, headers })
}

/** The text, and then an error in place of the end. */
function breakOff(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
    },
    pull(controller) {
      controller.error(new TypeError('The connection was closed'))
    },
  })
}
