// What is known of each open connection: its last request, and whether what followed it could be read. Responses leave a
// connection in the order of its requests, so whatever comes after the last one waits for that.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Call } from '../../service/call.ts'
import { toCall } from './call.ts'
import type { Rounds } from './rounds.ts'

/** A request and its response, on their way. */
export interface Transfer {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly call: Call
  readonly connection: Connection
  /** What is done with it in its turn; undefined from then on. */
  receive: ((transfer: Transfer) => void) | undefined
  /** Whether its reply is known; it may still be held back. */
  isAnswered: boolean
  /** What waits for that. */
  onAnswered: (() => void) | undefined
}

export interface Connection {
  last: Transfer | undefined
  /** Nothing that comes after an unreadable message is looked at. */
  isBroken: boolean
  /** A reply closes the connection: requests after its own must not be processed any more (RFC 9112 §9.6). */
  isClosing: boolean
}

export interface Connections {
  open(socket: Socket): void
  /** Has a request received in its turn: in the next round, and after the one before it on its connection is answered. */
  begin(request: IncomingMessage, response: ServerResponse, receive: (transfer: Transfer) => void): void
  /** Marks the connection as broken; gives it only the first time. */
  breakOff(socket: Duplex): Connection | undefined
  /** Runs once the response to the last request has gone out; never if the connection closes with it. */
  afterLast(socket: Duplex, work: () => void): void
  /** Closes those on which nothing has ever come: browsers open some in advance, and node:http does not count them as idle. */
  closeUnused(): void
  closeAll(): void
}

/** How long a client may go on sending after its last response, so that it gets to read it. */
export const LINGER_MS = 500

export function createConnections(rounds: Rounds): Connections {
  const connections = new Map<Duplex, Connection>()

  function take(transfer: Transfer, previous?: Transfer): void {
    if (transfer.connection.isClosing) {
      // A body that nobody reads would keep the end of the connection from being seen.
      transfer.request.resume()
      return
    }
    if (previous && !previous.isAnswered) {
      previous.onAnswered = () => rounds.join(() => take(transfer))
      return
    }
    const { receive } = transfer
    transfer.receive = undefined
    receive?.(transfer)
  }

  return {
    open(socket) {
      connections.set(socket, { last: undefined, isBroken: false, isClosing: false })
      socket.once('close', () => connections.delete(socket))
    },
    begin(request, response, receive) {
      const connection = connections.get(request.socket)
      if (!connection) return
      const { last } = connection
      const transfer: Transfer = { request, response, call: toCall(request), connection, receive, isAnswered: false, onAnswered: undefined }
      connection.last = transfer
      rounds.join(() => take(transfer, last))
    },
    breakOff(socket) {
      const connection = connections.get(socket)
      if (!connection || connection.isBroken) return undefined
      connection.isBroken = true
      return connection
    },
    afterLast(socket, work) {
      const connection = connections.get(socket)
      const response = connection?.last?.response
      const run = () => {
        if (connection && !connection.isClosing && socket.writable) work()
      }
      if (response && !response.writableFinished) response.once('close', run)
      else run()
    },
    closeUnused() {
      for (const socket of connections.keys()) if ((socket as Socket).bytesRead === 0) socket.destroy()
    },
    closeAll() {
      for (const socket of connections.keys()) socket.destroy()
    },
  }
}

/** Notes that the reply is known, and whether the connection closes with it; lets the next request on it pass. */
export function noteAnswered(transfer: Transfer, closes: boolean): void {
  transfer.isAnswered = true
  if (closes || !transfer.response.shouldKeepAlive) transfer.connection.isClosing = true
  transfer.onAnswered?.()
  transfer.onAnswered = undefined
}
