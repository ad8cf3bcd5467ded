// A request and where its response goes: a connection of HTTP/1 or a stream of HTTP/2, and what
// differs between the two. `contain` is the boundary around it: what throws inside is our bug, is
// logged, and ends that response or connection.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'
import { BUG } from '../../contract/errors.ts'
import type { ControlReply } from '../../control/api/api.ts'
import { createErrorReply } from '../../service/reply.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly channel: Socket
  /** Set once there is one. It may be delayed. */
  reply: ControlReply | undefined
}

type Http2Request = IncomingMessage & { readonly stream: Socket & ServerHttp2Stream }

/** Taken at load: a test's fake timers must not stop a server, and jsdom has no setImmediate. */
export const timers = { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout }
const INTERNAL_ERROR = 2
/** What the parser of node:http takes for "read no further". */
const STOP_PARSING = 2

export const isHttp2 = (request: IncomingMessage): request is Http2Request => 'stream' in request

export function cut(request: IncomingMessage): void {
  if (isHttp2(request)) {
    request.stream.close(INTERNAL_ERROR)
    return
  }
  const { socket } = request
  stopParser(socket)
  socket.destroy()
}

/** Whether there is a TCP connection to reset, or a stream of HTTP/2. */
export function canReset(request: IncomingMessage): boolean {
  if (isHttp2(request)) return true
  const { socket } = request
  // The socket of a file system has no address.
  return socket.remoteAddress !== undefined && !('encrypted' in socket)
}

export function reset(request: IncomingMessage): void {
  if (isHttp2(request)) {
    cut(request)
    return
  }
  stopParser(request.socket)
  request.socket.resetAndDestroy()
}

/**
 * A destroyed socket does not stop the parser: thousands of requests in the chunk at hand would
 * still be made, and live until the socket closes. The property is not documented; without it they
 * are made and ignored.
 */
function stopParser(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: unknown } | null }
  if (parser?.onIncoming) parser.onIncoming = () => STOP_PARSING
}

/**
 * Whether nothing can be sent any more. HTTP/2 ends the writable side of a HEAD before it is
 * answered.
 */
export function isGone({ request, response, channel }: Exchange): boolean {
  if (response.writableEnded) return true
  return isHttp2(request) ? request.stream.closed : !channel.writable
}

/**
 * A waiting client that closes its side has left. Over HTTP/2, clients close theirs after every
 * request.
 */
export function cutWhenLeft({ request, response, channel }: Exchange): void {
  if (isHttp2(request)) return
  const leave = () => {
    if (!response.writableEnded) cut(request)
  }
  channel.once('end', leave)
  response.once('close', () => channel.off('end', leave))
  if (channel.readableEnded) leave()
}

export function contain(exchange: Exchange, work: (exchange: Exchange) => void): void {
  try {
    work(exchange)
  } catch (error) {
    giveUp(exchange, error)
  }
}

export function containOn(channel: Socket, work: () => void): void {
  try {
    work()
  } catch (error) {
    console.error(error)
    channel.destroy()
  }
}

export function giveUp(exchange: Exchange, bug: unknown): void {
  const { request, response, channel } = exchange
  console.error(bug)
  containOn(channel, () => {
    response.shouldKeepAlive = false
    if (response.headersSent || isGone(exchange)) {
      cut(request)
      return
    }
    const { status, headers, body } = createErrorReply(BUG)
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body)
  })
}
