// Puts replies on the wire: delays and drops as they say, reports how they ended, and gives up on clients that do not read.
import type { ControlReply } from '../../control/api.ts'
import { type EventStream, HEARTBEAT, HEARTBEAT_MS } from '../../control/event-stream.ts'
import { MAX_EVENT_BACKLOG_BYTES, MAX_UNREAD_BYTES, SEND_TIMEOUT_MS, WAITING_REQUEST_BYTES } from '../../limits.ts'
import type { Reply } from '../../service/call.ts'
import type { Wire } from '../../surprise/respond.ts'
import { attempt, attemptOn } from './boundary.ts'
import type { Budget } from './budget.ts'
import { cut, type Exchange, isGone, isHalfClosed, isHttp2, toFields } from './channel.ts'
import { endRaw } from './raw-reply.ts'
import type { Rounds } from './rounds.ts'
import { clearInterval, clearTimeout, setInterval, setTimeout } from './timers.ts'

/** A round must not gather large bodies: a longer one is sent at once. */
const MAX_ROUND_CHARACTERS = 64 * 2 ** 10
/** What a client has to read its response, however many others do not read theirs. */
const MIN_READING_MS = 1_000

export function createSender(rounds: Rounds, budget: Budget) {
  /** What sends a delayed response now, or ends an event stream. */
  const open = new Set<() => void>()
  /** Responses that are not wholly read, the oldest first. */
  const unread = new Set<{ readonly exchange: Exchange; readonly bytes: number; readonly since: number }>()
  let unreadBytes = 0
  let isStopping = false

  /** Keeps a reply until its delay has passed, or the client has left. */
  function delay(reply: Reply, exchange: Exchange): void {
    const { request, response, channel } = exchange
    const bytes = WAITING_REQUEST_BYTES + reply.body.length
    const end = () => {
      clearTimeout(timer)
      open.delete(go)
      response.off('close', leave)
      budget.give(bytes)
    }
    const leave = () =>
      attemptOn(channel, () => {
        end()
        reply.settle?.('aborted')
      })
    const go = () => {
      end()
      deliver(reply, exchange)
    }
    const timer = setTimeout(go, reply.delay)
    open.add(go)
    response.once('close', leave)
    if (!budget.take(bytes) || isHalfClosed(request)) cut(request)
  }

  function deliver(reply: Reply, exchange: Exchange): void {
    const sendNow = () => {
      if (isStopping) exchange.response.shouldKeepAlive = false
      if (isGone(exchange)) reply.settle?.('aborted')
      else write(reply, exchange)
    }
    if (reply.body.length > MAX_ROUND_CHARACTERS) attempt(exchange, sendNow)
    else rounds.send(exchange, sendNow)
  }

  function write(reply: ControlReply, exchange: Exchange): void {
    const { request, response, channel } = exchange
    reply.settle?.('sent')
    if (reply.drop) cut(request)
    else if (reply.stream) openStream(reply, reply.stream, exchange)
    else if (!request.complete && !isHttp2(request)) endRaw(reply, channel)
    else if (reply.wire) endUnusual(reply, exchange, reply.wire)
    else response.writeHead(reply.status, toFields(reply, request)).end(...toBody(reply))
    if (channel.writableLength > 0) watchUnread(exchange)
  }

  /** Writes events for as long as the client listens. */
  function openStream(reply: Reply, stream: EventStream, exchange: Exchange): void {
    const { request, response } = exchange
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
    response.once('close', () => {
      clearInterval(timer)
      open.delete(end)
    })
    if (isStopping || isHalfClosed(request)) end()
  }

  /** Closes the connection if the client reads nothing for a while. */
  function watchUnread(exchange: Exchange): void {
    const { request, response, channel } = exchange
    const one = { exchange, bytes: channel.writableLength, since: performance.now() }
    unread.add(one)
    unreadBytes += one.bytes
    response.once('close', () => {
      unread.delete(one)
      unreadBytes -= one.bytes
    })
    // node:net restarts the timer whenever the client reads.
    response.setTimeout(SEND_TIMEOUT_MS, () => cut(request))
    // node:http has already set its timeout for the next request, unless another response is due.
    response.once('finish', () => channel.timeout === SEND_TIMEOUT_MS && channel.setTimeout(0))
  }

  return {
    /** Whether another response may be made. If not, the oldest reader loses its connection, to make room for the next response. */
    hasRoom(): boolean {
      if (unreadBytes < MAX_UNREAD_BYTES) return true
      const [oldest] = unread
      if (oldest && performance.now() - oldest.since > MIN_READING_MS) cut(oldest.exchange.request)
      return false
    },
    /** Sends the reply when its delay has passed. */
    send(reply: ControlReply, exchange: Exchange): void {
      const { response, channel } = exchange
      exchange.isAnswered = true
      if (reply.stream) response.once('close', reply.stream.stop)
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

/** A body with as many bytes as characters is ASCII, which node:http writes faster as Latin-1. Of a long text it would make two more copies. */
function toBody({ headers, body }: Reply): [body: string | Buffer | undefined, encoding: BufferEncoding] {
  const encoding = Number(headers['Content-Length']) === body.length ? 'latin1' : 'utf8'
  return [body.length > MAX_ROUND_CHARACTERS ? Buffer.from(body, encoding) : body || undefined, encoding]
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
