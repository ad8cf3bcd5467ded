// Turns a node:http request into a call of the engine, and reads its body within one budget for all.
import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../contract/errors.ts'
import { WAITING_REQUEST_BYTES } from '../../limits.ts'
import { tooLarge } from '../../service/admit.ts'
import type { Call } from '../../service/call.ts'
import type { Budget } from './budget.ts'
import { isHttp2 } from './channel.ts'
import { toApiError } from './raw-reply.ts'

/** The call holds on to the header fields only, so that the request log keeps no socket alive. */
export function toCall({ method = '', url: target = '', headers, rawHeaders }: IncomingMessage): Call {
  // The server joins repeated fields; only Set-Cookie would be a list.
  const header: Call['header'] = (name) => headers[name] as string | undefined
  return { method, target, header, body: undefined, fields: rawHeaders, reportsOutcome: true, showsWire: true }
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

/** Reads a body that is still arriving, at most as much as shows that it is too large. `onBody` gets none if the budget is used up. */
export function readBody(request: IncomingMessage, maxBytes: number, budget: Budget, onBody: (body: Uint8Array | undefined) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  let held = 0
  const hold = (bytes: number) => {
    held += bytes
    return budget.take(bytes)
  }
  const stop = () => {
    request.off('data', onData).off('end', onEnd)
    budget.give(held)
    held = 0
  }
  const finish = (body: Buffer | undefined) => {
    stop()
    onBody(body)
  }
  const onEnd = () => finish(Buffer.concat(chunks))
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (!hold(chunk.length)) finish(undefined)
    else if (length > maxBytes) finish(Buffer.concat(chunks))
  }
  request.on('data', onData).on('end', onEnd).on('close', stop)
  if (!hold(WAITING_REQUEST_BYTES)) finish(undefined)
}
