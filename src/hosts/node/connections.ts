// The open connections of HTTP/1, with what node:http does not know of them, and what all requests in flight may take.
// The requests of a connection are answered one after another: the next one has its turn when the response before it
// has been sent, so that nothing is made for a client that does not read.
import type { Socket } from 'node:net'
import { MAX_WAITING_REQUESTS, WAITING_REQUEST_BYTES } from '../../limits.ts'
import { cut, type Exchange, isHttp2 } from './exchange.ts'

export type Budget = ReturnType<typeof createBudget>

export interface Connection {
  last?: Exchange
  /** The request that has its turn, or had it last. */
  current?: Exchange
  /** Set by the first message that cannot be read; what follows it is ignored. */
  isBroken: boolean
  waiting: number
}

export function createBudget(maxBytes: number) {
  let taken = 0
  return {
    /** Takes the bytes in any case, until they are given back; returns whether they fit. */
    take(bytes: number): boolean {
      taken += bytes
      return taken <= maxBytes
    },
    give(bytes: number): void {
      taken -= bytes
    },
  }
}

export function createConnections(budget: Budget, onTurn: (exchange: Exchange) => void) {
  const connections = new Map<Socket, Connection>()

  function open(socket: Socket): Connection {
    const connection: Connection = { isBroken: false, waiting: 0 }
    connections.set(socket, connection)
    socket.once('close', () => {
      connections.delete(socket)
      budget.give(connection.waiting * WAITING_REQUEST_BYTES)
    })
    // A client that closes its side while its response is delayed has left, and so has one that listens to events.
    socket.once('end', () => {
      const { current } = connection
      if (current?.isAnswered && !current.response.writableEnded && socket.writable) socket.destroy()
    })
    return connection
  }

  return {
    open,
    /** Takes a request in. Too many that wait for their turn close their connection. */
    begin(exchange: Exchange): void {
      const { request, response, channel } = exchange
      if (isHttp2(request)) return void onTurn(exchange)
      // The connections of an existing server are known by their first request.
      const connection = connections.get(channel) ?? open(channel)
      connection.last = exchange
      const takeTurn = () => {
        connection.current = exchange
        onTurn(exchange)
      }
      // node:http gives a response its socket when those before it have been sent.
      if (response.socket) return void takeTurn()
      response.once('socket', () => {
        // A connection that is closed gives everything back at once.
        if (channel.destroyed) return
        budget.give(WAITING_REQUEST_BYTES)
        connection.waiting--
        takeTurn()
      })
      connection.waiting++
      if (!budget.take(WAITING_REQUEST_BYTES) || connection.waiting > MAX_WAITING_REQUESTS) cut(request)
    },
    of: (socket: Socket): Connection | undefined => connections.get(socket),
    /** Also those that never sent a byte, which node:http does not count as idle: browsers open some in advance. */
    closeIdle(): void {
      for (const [socket, { last }] of connections) if (!last || last.response.writableFinished) socket.destroy()
    },
    closeAll(): void {
      for (const socket of connections.keys()) socket.destroy()
    },
  }
}
