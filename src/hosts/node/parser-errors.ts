// Replies to messages that never became a request: the parser gave up, or the client was too slow. node:http has no response
// object for these, so they are written by hand, after the responses to the requests before them.
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../../contract/errors.ts'
import { LINGER_MS, MAX_HEADER_BYTES } from '../../limits.ts'
import type { Service } from '../../service/answer.ts'
import type { Call, Reply } from '../../service/call.ts'
import type { Connection, Connections } from './connections.ts'
import type { Rounds } from './rounds.ts'
import { setTimeout } from './timers.ts'

interface ParserErrorSettings {
  readonly service: Service
  readonly connections: Connections
  readonly rounds: Rounds
  /** Refuses a request whose body cannot be read to its end. */
  refuse(error: ApiError, response: ServerResponse, connection: Connection): void
}

/** The client has left, or has closed its side in the middle of a message. */
const GONE_CODES = ['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']
const UNREADABLE: Call = { method: '', target: '', header: () => undefined, reportsOutcome: true }

/** Answers a message that cannot be read, and closes its connection. */
export function createParserErrorHandler({ service, connections, rounds, refuse }: ParserErrorSettings) {
  return ({ code = '' }: NodeJS.ErrnoException, socket: Socket): void => {
    const connection = connections.of(socket)
    // What follows a request with `Connection: close` does not belong to the conversation (RFC 9112 §9.6).
    if (!connection || connection.isBroken || code === 'HPE_CLOSED_CONNECTION') return
    connection.isBroken = true
    const { last } = connection
    const isUnfinished = last !== undefined && !last.req.complete
    const close = () => {
      if (GONE_CODES.includes(code)) whenSent(isUnfinished ? undefined : last, () => socket.destroySoon())
      // Otherwise a response closes the connection.
      else if (connection.isClosing) return
      else if (isUnfinished) refuse(toApiError(code), last, connection)
      else whenSent(last, () => refuseMessage(code, socket))
    }
    // After the round that answers the requests before it.
    if (last && !last.writableFinished) rounds.join(() => rounds.send(close))
    else close()
  }

  function refuseMessage(code: string, socket: Socket): void {
    // A client that connects and sends nothing is not worth a log line.
    if (socket.bytesRead === 0 || !socket.writable) {
      socket.destroy()
      return
    }
    const reply = service.refuse(UNREADABLE, toApiError(code))
    if (reply.delay === undefined) end(socket, reply)
    else setTimeout(() => end(socket, reply), reply.delay).unref()
  }
}

function whenSent(response: ServerResponse | undefined, work: () => void): void {
  if (!response || response.writableFinished) work()
  else response.once('close', work)
}

function end(socket: Socket, reply: Reply): void {
  reply.settle?.(socket.writable ? 'sent' : 'aborted')
  socket.end(toText(reply))
  // The client may be sending still, and gets to read the response before the connection is reset.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** The refusals of what the parser reports; of anything else it can only be said that it is not HTTP. */
const REFUSALS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `Request line and header fields too large; the limit is ${MAX_HEADER_BYTES} bytes`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large'],
  HPE_INVALID_VERSION: [505, 'The supported versions are HTTP/1.1 and HTTP/1.0'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
}

export function toApiError(code: string): ApiError {
  return new ApiError(...(REFUSALS[code] ?? [400, 'The request is not well-formed HTTP/1.1']))
}

/** A reply as HTTP/1.1 text that ends the connection. */
function toText({ status, headers, body }: Reply): string {
  const fields = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fields.join('')}\r\n${body}`
}
