// Puts replies on the wire: delays, drops and closes as they say, reports how they ended, and gives up on clients that do not read.
import type { ServerResponse } from 'node:http'
import { SEND_TIMEOUT_MS } from '../../limits.ts'
import type { Reply } from '../../service/call.ts'
import { LINGER_MS, noteAnswered, type Transfer } from './connections.ts'
import type { Rounds } from './rounds.ts'
import { clearTimeout, setTimeout } from './timers.ts'

/** How long a rejection may be on its way. */
const REJECTION_MS = 20

export interface Sender {
  /** Sends the reply when its delay has passed. */
  send(reply: Reply, transfer: Transfer): void
  /** From now on connections close with their response; what is held back is sent at once. */
  stop(): void
}

export function createSender(rounds: Rounds): Sender {
  /** The replies that are held back. */
  const waiting = new Set<() => void>()
  let isStopping = false

  function hold(delay: number, reply: Reply, transfer: Transfer): void {
    const { socket } = transfer.request
    let asking: ReturnType<typeof setTimeout> | undefined
    const ask = () => {
      asking = askWhetherThere(transfer)
    }
    const stopWaiting = () => {
      clearTimeout(timer)
      clearTimeout(asking)
      waiting.delete(deliverNow)
      socket.off('close', leave).off('end', ask)
    }
    const leave = () => {
      stopWaiting()
      reply.settle?.('aborted')
    }
    const deliverNow = () => {
      stopWaiting()
      deliver(reply, transfer)
    }
    const timer = setTimeout(deliverNow, delay)
    waiting.add(deliverNow)
    socket.once('close', leave).once('end', ask)
    if (socket.readableEnded) ask()
  }

  function deliver(reply: Reply, transfer: Transfer): void {
    rounds.send(() => {
      if (isStopping) transfer.response.shouldKeepAlive = false
      if (transfer.request.socket.writable) writeReply(reply, transfer)
      else reply.settle?.('aborted')
    })
  }

  function send(reply: Reply, transfer: Transfer): void {
    const closes = isStopping || reply.drop === true || reply.headers.Connection === 'close' || isEndedByClosing(reply, transfer)
    noteAnswered(transfer, closes, reply.body.length)
    if (reply.delay !== undefined && !isStopping) hold(reply.delay, reply, transfer)
    else deliver(reply, transfer)
  }

  return {
    send,
    stop() {
      isStopping = true
      for (const deliverNow of [...waiting]) deliverNow()
    },
  }
}

/**
 * A client that has closed its side may have left, or still wait for its response. The system of one that has left rejects the first
 * thing that is sent to it, and the second shows that here: `100 Continue` may come unasked (RFC 9110 §15.2.1), but not to HTTP/1.0.
 */
function askWhetherThere({ request, response }: Transfer): ReturnType<typeof setTimeout> | undefined {
  // A response that has no socket yet waits for one before it, whose client is the same.
  if (request.httpVersion !== '1.1' || !response.socket) return undefined
  response.writeContinue()
  return setTimeout(() => response.writeContinue(), REJECTION_MS)
}

function writeReply(reply: Reply, transfer: Transfer): void {
  const { request, response } = transfer
  if (response.socket) reply.settle?.('sent')
  else settleInTurn(reply, transfer)
  if (reply.drop) {
    if (response.socket) request.socket.destroy()
    else response.once('socket', (socket) => socket.destroy())
    return
  }
  response.writeHead(reply.status, reply.headers)
  if (request.complete) endResponse(response, reply.body)
  else endWhenReceived(transfer, reply.body)
  if (!response.socket) response.once('socket', () => giveUpOnStall(response))
  else if (response.socket.writableLength > 0) giveUpOnStall(response)
}

/** To HTTP/1.0, a response without a length ends with its connection, also one that has no body; node:http closes it then. */
function isEndedByClosing({ headers }: Reply, { response }: Transfer): boolean {
  return !response.useChunkedEncodingByDefault && headers['Content-Length'] === undefined
}

/** A response that has no socket yet waits for those before it on its connection, which may close with one of them. */
function settleInTurn({ settle }: Reply, { request, response }: Transfer): void {
  if (!settle) return
  const leave = () => settle('aborted')
  request.socket.once('close', leave)
  response.once('socket', (socket) => {
    socket.off('close', leave)
    settle('sent')
  })
}

/** Closing on a client that is still sending would reset the connection before it has read the response. */
function endWhenReceived({ request, response }: Transfer, body: string): void {
  // An empty body sends nothing by itself, not even the head.
  if (body === '') response.flushHeaders()
  else response.write(body)
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, LINGER_MS)
  request.resume().once('end', end)
  // A body that cannot be read has no end, but its connection may.
  if (request.socket.readableEnded) end()
  else request.socket.once('end', end)
}

/**
 * As `response.end(body)`, which would hand the socket a second, empty piece and so make it gather both: 5 to 8 % of the processor
 * time of a response (bench/throughput, each operation beside the same server without this).
 */
function endResponse(response: ServerResponse, body: string): void {
  const { socket } = response
  // A response that waits for those before it on its connection has no socket yet.
  if (body === '' || !socket) {
    response.end(body)
    return
  }
  socket.cork()
  response.write(body)
  socket.uncork()
  response.end()
}

/** Closes the connection if nothing of the response leaves for a while; node:net starts the time anew whenever something does. */
function giveUpOnStall(response: ServerResponse): void {
  const { socket } = response
  response.setTimeout(SEND_TIMEOUT_MS, () => socket?.destroy())
  response.once('finish', () => {
    // node:http has set its own time for the next request by now, unless a response is still to come on this connection.
    if (socket?.timeout === SEND_TIMEOUT_MS) socket.setTimeout(0)
  })
}
