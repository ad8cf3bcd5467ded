// A request and where its response goes, on a connection of HTTP/1 or a stream of HTTP/2, with all
// that differs between the two, and the boundary around it: what throws inside is our bug, is
// logged, and ends that response or connection.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import * as platformTimers from 'node:timers'
import { BUG } from '../../contract/errors.ts'
import { MAX_WAITING_REQUESTS, WAITING_REQUEST_BYTES } from '../../contract/limits.ts'
import { createRefusal } from '../../service/reply.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly channel: Socket
  /** Set once there is a reply, which may be delayed. */
  isAnswered: boolean
}

export type Budget = ReturnType<typeof createBudget>
export type Rounds = ReturnType<typeof createRounds>
type Http2Request = IncomingMessage & { readonly stream: Socket & ServerHttp2Stream }

/** Taken at load: a test's fake timers must not stop a server, and jsdom has no setImmediate. */
export const timers = { ...platformTimers }
const INTERNAL_ERROR = 2

export const isHttp2 = (request: IncomingMessage): request is Http2Request => 'stream' in request

export function cut(request: IncomingMessage): void {
  if (isHttp2(request)) request.stream.close(INTERNAL_ERROR)
  else request.socket.destroy()
}

/**
 * Whether nothing can be sent any more. HTTP/2 ends the writable side of a HEAD before it is
 * answered.
 */
export function isGone({ request, response, channel }: Exchange): boolean {
  return response.writableEnded || (isHttp2(request) ? request.stream.closed : !channel.writable)
}

/**
 * A waiting client that closes its side has left. Over HTTP/2, clients close theirs after every
 * request.
 */
export function cutWhenLeft({ request, response, channel }: Exchange): void {
  if (isHttp2(request)) return
  const leave = () => void (response.writableEnded || cut(request))
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
    const { status, headers, body } = createRefusal(BUG)
    response.shouldKeepAlive = false
    if (response.headersSent || isGone(exchange)) cut(request)
    else response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body)
  })
}

export function createBudget(maxBytes: number) {
  let taken = 0
  /** Always reserves the bytes, until they are given back; returns whether they fit. */
  const take = (bytes: number): boolean => {
    taken += bytes
    return taken <= maxBytes
  }
  return { take, give: (bytes: number) => void take(-bytes) }
}

// Requests that arrive together are answered together, and only then sent. To go from the parser
// through the engine to the socket and back for each of them costs 24 to 45 % more processor time
// (docs/decisions/requests-in-rounds.md).
export function createRounds() {
  let joined: (() => void)[] = []
  let sends: (() => void)[] | undefined

  function run(): void {
    const parts = joined
    const ready: (() => void)[] = []
    joined = []
    sends = ready
    for (const answer of parts) answer()
    sends = undefined
    for (const send of ready) send()
  }

  return {
    join(exchange: Exchange, answer: (exchange: Exchange) => void): void {
      if (joined.length === 0) timers.setImmediate(run)
      joined.push(() => contain(exchange, answer))
    },
    send(exchange: Exchange, work: () => void): void {
      if (sends) sends.push(() => contain(exchange, work))
      else contain(exchange, work)
    },
  }
}

/** `isBroken` from the first message that cannot be read; what follows it is ignored. */
type Connection = { last?: Exchange; isBroken: boolean; waiting: number }

// The open connections of HTTP/1. A request waits until the response before it is sent: its client
// may never read.
export function createConnections(budget: Budget, onTurn: (exchange: Exchange) => void) {
  const connections = new Map<Socket, Connection>()

  function open(socket: Socket): Connection {
    const connection: Connection = { isBroken: false, waiting: 0 }
    connections.set(socket, connection)
    socket.once('close', () => {
      connections.delete(socket)
      budget.give(connection.waiting * WAITING_REQUEST_BYTES)
    })
    return connection
  }

  return {
    open,
    begin(exchange: Exchange): void {
      const { request, response, channel } = exchange
      if (isHttp2(request)) return void onTurn(exchange)
      // The connections of an existing server are known by their first request.
      const connection = connections.get(channel) ?? open(channel)
      connection.last = exchange
      // node:http gives a response its socket when those before it have been sent.
      if (response.socket) return void onTurn(exchange)
      response.once('socket', () => {
        if (channel.destroyed) return
        budget.give(WAITING_REQUEST_BYTES)
        connection.waiting--
        onTurn(exchange)
      })
      connection.waiting++
      if (!budget.take(WAITING_REQUEST_BYTES) || connection.waiting > MAX_WAITING_REQUESTS)
        cut(request)
    },
    of: (socket: Socket): Connection | undefined => connections.get(socket),
    /**
     * Also those that never sent a byte, which node:http does not count as idle: browsers open some
     * in advance.
     */
    closeIdle(): void {
      for (const [socket, { last }] of connections)
        if (!last || last.response.writableFinished) socket.destroy()
    },
    closeAll(): void {
      for (const socket of connections.keys()) socket.destroy()
    },
  }
}
