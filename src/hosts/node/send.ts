// Puts replies on the wire: delays and drops as they say, reports how they ended, and gives up on clients that do not read.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LINGER_MS, SEND_TIMEOUT_MS } from '../../limits.ts'
import type { Reply } from '../../service/call.ts'
import { SURPRISE_HEADER } from '../../surprise/respond.ts'
import type { BodyBudget } from './call.ts'
import type { Connection, Connections } from './connections.ts'
import type { Rounds } from './rounds.ts'
import { endInPieces, spellHeaders } from './surprise.ts'
import { clearTimeout, setTimeout } from './timers.ts'

export interface Sender {
  /** Sends the reply when its delay has passed. */
  send(reply: Reply, response: ServerResponse): void
  /** From now on connections close with their response, and delayed responses are sent at once. */
  stop(): void
}

/** A round must not gather large bodies: a longer one is sent at once. */
const MAX_ROUND_CHARACTERS = 64 * 2 ** 10

export function createSender(rounds: Rounds, connections: Connections, budget: BodyBudget): Sender {
  const delayed = new Set<() => void>()
  let isStopping = false

  function delay(milliseconds: number, reply: Reply, response: ServerResponse, connection: Connection): void {
    const stopTimer = () => {
      clearTimeout(timer)
      delayed.delete(deliverNow)
    }
    const deliverNow = () => {
      stopTimer()
      endWait()
      deliver(reply, response, connection)
    }
    const timer = setTimeout(deliverNow, milliseconds)
    delayed.add(deliverNow)
    const endWait = wait(reply, response, connection, stopTimer)
  }

  /** Keeps a reply that cannot be sent yet; `onLeave` runs if the client leaves first. Returns what ends the wait. */
  function wait(reply: Reply, { req }: ServerResponse, { leaves }: Connection, onLeave?: () => void): () => void {
    const size = reply.body.length
    const leave = () => {
      budget.release(size)
      onLeave?.()
      reply.settle?.('aborted')
    }
    leaves.add(leave)
    if (!budget.take(size) || req.socket.readableEnded) req.socket.destroy()
    return () => {
      leaves.delete(leave)
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

  function write(reply: Reply, response: ServerResponse, socket: Socket, connection: Connection): void {
    connections.end(connection, socket)
    reply.settle?.('sent')
    if (reply.drop) {
      socket.destroy()
      return
    }
    const surprise = reply.headers[SURPRISE_HEADER]
    response.writeHead(reply.status, surprise === undefined ? reply.headers : spellHeaders(reply.headers, surprise))
    if (!response.req.complete) endWhenReceived(response, reply.body)
    else if (surprise === undefined) response.end(reply.body, toEncoding(reply))
    else endInPieces(response, reply.body, surprise)
    if (socket.writableLength > 0) watchUnread(response, socket)
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
    send(reply, response) {
      const connection = connections.of(response.req.socket)
      if (!connection) {
        reply.settle?.('aborted')
        return
      }
      if (reply.drop || !response.shouldKeepAlive || reply.headers.Connection === 'close') connection.isClosing = true
      if (reply.delay !== undefined && !isStopping) delay(reply.delay, reply, response, connection)
      else deliver(reply, response, connection)
    },
    stop() {
      isStopping = true
      for (const deliverNow of [...delayed]) deliverNow()
    },
  }
}

/** A body with as many bytes as characters is ASCII, which node:http writes faster as Latin-1. */
function toEncoding({ headers, body }: Reply): 'latin1' | 'utf8' {
  return Number(headers['Content-Length']) === body.length ? 'latin1' : 'utf8'
}

/** Closing on a client that is still sending would reset the connection before it has read the response. */
function endWhenReceived(response: ServerResponse, body: string): void {
  const { req: request } = response
  // An empty body sends nothing by itself, not even the head.
  if (body === '') response.flushHeaders()
  else response.write(body)
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, LINGER_MS)
  request.resume().once('end', end)
  if (request.socket.readableEnded) end()
  else request.socket.once('end', end)
}
