// Puts replies on the wire: delays and drops as they say, reports how they ended, gives up on
// clients that do not read.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import {
  LINGER_MS,
  MAX_EVENT_BACKLOG_BYTES,
  SEND_TIMEOUT_MS,
  WAITING_REQUEST_BYTES,
} from '../../contract/limits.ts'
import type { ControlReply } from '../../control/api/api.ts'
import { type EventStream, HEARTBEAT, HEARTBEAT_MS } from '../../control/event-streams.ts'
import { isControlTarget } from '../../control/protocol.ts'
import type { Reply } from '../../service/call.ts'
import type { Budget } from './budget.ts'
import { compress } from './compression.ts'
import {
  canReset,
  contain,
  containOn,
  cut,
  cutWhenLeft,
  type Exchange,
  isGone,
  isHttp2,
  reset,
  timers,
} from './exchange.ts'
import { readCall } from './read-request.ts'
import type { Rounds } from './rounds.ts'

/** A round must not gather large bodies: a longer one is sent at once. */
const MAX_ROUND_CHARACTERS = 64 * 2 ** 10
/** A slow body is sent in parts, one each time. */
const SPREAD_STEP_MS = 100

export function createSender(rounds: Rounds, budget: Budget, compresses = false) {
  /** What the mock finishes at once when it stops: delays and event streams. */
  const open = new Set<() => void>()
  /** Requests whose responses are not wholly read, the oldest first. */
  const unread = new Set<Exchange['request']>()
  let isStopping = false

  /** Does the work after a delay, or when the mock stops. The result cancels it. */
  function later(milliseconds: number, work: () => void, whenStopped = work): () => void {
    const cancel = () => {
      timers.clearTimeout(timer)
      open.delete(stopNow)
    }
    const stopNow = () => {
      cancel()
      whenStopped()
    }
    const go = () => {
      cancel()
      work()
    }
    const timer = timers.setTimeout(go, milliseconds)
    open.add(stopNow)
    return cancel
  }

  /** Sends a reply after its delay, earlier if it is released. The result cancels it. */
  function sendLater(
    reply: Reply,
    milliseconds: number,
    sendFinal: (final: Reply) => void,
  ): () => void {
    const { wait } = reply
    if (!wait) return later(milliseconds, () => sendFinal(reply))
    const cancel = later(
      milliseconds,
      () => wait.end('time'),
      () => wait.end('stop'),
    )
    wait.onEnd((final) => {
      cancel()
      sendFinal(final)
    })
    if (isStopping) wait.end('stop')
    return cancel
  }

  function delay(reply: Reply, milliseconds: number, exchange: Exchange): void {
    const { request, response, channel } = exchange
    const bytes = WAITING_REQUEST_BYTES + reply.body.length
    const end = () => {
      response.off('close', leave)
      budget.give(bytes)
    }
    const leave = () => {
      cancel()
      end()
      containOn(channel, () => reply.settle?.('aborted'))
    }
    response.once('close', leave)
    const hasRoom = budget.take(bytes)
    const cancel = sendLater(reply, milliseconds, (final) => {
      end()
      exchange.reply = final
      deliver(final, exchange)
    })
    cutWhenLeft(exchange)
    if (!hasRoom) cut(request)
  }

  /** When the mock stops, only what it holds is still decided: it is dropped. */
  function isLate(reply: Reply): reply is Reply & { readonly delay: number } {
    return reply.delay !== undefined && !(isStopping && reply.wait === undefined)
  }

  function deliver(reply: Reply, exchange: Exchange): void {
    if (reply.body.length > MAX_ROUND_CHARACTERS) contain(exchange, sendReply)
    else rounds.send(exchange, sendReply)
  }

  function sendReply(exchange: Exchange): void {
    const { reply } = exchange
    if (!reply) return
    if (isGone(exchange)) reply.settle?.('aborted')
    else write(reply, exchange)
  }

  function write(reply: ControlReply, exchange: Exchange): void {
    const { request, response, channel } = exchange
    if (reply.drop) {
      drop(reply, request)
      return
    }
    if (reply.spread !== undefined && !isStopping) {
      spread(reply, reply.spread, exchange)
      return
    }
    reply.settle?.('sent')
    if (isStopping) response.shouldKeepAlive = false
    if (reply.stream) openStream(reply, reply.stream, exchange)
    else if (!request.complete && !isHttp2(request)) endRaw(reply, channel)
    else if (reply.cut) writeCut(reply, exchange)
    else if (compresses && !isControlTarget(request.url ?? '')) writeCompressed(reply, exchange)
    else writeWhole(reply, exchange)
    if (channel.writableLength > 0) watchUnread(exchange, unread, budget)
  }

  /** Sends the body a little at a time, or its rest at once if the mock stops. */
  function spread(reply: Reply, milliseconds: number, exchange: Exchange): void {
    const { request, response, channel } = exchange
    const body = Buffer.from(reply.body)
    const steps = Math.ceil(milliseconds / SPREAD_STEP_MS)
    let step = 0
    let cancel = () => {}
    const end = () => {
      response.off('close', leave)
      budget.give(body.length)
    }
    const leave = () => {
      cancel()
      end()
      containOn(channel, () => reply.settle?.('aborted'))
    }
    const next = () => {
      const from = Math.floor((body.length * step) / steps)
      step = isStopping ? steps : step + 1
      const part = body.subarray(from, Math.floor((body.length * step) / steps))
      if (step < steps) {
        if (part.length > 0) response.write(part)
        wait()
        return
      }
      end()
      reply.settle?.('sent')
      endBody(reply, part, exchange)
      if (channel.writableLength > 0) watchUnread(exchange, unread, budget)
    }
    const wait = () => {
      cancel = later(milliseconds / steps, () => contain(exchange, next))
    }
    response.once('close', leave)
    cutWhenLeft(exchange)
    writeHead(reply, exchange)
    response.flushHeaders()
    wait()
    if (!budget.take(body.length)) cut(request)
  }

  function openStream(reply: Reply, stream: EventStream, exchange: Exchange): void {
    const { request, response } = exchange
    const end = () => contain(exchange, () => response.end())
    const write = (text: string) =>
      contain(exchange, () => {
        // Bytes, since node:net would keep a copy of a text that is not read yet.
        if (!isGone(exchange)) response.write(Buffer.from(text))
        if (response.writableLength > MAX_EVENT_BACKLOG_BYTES) cut(request)
      })
    // Nothing else comes on this connection, so that a mock that stops need not wait for it.
    response.shouldKeepAlive = false
    writeHead(reply, exchange)
    stream.start(write)
    const timer = timers.setInterval(() => write(HEARTBEAT), HEARTBEAT_MS)
    open.add(end)
    response.once('close', () => {
      timers.clearInterval(timer)
      open.delete(end)
    })
    cutWhenLeft(exchange)
    if (isStopping) end()
  }

  return {
    send(reply: ControlReply, exchange: Exchange): void {
      exchange.reply = reply
      if (reply.stream) exchange.response.once('close', reply.stream.stop)
      if (exchange.channel.destroyed) {
        reply.stream?.stop()
        reply.settle?.('aborted')
      } else if (!isLate(reply)) deliver(reply, exchange)
      else delay(reply, reply.delay, exchange)
    },
    sendRaw(reply: Reply, socket: Socket): void {
      if (!isLate(reply)) endRaw(reply, socket)
      else sendLater(reply, reply.delay, (final) => endRaw(final, socket))
    },
    /**
     * From now on connections close with their response, delayed responses are sent at once, and
     * event streams end.
     */
    stop(): void {
      isStopping = true
      for (const finish of [...open]) finish()
    },
  }
}

