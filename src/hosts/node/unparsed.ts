// Connections that node:http gives up or hands over: a message that its parser cannot read, or a tunnel. It has no response
// object for these, so their replies are written by hand, after those to the requests before them on the same connection.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Reply } from '../../service/call.ts'
import { checkTransferCoding, toCall } from './call.ts'
import { type Connection, type Connections, endLingering, type Transfer } from './connections.ts'
import { type ParserError, toApiError, toBrokenCall, toText, toUnknownMethodCall } from './parser-errors.ts'
import type { Receiver } from './receive.ts'
import type { Rounds } from './rounds.ts'
import type { Sender } from './send.ts'
import { setTimeout } from './timers.ts'

export interface UnparsedSettings {
  readonly connections: Connections
  readonly receiver: Receiver
  readonly rounds: Rounds
  readonly sender: Sender
}

/** The client has left. */
const GONE_CODES = ['ECONNRESET', 'EPIPE']
/** The client has closed its side in the middle of a message. */
const UNFINISHED_CODE = 'HPE_INVALID_EOF_STATE'
/** `GET / HTTP/1.1` and the end of the line: fewer bytes are less than a request line. */
const MIN_REQUEST_LINE_BYTES = 16

export function createUnparsed({ connections, receiver, rounds, sender }: UnparsedSettings) {
  /** After the round that answers the requests before it. */
  const onTurn = (work: () => void) => rounds.join(() => rounds.send(work))

  function endWith(socket: Duplex, toReply: () => Reply): void {
    onTurn(() =>
      connections.afterLast(socket, () => {
        const reply = toReply()
        if (reply.delay === undefined) endConnection(socket, reply)
        else setTimeout(() => endConnection(socket, reply), reply.delay).unref()
      }),
    )
  }

  /** The head was read and the body cannot be, so the response is the request's own, in its turn. */
  function refuseLast(last: Transfer, error: ParserError): void {
    const refuse = ({ call, response }: Transfer) => {
      // Answered without its body, it closes the connection as it is.
      if (last.isAnswered) return
      response.shouldKeepAlive = false
      sender.send(receiver.refuse(call, checkTransferCoding(call) ?? toApiError(error)), last)
    }
    if (last.receive) last.receive = refuse
    else onTurn(() => refuse(last))
  }

  return {
    /** Refuses a tunnel. Its socket has lost the listeners of node:http, that for errors included. */
    onConnect(request: IncomingMessage, socket: Duplex): void {
      socket.on('error', () => socket.destroy())
      socket.resume()
      endWith(socket, () => receiver.answerUnknownMethod(toCall(request)))
    },
    /** Answers a message that cannot be read, once, and for itself alone. */
    onParserError(error: ParserError, socket: Duplex): void {
      if (GONE_CODES.includes(error.code ?? '')) {
        onTurn(() => socket.destroy())
        return
      }
      if (error.code === UNFINISHED_CODE) {
        connections.closeUnfinished(socket)
        return
      }
      const connection = connections.breakOff(socket)
      // What follows a request with `Connection: close` is no part of the conversation (RFC 9112 §9.6).
      if (!connection || error.code === 'HPE_CLOSED_CONNECTION') return
      const { last } = connection
      if (last && !last.request.complete) refuseLast(last, error)
      else if (hasLessThanRequestLine(error, socket as Socket, connection)) socket.destroy()
      else {
        endWith(socket, () => {
          const call = toUnknownMethodCall(error)
          // To the parser an unknown method is an error; to the service it is a method like any other, and not allowed.
          return call ? receiver.answerUnknownMethod(call) : receiver.refuse(toBrokenCall(error), toApiError(error))
        })
      }
    },
  }
}

/** Sends the last reply of a connection that node:http has given up or handed over, and closes it. */
function endConnection(socket: Duplex, reply: Reply): void {
  if (!socket.writable) {
    reply.settle?.('aborted')
    return
  }
  reply.settle?.('sent')
  socket.write(toText(reply))
  endLingering.call(socket as Socket)
}

/**
 * Whether a client that was too slow has sent nothing that could be told of it. What has come of a later request on a connection
 * cannot be told from what came before.
 */
function hasLessThanRequestLine({ code }: ParserError, socket: Socket, { last }: Connection): boolean {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' && (last !== undefined || socket.bytesRead < MIN_REQUEST_LINE_BYTES)
}
