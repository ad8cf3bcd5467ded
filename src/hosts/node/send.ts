// Puts replies on the wire: delays and drops as they say, reports how they ended, and gives up on clients that do not read.
import { ApiError } from '../../contract/errors.ts'
import type { ControlReply } from '../../control/control-api.ts'
import { type EventStream, HEARTBEAT, HEARTBEAT_MS } from '../../control/event-stream.ts'
import { MAX_EVENT_BACKLOG_BYTES, MAX_WAITING_RESPONSES, SEND_TIMEOUT_MS, WAITING_REQUEST_BYTES } from '../../limits.ts'
import type { Reply } from '../../service/call.ts'
import type { Wire } from '../../surprise/respond.ts'
import { attempt } from './boundary.ts'
import type { Budget } from './budget.ts'
import { cut, type Exchange, isGone, isHalfClosed, isHttp2, toFields } from './channel.ts'
import { endRaw, toPlainReply } from './raw-reply.ts'
import type { Rounds } from './rounds.ts'
import { clearInterval, clearTimeout, setInterval, setTimeout } from './timers.ts'

/** A round must not gather large bodies: a longer one is sent at once. */
const MAX_ROUND_CHARACTERS = 64 * 2 ** 10

const CROWDED = new ApiError(503, `Too many waiting responses on one connection; the limit is ${MAX_WAITING_RESPONSES}`)

export function createSender(rounds: Rounds, budget: Budget) {
  /** What sends a delayed response now, or ends an event stream. */
  const open = new Set<() => void>()
  let isStopping = false

  /** Keeps a reply until `start` calls `go`. What `start` returns ends that, also if the client leaves first. */
  function wait(reply: Reply, exchange: Exchange, start: (go: () => void) => () => void): void {
    const { request, channel, connection } = exchange
    const size = WAITING_REQUEST_BYTES + reply.body.length
    const fits = budget.take(size)
    const end = () => {
      cancel()
      connection.onLeave.delete(leave)
      budget.give(size)
    }
    const leave = () => {
      end()
      reply.settle?.('aborted')
    }
    const cancel = start(() => {
      end()
      deliver(reply, exchange)
    })
    connection.onLeave.add(leave)
    if (!fits || isHalfClosed(request)) cut(request)
    else if (connection.delayed > 0 && connection.onLeave.size > MAX_WAITING_RESPONSES) {
      // For the first of those that wait. The others, with all that came in the same packet, get none and are let go at once.
      connection.isClosing = true
      endRaw(toPlainReply(CROWDED), channel)
      channel.destroySoon()
    }
  }

  function delay(reply: Reply, exchange: Exchange): void {
    wait(reply, exchange, (go) => {
      const timer = setTimeout(go, reply.delay)
      open.add(go)
      exchange.connection.delayed++
      return () => {
        clearTimeout(timer)
        open.delete(go)
        exchange.connection.delayed--
      }
    })
  }

  function deliver(reply: Reply, exchange: Exchange): void {
    const { response } = exchange
    const sendNow = () => {
      if (isStopping) response.shouldKeepAlive = false
      if (isGone(exchange)) reply.settle?.('aborted')
      else if (response.socket) write(reply, exchange)
      // node:http has no socket for a response until those before it on its connection have been sent.
      else {
        wait(reply, exchange, (go) => {
          response.once('socket', go)
          return () => response.off('socket', go)
        })
      }
    }
    if (reply.body.length > MAX_ROUND_CHARACTERS) attempt(exchange, sendNow)
    else rounds.send(exchange, sendNow)
  }

  function write(reply: ControlReply, exchange: Exchange): void {
    const { request, response, channel, connection } = exchange
    if (--connection.unsent === 0 && channel.isPaused()) channel.resume()
    reply.settle?.('sent')
    if (reply.drop) cut(request)
    else if (reply.stream) openStream(reply, reply.stream, exchange)
    else if (!request.complete && !isHttp2(request)) endRaw(reply, channel)
    else if (reply.wire) endUnusual(reply, exchange, reply.wire)
    else response.writeHead(reply.status, toFields(reply, request)).end(reply.body || undefined, toEncoding(reply))
    if (channel.writableLength > 0) watchUnread(exchange)
  }

  /** Writes events for as long as the client listens. */
  function openStream(reply: Reply, stream: EventStream, exchange: Exchange): void {
    const { request, response, connection } = exchange
    // Nothing else comes on this connection, so that a mock that stops need not wait for it.
    response.shouldKeepAlive = false
    response.writeHead(reply.status, toFields(reply, request))
    const write = (text: string) =>
      attempt(exchange, () => {
        if (!isGone(exchange)) response.write(text)
        if (response.writableLength > MAX_EVENT_BACKLOG_BYTES) cut(request)
      })
    const end = () => attempt(exchange, () => response.end())
    stream.start(write)
    const timer = setInterval(() => write(HEARTBEAT), HEARTBEAT_MS)
    open.add(end)
    connection.onLeave.add(() => {
      clearInterval(timer)
      open.delete(end)
    })
    if (isStopping || isHalfClosed(request)) end()
  }

  /** Closes the connection if the client reads nothing for a while, or if unread responses take too much memory. */
  function watchUnread({ request, response, channel }: Exchange): void {
    const unread = channel.writableLength
    response.once('close', () => budget.give(unread))
    if (!budget.take(unread)) cut(request)
    // node:net restarts the timer whenever the client reads.
    response.setTimeout(SEND_TIMEOUT_MS, () => cut(request))
    // node:http has already set its timeout for the next request, unless another response is due.
    response.once('finish', () => channel.timeout === SEND_TIMEOUT_MS && channel.setTimeout(0))
  }

  return {
    /** Sends the reply when its delay has passed. */
    send(reply: ControlReply, exchange: Exchange): void {
      const { request, response, channel, connection } = exchange
      if (reply.stream) {
        connection.onLeave.add(reply.stream.stop)
        // It would never have its turn.
        if (connection.isClosing) cut(request)
      }
      const closes = reply.drop || reply.stream || !response.shouldKeepAlive || reply.headers.Connection === 'close'
      if (closes) connection.isClosing = true
      if (channel.destroyed) {
        reply.stream?.stop()
        reply.settle?.('aborted')
      } else if (reply.delay !== undefined && !isStopping) delay(reply, exchange)
      else deliver(reply, exchange)
    },
    /** From now on connections close with their response, delayed responses are sent at once, and event streams end. */
    stop(): void {
      isStopping = true
      for (const finish of [...open]) finish()
    },
  }
}

/** A body with as many bytes as characters is ASCII, which node:http writes faster as Latin-1. */
function toEncoding({ headers, body }: Reply): 'latin1' | 'utf8' {
  return Number(headers['Content-Length']) === body.length ? 'latin1' : 'utf8'
}

/** Header names in another case, and the body in two pieces that may cut a character. */
function endUnusual(reply: Reply, { request, response }: Exchange, { headerCase, firstChunkBytes }: Wire): void {
  const fields = Object.entries(toFields(reply, request)).filter(([name]) => name !== 'Content-Length' || firstChunkBytes === undefined)
  const spell = (name: string) => (headerCase === undefined ? name : headerCase === 'upper' ? name.toUpperCase() : name.toLowerCase())
  response.writeHead(reply.status, Object.fromEntries(fields.map(([name, value]) => [spell(name), value])))
  const bytes = Buffer.from(reply.body)
  response.write(bytes.subarray(0, firstChunkBytes))
  response.end(bytes.subarray(firstChunkBytes ?? bytes.length))
}
