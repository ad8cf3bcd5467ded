// Reads a request of node:http: its head as a call, whether the head is acceptable, and its body
// within a budget.
import { Buffer } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { ApiError } from '../../contract/errors.ts'
import { MAX_HEADER_BYTES, WAITING_REQUEST_BYTES } from '../../contract/limits.ts'
import { cutText } from '../../contract/values.ts'
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
const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]+) ([!-~]+) HTTP\/(\d\.\d)\r?$/
const VERSIONS = ['1.0', '1.1']
const LINE_FEED = 0x0a
const MAX_METHOD_CHARACTERS = 40
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i
const CLOSE = { headers: { Connection: 'close' } }

/** An error of the parser of node:http, with the chunk that it read. */
export interface UnreadableError {
  readonly code?: string
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** What a message gets that the parser cannot read, by the code of node:http. */
export function toApiError(code: string): ApiError {
  const [status, message] = REFUSALS[code] ?? [400, 'The request is not well-formed HTTP/1.1']
  return new ApiError(status, message)
}

/** The call that the log has for a message whose head cannot be read, and its refusal. */
export function readUnreadable(error: UnreadableError): { call: Call; refusal: ApiError } {
  const { code = '' } = error
  const [, method = '', target = '', version = ''] = REQUEST_LINE.exec(findLine(error)) ?? []
  const call: Call = { method, target, headers: {}, reportsOutcome: true }
  // The parser knows a list of methods; any other token is one that we do not implement (RFC 9110
  // §9.1).
  if (code === 'HPE_INVALID_METHOD' && VERSIONS.includes(version)) {
    const name = cutText(method, MAX_METHOD_CHARACTERS)
    return { call, refusal: new ApiError(501, `The method ${name} is not supported`) }
  }
  // A bare line feed after a version that it knows is a version that it does not know.
  const isLineEnd = code === 'HPE_INVALID_VERSION' && VERSIONS.includes(version)
  return { call, refusal: toApiError(isLineEnd ? '' : code) }
}

/** The line that the parser stopped in, as far as it has arrived. */
function findLine({ code, rawPacket, bytesParsed = 0 }: UnreadableError): string {
  if (!rawPacket) return ''
  // The line feed after a version has been read.
  const at = code === 'HPE_INVALID_VERSION' ? bytesParsed - 1 : bytesParsed
  const begin = findLineStart(rawPacket, at)
  const end = rawPacket.indexOf(LINE_FEED, begin)
  const line = rawPacket.subarray(begin, end < 0 ? undefined : end)
  return line.toString('latin1', 0, MAX_HEADER_BYTES)
}

function findLineStart(packet: Buffer, at: number): number {
  if (at <= 0) return 0
  const lineFeed = packet.lastIndexOf(LINE_FEED, at - 1)
  return lineFeed < 0 ? 0 : lineFeed + 1
}

/** The call holds on to the header fields only, so that the request log keeps no socket alive. */
export function readCall(request: IncomingMessage): Call {
  const { method = '', url: target = '', socket } = request
  const scheme = (socket as Partial<TLSSocket>).encrypted ? 'https' : 'http'
  const headers = readHeaders(request.headers)
  return { method, target, scheme, headers, body: undefined, reportsOutcome: true }
}

/** The fields as they are if all are texts, as nearly always; else a copy. */
function readHeaders(sent: IncomingHttpHeaders): Call['headers'] {
  for (const name in sent) {
    // HTTP/2 has separate fields for the request line, and a handler before may have set anything.
    if (typeof sent[name] !== 'string' || name.startsWith(':')) return copyTexts(sent)
  }
  return sent as Call['headers']
}

function copyTexts(sent: IncomingHttpHeaders): Call['headers'] {
  const headers: Record<string, string> = {}
  for (const name in sent) {
    const value = sent[name]
    if (value != null && !name.startsWith(':')) headers[name] = String(value)
  }
  return headers
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
  const { expect } = headers
  const isKnown = expect === undefined || httpVersionMinor === 0 || CONTINUE.test(expect)
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
