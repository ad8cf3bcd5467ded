// What a request arrives on: a connection in HTTP/1, a stream in HTTP/2. Whatever else differs between the two is here as well.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ApiError } from '../../contract/errors.ts'
import type { Reply } from '../../service/call.ts'

/** A request and where its response goes. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly channel: Socket
  /** Whether it is for the control API. */
  readonly isControl: boolean
  /** Why it is refused, if the head alone tells. */
  readonly refusal: ApiError | undefined
  /** Set once there is a reply, which may be delayed. */
  isAnswered: boolean
}

/** The part of an HTTP/2 stream that a socket does not have. */
interface Stream extends Socket {
  readonly closed: boolean
  readonly endAfterHeaders: boolean
  close(code: number): void
}

/** Fields that concern one connection, which HTTP/2 forbids (RFC 9113 §8.2.2). */
const HOP_BY_HOP = new Set(['connection', 'http2-settings', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'])
const INTERNAL_ERROR = 2

/** A request of an existing server, which may speak HTTP/2. */
export function isHttp2(request: IncomingMessage): request is IncomingMessage & { readonly stream: Stream } {
  return 'stream' in request
}

/** An HTTP/2 request has a socket too, but one that throws if it is used. */
export function toChannel(request: IncomingMessage): Socket {
  return isHttp2(request) ? request.stream : request.socket
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

/** Whether the client has closed its side, and cannot be told from one that has left. An HTTP/2 client does so with every request. */
export function isHalfClosed(request: IncomingMessage): boolean {
  return !isHttp2(request) && request.socket.readableEnded
}

export function toFields({ headers }: Reply, request: IncomingMessage): Reply['headers'] {
  return isHttp2(request) ? Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()))) : headers
}
