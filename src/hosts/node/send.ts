// Puts replies on the wire: delays and drops as they say, reports how they ended, and gives up on clients that do not read.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ControlReply } from '../../control/control-api.ts'
import { type EventStream, HEARTBEAT, HEARTBEAT_MS } from '../../control/event-stream.ts'
import { MAX_EVENT_BACKLOG_BYTES, MAX_WAITING_RESPONSES, SEND_TIMEOUT_MS } from '../../limits.ts'
import type { Reply } from '../../service/call.ts'
import { SURPRISE_HEADER } from '../../surprise/respond.ts'
import { hash } from '../../surprise/setting.ts'
import type { Connection } from './connections.ts'
import { endRaw } from './raw-reply.ts'
import { type BodyBudget, isHttp2 } from './read-request.ts'
import type { Rounds } from './rounds.ts'
import { clearInterval, clearTimeout, setInterval, setTimeout } from './timers.ts'

/** A round must not gather large bodies: a longer one is sent at once. */
const MAX_ROUND_CHARACTERS = 64 * 2 ** 10

export function createSender(rounds: Rounds, budget: BodyBudget) {
  /** What sends a delayed response now, or ends an event stream. */
  const open = new Set<() => void>()
  let isStopping = false

  function delay(milliseconds: number, reply: Reply, response: ServerResponse, connection: Connection): void {
    const stopTimer = () => {
      clearTimeout(timer)
      open.delete(deliverNow)
    }
    const deliverNow = () => {
      stopTimer()
      endWait()
      deliver(reply, response, connection)
    }
    const timer = setTimeout(deliverNow, milliseconds)
    open.add(deliverNow)
    const endWait = wait(reply, response, connection, stopTimer)
  }

  /** Keeps a reply that cannot be sent yet; `stopTimer` runs if the client leaves first. Returns what ends the wait. */
  function wait(reply: Reply, { req }: ServerResponse, { onLeave }: Connection, stopTimer?: () => void): () => void {
    const size = reply.body.length
    const leave = () => {
      budget.release(size)
      stopTimer?.()
      reply.settle?.('aborted')
    }
    onLeave.add(leave)
    if (!budget.take(size) || req.socket.readableEnded) req.socket.destroy()
    return () => {
      onLeave.delete(leave)
      budget.release(size)
    }
  }

  function deliver(reply: Reply, response: ServerResponse, connection: Connection): void {
    const sendNow = () => {
      if (isStopping) response.shouldKeepAlive = false
      if (!response.req.socket.writable) reply.settle?.('aborted')
      else if (response.socket) write(reply, response, response.socket, connection)
      else writeInTurn(reply, response, connection)
    }
    if (reply.body.length > MAX_ROUND_CHARACTERS) sendNow()
    else rounds.send(sendNow)
  }

  /** node:http has no socket for a response until those before it on its connection have been sent. */
  function writeInTurn(reply: Reply, response: ServerResponse, connection: Connection): void {
    const endWait = wait(reply, response, connection)
    response.once('socket', (socket) => {
      // The client has left; node:http passes its socket on all the same, and fails if a response is sent on it.
      if (socket.destroyed) return
      endWait()
      write(reply, response, socket, connection)
    })
  }

  function write(reply: ControlReply, response: ServerResponse, socket: Socket, connection: Connection): void {
    if (--connection.unsent === MAX_WAITING_RESPONSES - 1) socket.resume()
    reply.settle?.('sent')
    const surprise = reply.headers[SURPRISE_HEADER]
    if (reply.drop) socket.destroy()
    else if (reply.stream) openStream(reply, reply.stream, response, connection)
    else if (!response.req.complete && !isHttp2(response.req)) endRaw(reply, socket)
    else if (surprise !== undefined) endSurprised(reply, response, surprise)
    else response.writeHead(reply.status, reply.headers).end(reply.body, toEncoding(reply))
    if (socket.writableLength > 0) watchUnread(response, socket)
  }

  /** Writes events for as long as the client listens. */
  function openStream({ status, headers }: Reply, stream: EventStream, response: ServerResponse, connection: Connection): void {
    // Nothing else comes on this connection, so that a mock that stops need not wait for it.
    response.shouldKeepAlive = false
    response.writeHead(status, headers)
    const write = (text: string) => {
      if (response.destroyed || response.writableEnded) return
      response.write(text)
      if (response.writableLength > MAX_EVENT_BACKLOG_BYTES) response.destroy()
    }
    const end = () => response.end()
    const stop = stream(write)
    const timer = setInterval(() => write(HEARTBEAT), HEARTBEAT_MS)
    open.add(end)
    connection.onLeave.add(() => {
      clearInterval(timer)
      stop()
      open.delete(end)
    })
    // A client that has closed its side cannot be told from one that has left.
    if (isStopping || response.req.socket.readableEnded) end()
  }

  /** Closes the connection if the client reads nothing for a while, or if unread responses take too much memory. */
  function watchUnread(response: ServerResponse, socket: Socket): void {
    const unread = socket.writableLength
    response.once('close', () => budget.release(unread))
    if (!budget.take(unread)) socket.destroy()
    // node:net restarts the timer whenever the client reads.
    response.setTimeout(SEND_TIMEOUT_MS, () => socket.destroy())
    // node:http has already set its timeout for the next request, unless another response is due.
    response.once('finish', () => socket.timeout === SEND_TIMEOUT_MS && socket.setTimeout(0))
  }

  return {
    /** Sends the reply when its delay has passed. */
    send(reply: ControlReply, response: ServerResponse, connection: Connection): void {
      const closes = reply.drop || reply.stream || !response.shouldKeepAlive || reply.headers.Connection === 'close'
      if (closes) connection.isClosing = true
      if (response.req.socket.destroyed) reply.settle?.('aborted')
      else if (reply.delay !== undefined && !isStopping) delay(reply.delay, reply, response, connection)
      else deliver(reply, response, connection)
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

/** Header names in another case, and the body in two pieces that may cut a character, as the surprise says. */
function endSurprised({ status, headers, body }: Reply, response: ServerResponse, surprise: string): void {
  const bits = hash(surprise)
  const isCut = surprise.includes(' chunks@')
  const changeCase = bits % 2 === 0 ? (name: string) => name.toUpperCase() : (name: string) => name.toLowerCase()
  const spell = surprise.includes(' header-case@') ? changeCase : (name: string) => name
  const fields = Object.entries(headers).filter(([name]) => name !== 'Content-Length' || !isCut)
  response.writeHead(status, Object.fromEntries(fields.map(([name, value]) => [spell(name), value])))
  const bytes = Buffer.from(body)
  const cut = isCut ? 1 + (bits % bytes.length) : bytes.length
  response.write(bytes.subarray(0, cut))
  response.end(bytes.subarray(cut))
}
