// The open connections, each with its last request. Requests on a connection are processed in order, and whatever cannot be a
// request is answered after the last of them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Call } from '../../service/call.ts'
import { toCall } from './call.ts'
import type { Rounds } from './rounds.ts'
import { setTimeout } from './timers.ts'

/** A request that is being processed, and its response. */
export interface Transfer {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly call: Call
  readonly connection: Connection
  /** Processes the request when it is its turn; undefined from then on. */
  receive: ((transfer: Transfer) => void) | undefined
  /** Whether the reply is known; it may still be delayed. */
  isAnswered: boolean
  /** Called then: the next request on the connection waits for it. */
  onAnswered: (() => void) | undefined
  /** Characters in the body of the reply, once that is known. */
  length: number
}

export interface Connection {
  last: Transfer | undefined
  /** Set by the first message that cannot be read; whatever follows it is ignored. */
  isBroken: boolean
  /** Set by a reply that closes the connection: later requests on it must not be processed (RFC 9112 §9.6). */
  isClosing: boolean
  /** What the platform does when the client closes its side. */
  readonly endListeners: readonly (() => void)[]
}

export interface Connections {
  open(socket: Socket): void
  /** Calls `receive` in the next round in which the previous request on the connection has been answered. */
  begin(request: IncomingMessage, response: ServerResponse, receive: (transfer: Transfer) => void): void
  /** Marks the connection as broken and returns it; undefined if it was broken already. Its client may close its side and wait. */
  breakOff(socket: Duplex): Connection | undefined
  /** Runs `work` after the response to the last request has been sent; never if the connection closes with it. */
  afterLast(socket: Duplex, work: () => void): void
  /** Closes the connection of a client that has closed its side in the middle of a message, after the responses that it is owed. */
  closeUnfinished(socket: Duplex): void
  /** Closes connections that have never received a byte: browsers open some in advance, and node:http does not count them as idle. */
  closeUnused(): void
  closeAll(): void
}

/** A client that sends requests without reading the responses has this much of one waiting for it, and the next request waits too. */
const MAX_AHEAD_CHARACTERS = 16 * 2 ** 10

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
      previous.onAnswered = () => rounds.join(() => take(transfer, previous))
      return
    }
    if (previous && previous.length > MAX_AHEAD_CHARACTERS && !previous.response.writableFinished) {
      previous.response.once('close', () => rounds.join(() => take(transfer)))
      return
    }
    const { receive } = transfer
    transfer.receive = undefined
    receive?.(transfer)
  }

  function closeUnfinished(socket: Duplex): void {
    const last = connections.get(socket)?.last
    const close = () => (socket as Socket).destroySoon()
    // After the round that answers the requests before it.
    const closeInTurn = () => {
      if (!last) close()
      else if (last.request.complete) whenSent(last.response, close)
      // Its response, if it has one without its body, ends by itself.
      else if (last.isAnswered) return
      else if (last.response.socket) close()
      else last.response.once('socket', close)
    }
    rounds.join(() => rounds.send(closeInTurn))
  }

  return {
    open(socket) {
      // Every pipelined request that waits listens for the end of its connection; node:events would take more than ten for a leak.
      socket.setMaxListeners(0)
      ;(socket as Socket).destroySoon = endLingering
      const endListeners = socket.listeners('end') as (() => void)[]
      const connection: Connection = { last: undefined, isBroken: false, isClosing: false, endListeners }
      connections.set(socket, connection)
      socket.once('end', () => {
        // For its parser this is an error, which node:http keeps to itself once the client has asked for an upgrade.
        if (connection.last && !connection.last.request.complete) closeUnfinished(socket)
      })
      socket.once('close', () => connections.delete(socket))
    },
    closeUnfinished,
    begin(request, response, receive) {
      const connection = connections.get(request.socket)
      if (!connection) return
      const { last } = connection
      if (asksForUpgrade(request)) response.shouldKeepAlive = false
      const transfer: Transfer = {
        request,
        response,
        call: toCall(request),
        connection,
        receive,
        isAnswered: false,
        onAnswered: undefined,
        length: 0,
      }
      connection.last = transfer
      rounds.join(() => take(transfer, last))
    },
    breakOff(socket) {
      const connection = connections.get(socket)
      if (!connection || connection.isBroken) return undefined
      connection.isBroken = true
      // node:http knows of no response that is still to come, and would end our side with the client's.
      for (const listener of connection.endListeners) socket.off('end', listener)
      return connection
    },
    afterLast(socket, work) {
      const connection = connections.get(socket)
      const run = () => {
        if (connection && !connection.isClosing && socket.writable) work()
      }
      if (connection?.last) whenSent(connection.last.response, run)
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

/**
 * Ends a connection as node:http would with `destroySoon`, which it calls after the last response, but goes on reading for a while: closing on
 * a client that is still sending would reset the connection, and it may lose responses that it has not read yet (RFC 9112 §9.6).
 */
export function endLingering(this: Socket): void {
  this.end()
  this.resume()
  const linger = () => setTimeout(() => this.destroy(), LINGER_MS).unref()
  if (this.writableFinished) linger()
  else this.once('finish', linger)
}

function whenSent(response: ServerResponse, work: () => void): void {
  if (response.writableFinished) work()
  else response.once('close', work)
}

/**
 * Whether the client wants to go on in another protocol. We decline, but node:http stops reading there: what has come in the same
 * packet is lost, so the connection must not stay open as if it had been read.
 */
function asksForUpgrade({ headers: { upgrade, connection = '' } }: IncomingMessage): boolean {
  return upgrade !== undefined && /upgrade/i.test(connection)
}

/** Records that the reply is known, and whether it closes the connection; otherwise the next request on it is processed. */
export function noteAnswered(transfer: Transfer, closes = false, length = 0): void {
  transfer.isAnswered = true
  transfer.length = length
  if (closes || !transfer.response.shouldKeepAlive) transfer.connection.isClosing = true
  transfer.onAnswered?.()
  transfer.onAnswered = undefined
}
