// Turns a node:http request into a call of the engine, and reads its body within one budget for all.
import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../contract/errors.ts'
import { tooLarge } from '../../service/admit.ts'
import type { Call } from '../../service/call.ts'
import { toApiError } from './raw-reply.ts'

/** The call holds on to the header fields only, so that the request log keeps no socket alive. */
export function toCall({ method = '', url = '', headers, rawHeaders }: IncomingMessage): Call {
  // The server joins repeated fields; only Set-Cookie would be a list.
  const header: Call['header'] = (name) => headers[name] as string | undefined
  return { method, target: url, header, body: undefined, fields: rawHeaders, reportsOutcome: true, showsWire: true }
}

/** A request of an existing server, which may speak HTTP/2. */
export function isHttp2(request: IncomingMessage): request is IncomingMessage & { readonly stream: { readonly endAfterHeaders: boolean } } {
  return 'stream' in request
}

/** Whether a body follows the head of the request (RFC 9112 §6); HTTP/2 says so in its frames. */
export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) return true
  return isHttp2(request) && !request.stream.endAfterHeaders
}

/** Refuses what the parser lets through: other versions, and bodies that are too large or encoded. */
export function checkHead(request: IncomingMessage, maxBytes: number): ApiError | undefined {
  const { headers, httpVersionMajor, httpVersionMinor } = request
  if (httpVersionMajor !== 1 && !isHttp2(request)) return toApiError('HPE_INVALID_VERSION')
  const coding = headers['transfer-encoding']?.trim().toLowerCase()
  // The end of such a message cannot be relied on (RFC 9112 §6.1).
  if (coding && httpVersionMinor === 0) return new ApiError(400, 'HTTP/1.0 has no Transfer-Encoding', { headers: { Connection: 'close' } })
  if (coding && coding !== 'chunked') return new ApiError(501, 'The only supported Transfer-Encoding is chunked')
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined
}

/** The body of a request that has arrived whole, as most have. Reading it through events makes createPet 10 % slower. */
export function takeBody(request: IncomingMessage): Uint8Array {
  return (request.read() as Buffer | null) ?? NO_BYTES
}

const NO_BYTES = new Uint8Array()

export type BodyBudget = ReturnType<typeof createBodyBudget>

/** One budget for all bodies in flight: requests that are still arriving, and responses that clients do not read. */
export function createBodyBudget(maxBytes: number) {
  let held = 0
  return {
    /** Takes the bytes in any case; returns whether they fit. */
    take(bytes: number): boolean {
      held += bytes
      return held <= maxBytes
    },
    release(bytes: number): void {
      held -= bytes
    },
  }
}

/** Reads a body that is still arriving, at most as much as shows that it is too large. `onBody` gets none if the budget is used up. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  budget: BodyBudget,
  onBody: (body: Uint8Array | undefined) => void,
): void {
  const chunks: Buffer[] = []
  let length = 0
  const stop = () => {
    request.off('data', onData).off('end', onEnd).off('close', stop)
    budget.release(length)
    length = 0
  }
  const onEnd = () => {
    stop()
    onBody(Buffer.concat(chunks))
  }
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    const fits = budget.take(chunk.length)
    if (fits && length <= maxBytes) return
    stop()
    onBody(fits ? Buffer.concat(chunks) : undefined)
  }
  request.on('data', onData).on('end', onEnd).on('close', stop)
}
