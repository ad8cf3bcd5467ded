// Replies to what never became a request: the parser gave up, the client was too slow, or the method is not in the parser's
// list. They are for the broken message alone; those before it in the same packet are requests like any other.
import { METHODS, STATUS_CODES } from 'node:http'
import { ApiError } from '../../contract/errors.ts'
import { MAX_HEADER_BYTES, MAX_TARGET_BYTES } from '../../limits.ts'
import type { Call, Reply } from '../../service/call.ts'
import { toHeader } from './call.ts'

/** What node:http tells of a message that it could not read. */
export interface ParserError extends Error {
  readonly code?: string | undefined
  /** The packet in which the parser gave up, which may begin with other messages. */
  readonly rawPacket?: Uint8Array
  /** How far into the packet it got. */
  readonly bytesParsed?: number
}

const UNREADABLE: Call = { method: '', target: '', header: () => undefined, reportsOutcome: true }
const TOKEN_CHARACTER = /[!#$%&'*+.^_`|~0-9A-Za-z-]/
const VERSION_LENGTH = 'HTTP/1.1'.length
const VERSION = / HTTP\/\d\.\d$/
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/1\.[01]$/

/** The broken message as far as it can be read, for the journal. */
export function toBrokenCall(error: ParserError): Call {
  return readHead(toBrokenText(error)) ?? UNREADABLE
}

/** The call of a message whose one flaw is a method that the parser does not know, if all of its head is there. */
export function toUnknownMethodCall(error: ParserError): Call | undefined {
  if (error.code !== 'HPE_INVALID_METHOD') return undefined
  const text = toBrokenText(error)
  const call = text.includes('\r\n\r\n') ? readHead(text) : undefined
  // The method of this message began in an earlier packet: POST is the rest of PPOST.
  return call && METHODS.includes(call.method) ? undefined : call
}

export function toApiError(error: ParserError): ApiError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isTargetTooLong(error)
        ? new ApiError(414, `Request target too long; the limit is ${MAX_TARGET_BYTES} bytes`)
        : new ApiError(431, `Header fields too large; the limit is ${MAX_HEADER_BYTES} bytes`)
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError(413, 'The chunk extensions are too large')
    case 'HPE_INVALID_VERSION':
      return VERSION.test(findLine(error).line) ? toVersionError() : toMalformed()
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(408, 'The request took too long to arrive')
    default:
      return toMalformed()
  }
}

export function toVersionError(): ApiError {
  return new ApiError(505, 'The supported versions are HTTP/1.1 and HTTP/1.0')
}

function toMalformed(): ApiError {
  return new ApiError(400, 'The request is not well-formed HTTP/1.1')
}

/** A reply as HTTP/1.1 text that ends the connection. */
export function toText({ status, headers, body }: Reply): string {
  const fields = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fields.join('')}\r\n${body}`
}

/**
 * The packet from where the broken message begins, as far as that can be told: the parser says where it gave up, and a request
 * line begins with a method, be it at the beginning of a line or right after the body of the message before.
 */
function toBrokenText(error: ParserError): string {
  const packet = toPacketText(error)
  const at = error.bytesParsed ?? 0
  if (error.code === 'HPE_INVALID_METHOD') return packet.slice(findTokenStart(packet, at))
  // Whatever ends before that place is another message's head.
  const from = Math.max(0, packet.lastIndexOf('\r\n\r\n', at - 5))
  for (let version = packet.lastIndexOf('HTTP/1.', at); version > from; version = packet.lastIndexOf('HTTP/1.', version - 1)) {
    const targetEnd = version - 1
    const methodEnd = packet.lastIndexOf(' ', targetEnd - 1)
    const end = packet.slice(version + VERSION_LENGTH, version + VERSION_LENGTH + 2)
    if (packet[targetEnd] === ' ' && methodEnd > from && end === '\r\n') return packet.slice(findTokenStart(packet, methodEnd))
  }
  return ''
}

/** Where the token that ends at this place begins. */
function findTokenStart(text: string, end: number): number {
  let start = end
  while (start > 0 && TOKEN_CHARACTER.test(text[start - 1] as string)) start--
  return start
}

/** The line in which the parser gave up, as far as it is in the packet. */
function findLine(error: ParserError): { line: string; isFirst: boolean; isWhole: boolean } {
  const packet = toPacketText(error)
  const at = error.bytesParsed ?? 0
  const from = packet.lastIndexOf('\n', at - 1) + 1
  const to = packet.indexOf('\n', at)
  return { line: packet.slice(from, to === -1 ? undefined : to).trimEnd(), isFirst: from === 0, isWhole: to !== -1 }
}

/** Whether it was the request line that overflowed. A later packet of it has no beginning, but it has the version at its end. */
function isTargetTooLong(error: ParserError): boolean {
  const { line, isFirst, isWhole } = findLine(error)
  return / HTTP\/1\.[01]$/.test(line) || (!isWhole && (isFirst || /^[A-Z-]+ /.test(line)))
}

function toPacketText({ rawPacket }: ParserError): string {
  return latin1.decode(rawPacket)
}

const latin1 = new TextDecoder('latin1')

/** Request line and fields, as far as they are there. */
function readHead(text: string): Call | undefined {
  const [line = '', ...fields] = text.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? []
  const match = REQUEST_LINE.exec(line)
  if (!match) return undefined
  const pairs = fields.flatMap((field) => {
    const colon = field.indexOf(':')
    return colon < 0 ? [] : [field.slice(0, colon), field.slice(colon + 1).trim()]
  })
  return { method: match[1] as string, target: match[2] as string, header: toHeader(pairs), fields: pairs, reportsOutcome: true }
}
