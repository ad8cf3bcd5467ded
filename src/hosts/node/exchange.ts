// A request and where its response goes, on a connection of HTTP/1 or a stream of HTTP/2, with all that differs between
// the two, and the boundary around it: what throws inside is our bug, is logged, and ends that response or connection.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { BUG, toErrorText } from '../../contract/errors.ts'
import type { Reply } from '../../service/call.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly channel: Socket
  readonly isControl: boolean
  /** Set once there is a reply, which may be delayed. */
  isAnswered: boolean
}

/** Fields that concern one connection, which HTTP/2 forbids (RFC 9113 §8.2.2). */
const HOP_BY_HOP = /^(?:connection|http2-settings|keep-alive|proxy-connection|te|transfer-encoding|upgrade)$/i
const INTERNAL_ERROR = 2
const BUG_TEXT = toErrorText(BUG.status, BUG.message, 'names')
const BUG_FIELDS = { 'Content-Type': 'application/json', 'Content-Length': String(BUG_TEXT.length), ...BUG.headers }

/** A request of an existing server, which may speak HTTP/2. */
export function isHttp2(request: IncomingMessage): request is IncomingMessage & { readonly stream: Socket & ServerHttp2Stream } {
  return 'stream' in request
}

/** Ends it without a response, or in the middle of one. */
export function cut(request: IncomingMessage): void {
  if (isHttp2(request)) request.stream.close(INTERNAL_ERROR)
  else request.socket.destroy()
}

/** Whether nothing can be sent any more. HTTP/2 ends the writable side of a HEAD before it is answered. */
export function isGone({ request, response, channel }: Exchange): boolean {
  return response.writableEnded || (isHttp2(request) ? request.stream.closed : !channel.writable)
}

/** Whether the client has closed its side, as one that has left. An HTTP/2 client does so with every request. */
export function isHalfClosed(request: IncomingMessage): boolean {
  return !isHttp2(request) && request.socket.readableEnded
}

export function toFields({ headers }: Reply, request: IncomingMessage): Reply['headers'] {
  return isHttp2(request) ? Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.test(name))) : headers
}

export function attempt(exchange: Exchange, work: (exchange: Exchange) => void): void {
  try {
    work(exchange)
  } catch (error) {
    fail(exchange, error)
  }
}

export function attemptOn(channel: Socket, work: () => void): void {
  try {
    work()
  } catch (error) {
    console.error(error)
    channel.destroy()
  }
}

/** Ends a request with a bug: with 500 if nothing was sent, else without the rest of its response. */
export function fail(exchange: Exchange, bug: unknown): void {
  const { request, response, channel } = exchange
  console.error(bug)
  attemptOn(channel, () => {
    response.shouldKeepAlive = false
    if (response.headersSent || isGone(exchange)) cut(request)
    else response.writeHead(BUG.status, BUG_FIELDS).end(request.method === 'HEAD' ? undefined : BUG_TEXT)
  })
}
