// The open connections, with what node:http does not know of them: which responses wait, and whether one of them closes the connection.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_WAITING_RESPONSES } from '../../limits.ts'

export interface Connection {
  /** The response to the last request on this connection. */
  last?: ServerResponse
  /** Set by the first message that cannot be read; what follows it is ignored. */
  isBroken: boolean
  /** Set by a reply that closes the connection: later requests on it must not be processed (RFC 9112 §9.6). */
  isClosing: boolean
  /** Requests whose responses have not been sent. */
  unsent: number
  /** What to do if the client onLeave before it has its response, or listens to events. */
  readonly onLeave: Set<() => void>
}

export function createConnections() {
  const connections = new Map<Socket, Connection>()

  function open(socket: Socket): Connection {
    const onLeave = new Set<() => void>()
    const connection: Connection = { isBroken: false, isClosing: false, unsent: 0, onLeave }
    connections.set(socket, connection)
    // A client that closes its side while it waits has left; one that is about to be answered may still read.
    socket.once('end', () => onLeave.size > 0 && socket.destroy())
    // node:http resumes the reading whenever it reads a body.
    socket.on('resume', () => connection.unsent >= MAX_WAITING_RESPONSES && socket.pause())
    socket.once('close', () => {
      connections.delete(socket)
      for (const leave of onLeave) leave()
    })
    return connection
  }

  return {
    open,
    /** Counts a request; undefined once the connection is closed. Too many of them stop the reading. */
    begin(response: ServerResponse): Connection | undefined {
      const { socket } = response.req
      if (socket.destroyed) return undefined
      // The connections of an existing server are known by their first request.
      const connection = connections.get(socket) ?? open(socket)
      connection.last = response
      if (++connection.unsent === MAX_WAITING_RESPONSES) socket.pause()
      return connection
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
