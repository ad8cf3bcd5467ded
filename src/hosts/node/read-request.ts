// Reads a request of node:http: its head as a call, whether the head is acceptable, and its body
// within a budget.
import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { ApiError } from '../../contract/errors.ts'
import { MAX_HEADER_BYTES, WAITING_REQUEST_BYTES } from '../../contract/limits.ts'
import { createSizeError } from '../../service/admit.ts'
import type { Call } from '../../service/call.ts'
import type { Budget } from './budget.ts'
import { isHttp2 } from './exchange.ts'

const REFUSALS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    `Request line and header fields too large; the limit is ${MAX_HEADER_BYTES} bytes`,
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large'],
  HPE_INVALID_VERSION: [505, 'The supported versions are HTTP/1.1 and HTTP/1.0'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
}
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i
const CLOSE = { headers: { Connection: 'close' } }

/** What a message gets that the parser cannot read, by the code of node:http. */
export function toApiError(code: string): ApiError {
  const [status, message] = REFUSALS[code] ?? [400, 'The request is not well-formed HTTP/1.1']
  return new ApiError(status, message)
}

/** The call holds on to the header fields only, so that the request log keeps no socket alive. */
export function readCall(request: IncomingMessage): Call {
  const { method = '', url: target = '', headers: sent, socket } = request
  const scheme = (socket as Partial<TLSSocket>).encrypted ? 'https' : 'http'
  const headers: Record<string, string> = {}
  // HTTP/2 has separate fields for the request line, and a handler before may have set anything.
  for (const name in sent) {
    const value = sent[name]
    if (value != null && !name.startsWith(':')) headers[name] = String(value)
  }
  return { method, target, scheme, headers, body: undefined, reportsOutcome: true }
}

/** Whether a body follows the head of the request (RFC 9112 §6); HTTP/2 says so in its frames. */
export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request
  if (headers['transfer-encoding'] !== undefined) return true
  if (Number(headers['content-length'] ?? 0) > 0) return true
  return isHttp2(request) && !request.stream.endAfterHeaders
}

/**
 * Refuses what the parser lets through: other versions and expectations, and bodies that are too
 * large or encoded.
 */
export function findHeadError(request: IncomingMessage, maxBytes: number): ApiError | undefined {
  const { headers, httpVersionMajor, httpVersionMinor } = request
  if (httpVersionMajor !== 1 && !isHttp2(request)) return toApiError('HPE_INVALID_VERSION')
  const coding = headers['transfer-encoding']?.trim().toLowerCase()
  // The end of such a message cannot be relied on (RFC 9112 §6.1).
  if (coding && httpVersionMinor === 0)
    return new ApiError(400, 'HTTP/1.0 has no Transfer-Encoding', CLOSE)
  if (coding && coding !== 'chunked')
    return new ApiError(501, 'The only supported Transfer-Encoding is chunked')
  const isKnown = CONTINUE.test(headers.expect ?? '100-continue') || httpVersionMinor === 0
  if (!isKnown) return new ApiError(417, 'The only supported expectation is 100-continue', CLOSE)
  return Number(headers['content-length'] ?? 0) > maxBytes ? createSizeError(maxBytes) : undefined
}

/**
 * Reads a body that is still arriving, at most as much as shows that it is too large, or nothing
 * without budget.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  budget: Budget,
  onBody: (body?: Buffer) => void,
): void {
  const chunks: Buffer[] = []
  let received = 0
  let held = WAITING_REQUEST_BYTES
  const stop = () => {
    request.off('data', onData).off('end', onEnd)
    budget.give(held)
    held = 0
  }
  const finish = (body?: Buffer) => {
    stop()
    onBody(body)
  }
  const onEnd = () => finish(Buffer.concat(chunks))
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    received += chunk.length
    held += chunk.length
    if (!budget.take(chunk.length)) finish()
    else if (received > limit) onEnd()
  }
  request.on('data', onData).on('end', onEnd).on('close', stop)
  if (!budget.take(held)) finish()
}
