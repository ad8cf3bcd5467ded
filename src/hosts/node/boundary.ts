// The boundary around a request: what throws inside is our bug. It is logged, ends that response or its connection, and nothing else.
import type { Socket } from 'node:net'
import { BUG } from '../../contract/errors.ts'
import { cut, type Exchange, isGone } from './channel.ts'
import { toPlainReply } from './raw-reply.ts'

/** Does some work for a request. */
export function attempt(exchange: Exchange, work: (exchange: Exchange) => void): void {
  try {
    work(exchange)
  } catch (error) {
    fail(exchange, error)
  }
}

/** Does some work for a connection. */
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
    const { status, headers, body } = toPlainReply(BUG)
    if (response.headersSent || isGone(exchange)) cut(request)
    else response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body)
  })
}
