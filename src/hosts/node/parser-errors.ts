// Answers for what never became a request: the parser gave up, the client was too slow, or the method is not in the
// parser's list. They are written by hand, since node:http has no response object for them.
import { Buffer } from 'node:buffer'
import type { Duplex } from 'node:stream'
import { ApiError, toReason } from '../../contract/errors.ts'
import type { Service } from '../../service/answer.ts'
import type { Call, Reply } from '../../service/call.ts'
import { toHeader } from './call.ts'

interface ParserError extends Error {
  readonly code?: string | undefined
  readonly rawPacket?: Buffer
}

/** Whoever answers at once, without a body. */
type Answering = Pick<Service, 'answer' | 'refuse'>

/** The bytes of the answer to a connection whose request could not be read. */
export function answerParserError({ answer, refuse }: Answering, error: ParserError): string {
  const head = error.rawPacket?.toString('latin1') ?? ''
  if (error.code === 'HPE_INVALID_METHOD') {
    const call = parseHead(head)
    // To the parser an unknown method is an error; to the interface it is a method like any other, and not allowed.
    if (call) return toBytes(answer(call))
  }
  return toBytes(refuse(parseHead(head) ?? UNREADABLE, toApiError(error.code, head)))
}

const UNREADABLE: Call = { method: '', target: '', header: () => undefined }

function toApiError(code: string | undefined, head: string): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      // Without the end of a first line, it was the target that had no end.
      return head.includes('\n') || head === ''
        ? new ApiError(431, 'The header fields are larger than 16 KiB')
        : new ApiError(414, 'Request target too long; the limit is 8192 bytes')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError(413, 'The chunk extensions are too large')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(408, 'The request took too long to arrive')
    default:
      return new ApiError(400, 'The request is not well-formed HTTP/1.1')
  }
}

/** Request line and fields, if the packet holds a whole head. */
function parseHead(head: string): Call | undefined {
  const end = head.indexOf('\r\n\r\n')
  const [line = '', ...fields] = head.slice(0, Math.max(end, 0)).split('\r\n')
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/1\.[01]$/.exec(line)
  if (!match) return undefined
  const pairs = fields.flatMap((field) => {
    const colon = field.indexOf(':')
    return [field.slice(0, colon), field.slice(colon + 1).trim()]
  })
  return { method: match[1] as string, target: match[2] as string, header: toHeader(pairs) }
}

/** A reply as HTTP/1.1 text that ends the connection. */
export function toBytes({ status, headers, body, drop }: Reply): string {
  if (drop) return ''
  const fields = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${toReason(status)}\r\n${fields.join('')}\r\n${body}`
}

/** Answers a connection that carries no request, and closes it. */
export function endWith(socket: Duplex, bytes: string): void {
  if (socket.writable && bytes !== '') socket.end(Buffer.from(bytes))
  else socket.destroy()
}