/**
 * Writes the reply as HTTP/1.1 text and ends the connection. node:http cannot respond to a message
 * that never became a request, because the parser gave up or the client was too slow, or whose body
 * will not be read to its end.
 */
function endRaw(reply: Reply, socket: Socket): void {
  const { status, headers, body } = reply
  reply.settle?.(socket.writable ? 'sent' : 'aborted')
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (const [name, value] of Object.entries({ ...headers, Connection: 'close' }))
    head += `${name}: ${value}\r\n`
  socket.end(`${head}\r\n${body}`)
  // Closing at once on a client that is still sending would reset the connection before it has read
  // the response.
  timers.setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/**
 * Closes the connection if the client reads nothing for a while, or if others need the room and it
 * began first.
 */
function watchUnread(exchange: Exchange, unread: Set<Exchange['request']>, budget: Budget): void {
  const { request, response, channel } = exchange
  const bytes = channel.writableLength
  unread.add(request)
  response.once('close', () => {
    unread.delete(request)
    budget.give(bytes)
  })
  // node:net restarts the timer whenever the client reads.
  response.setTimeout(SEND_TIMEOUT_MS, () => cut(request))
  response.once('finish', () => {
    // node:http has already set its timeout for the next request, unless another response is due.
    if (channel.timeout === SEND_TIMEOUT_MS) channel.setTimeout(0)
  })
  const isOver = !budget.take(bytes)
  const [oldest] = unread
  if (isOver && oldest && oldest !== request) cut(oldest)
}

function drop(reply: Reply, request: Exchange['request']): void {
  if (!reply.reset) {
    reply.settle?.('sent')
    cut(request)
  } else if (canReset(request)) {
    reply.settle?.('sent')
    reset(request)
  } else {
    reply.settle?.('sent', 'reset')
    cut(request)
  }
}

function writeCut(reply: Reply, exchange: Exchange): void {
  writeHead(reply, exchange)
  endBody(reply, Buffer.from(reply.body), exchange)
}

/** Writes the last bytes. A body that is cut ends with its connection. */
function endBody(reply: Reply, bytes: Buffer, { request, response }: Exchange): void {
  if (reply.cut) response.write(bytes, () => cut(request))
  else response.end(bytes)
}

function writeHead({ status, headers }: Reply, { request, response }: Exchange): void {
  if (!isHttp2(request)) {
    response.writeHead(status, headers)
    return
  }
  // HTTP/2 forbids fields about one connection (RFC 9113 §8.2.2). Replies have no other such
  // fields.
  const { Connection, Upgrade, ...fields } = headers
  response.writeHead(status, fields)
}

function writeCompressed(reply: Reply, exchange: Exchange): void {
  const { headers, bytes } = compress(reply, readCall(exchange.request))
  if (!bytes) {
    writeWhole({ ...reply, headers }, exchange)
    return
  }
  writeHead({ ...reply, headers }, exchange)
  exchange.response.end(bytes)
}

function writeWhole(reply: Reply, exchange: Exchange): void {
  const { body } = reply
  const { response } = exchange
  writeHead(reply, exchange)
  // ASCII, with as many bytes as characters, is written faster as Latin-1.
  const isAscii = Number(reply.headers['Content-Length']) === body.length
  const encoding = isAscii ? 'latin1' : 'utf8'
  // A long text would be copied twice.
  if (body.length > MAX_ROUND_CHARACTERS) response.end(Buffer.from(body, encoding))
  else response.end(body || undefined, encoding)
}
