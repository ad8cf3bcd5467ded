// The open connections of HTTP/1. A request waits until the response before it is sent: its client
// may never read.
import type { Socket } from 'node:net'
import { MAX_WAITING_REQUESTS, WAITING_REQUEST_BYTES } from '../../contract/limits.ts'
import type { Budget } from './budget.ts'
import { cut, type Exchange, isHttp2 } from './exchange.ts'

export interface Connection {
  last?: Exchange
  /** From the first message that cannot be read; what follows it is ignored. */
  isBroken: boolean
  waiting: number
}

interface Turns {
  onTurn(exchange: Exchange): void
  /** Too many requests wait; the connection is cut. */
  onCrowd(exchange: Exchange): void
}

export function createConnections(budget: Budget, { onTurn, onCrowd }: Turns) {
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

  function wait(exchange: Exchange, connection: Connection): void {
    const { request, response, channel } = exchange
    response.once('socket', () => {
      if (channel.destroyed) return
      budget.give(WAITING_REQUEST_BYTES)
      connection.waiting--
      onTurn(exchange)
    })
    connection.waiting++
    const hasRoom = budget.take(WAITING_REQUEST_BYTES)
    const isCrowded = connection.waiting > MAX_WAITING_REQUESTS
    if (isCrowded) onCrowd(exchange)
    if (isCrowded || !hasRoom) cut(request)
  }

  return {
    open,
    begin(exchange: Exchange): void {
      const { request, response, channel } = exchange
      if (isHttp2(request)) {
        onTurn(exchange)
        return
      }
      // The connections of an existing server are known by their first request.
      const connection = connections.get(channel) ?? open(channel)
      connection.last = exchange
      // node:http gives a response its socket when those before it have been sent.
      if (response.socket) onTurn(exchange)
      else wait(exchange, connection)
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
