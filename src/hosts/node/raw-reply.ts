// Replies that node:http cannot send: to a message that never became a request, because the parser gave up or the client was too slow, and
// to a request whose body will not be read to its end.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, toErrorText } from '../../contract/errors.ts'
import { LINGER_MS, MAX_HEADER_BYTES } from '../../limits.ts'
import type { Reply } from '../../service/call.ts'
import { setTimeout } from './timers.ts'

/** The refusals of what the parser reports. Everything else is a 400. */
const REFUSALS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `Request line and header fields too large; the limit is ${MAX_HEADER_BYTES} bytes`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large'],
  HPE_INVALID_VERSION: [505, 'The supported versions are HTTP/1.1 and HTTP/1.0'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
}

export function toApiError(code: string): ApiError {
  return new ApiError(...(REFUSALS[code] ?? [400, 'The request is not well-formed HTTP/1.1']))
}

/** A refusal that does not need the engine. */
export function toPlainReply({ status, message, headers }: ApiError): Reply {
  const body = toErrorText(status, message, 'names')
  return { status, headers: { 'Content-Type': 'application/json', 'Content-Length': String(body.length), ...headers }, body }
}

/** Writes the reply as HTTP/1.1 text and ends the connection. */
export function endRaw({ status, headers, body, settle }: Reply, socket: Socket): void {
  settle?.(socket.writable ? 'sent' : 'aborted')
  const fields = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${body}`)
  // Closing at once on a client that is still sending would reset the connection before it has read the response.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
