// The open connections, with what node:http does not know of them: which responses wait, and whether one of them closes the connection.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_WAITING_RESPONSES } from '../../limits.ts'
import { attemptOn } from './boundary.ts'
import { type Connection, type Exchange, isHttp2, toChannel } from './channel.ts'

export function createConnections() {
  const connections = new Map<Socket, Connection>()

  function add(channel: Socket): Connection {
    const connection: Connection = { isBroken: false, isClosing: false, unsent: 0, delayed: 0, onLeave: new Set() }
    connections.set(channel, connection)
    channel.once('close', () => {
      connections.delete(channel)
      for (const leave of connection.onLeave) attemptOn(channel, leave)
    })
    return connection
  }

  function open(socket: Socket): Connection {
    const connection = add(socket)
    // A client that closes its side while it waits has left; one that is about to be answered may still read.
    socket.once('end', () => connection.onLeave.size > 0 && socket.destroy())
    // node:http resumes the reading whenever it reads a body.
    socket.on('resume', () => connection.unsent >= MAX_WAITING_RESPONSES && socket.pause())
    return connection
  }

  return {
    open,
    /** Takes a request in; undefined once the connection is closed. Too many of them stop the reading. */
    begin(request: IncomingMessage, response: ServerResponse): Exchange | undefined {
      const channel = toChannel(request)
      if (channel.destroyed) return undefined
      // The connections of an existing server are known by their first request.
      const connection = connections.get(channel) ?? (isHttp2(request) ? add : open)(channel)
      const exchange = { request, response, channel, connection }
      connection.last = exchange
      if (++connection.unsent === MAX_WAITING_RESPONSES) channel.pause()
      return exchange
    },
    /** Undefined once the connection is closed. */
    of: (socket: Socket): Connection | undefined => connections.get(socket),
    /** Also those that have never received a byte, which node:http does not count as idle: browsers open some in advance. */
    closeIdle(): void {
      for (const [socket, { unsent }] of connections) if (unsent === 0 && socket.writableLength === 0) socket.destroy()
    },
    closeAll(): void {
      for (const socket of connections.keys()) socket.destroy()
    },
  }
}
