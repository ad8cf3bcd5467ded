// Answers the requests of a node:http server, ours or an existing one: checks the head, reads the
// body, answers.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../../contract/errors.ts'
import { MAX_BODIES_BYTES } from '../../contract/limits.ts'
import { isPromise } from '../../contract/values.ts'
import { createControlApi } from '../../control/api/api.ts'
import { addressOf, callFor } from '../../control/api/routes.ts'
import type { Mock } from '../../mock/mock.ts'
import type { Call, Reply } from '../../service/call.ts'
import { readConsoleFile } from '../console-files.ts'
import { createDoors, type DoorSettings } from '../front-door.ts'
import type { Exchange } from './exchange.ts'
import {
  containOn,
  createBudget,
  createConnections,
  createRounds,
  giveUp,
  isGone,
  isHttp2,
} from './exchange.ts'
import { findHeadError, hasBody, readBody, readCall, toApiError } from './read-request.ts'
import { createSender } from './send.ts'

type HandlerSettings = DoorSettings & {
  findSenderError(request: IncomingMessage): ApiError | undefined
}
const NO_ROOM = new ApiError(503, 'Too much is being sent at once; try again', {
  headers: { 'Retry-After': '1' },
})
const GONE_CODES = ['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']
const UNREADABLE: Call = { method: '', target: '', headers: {}, reportsOutcome: true }

export function createHandler(mock: Mock, { findSenderError, ...settings }: HandlerSettings) {
  const rounds = createRounds()
  const budget = createBudget(MAX_BODIES_BYTES)
  const sender = createSender(rounds, budget)
  const connections = createConnections(budget, (exchange) => rounds.join(exchange, respond))
  const reach = { callFor: callFor.bind(undefined, mock.control), service: mock.fetch }
  const mcp = async (call: Call) =>
    (await import('../../control/mcp/serve.ts')).answerMcp(
      { ...reach, mockUrl: addressOf(call) },
      call,
    )
  const control = createControlApi(mock.control, { ...settings, mcp, readConsoleFile })
  const doorOf = createDoors(mock, () => control, settings)

  function send(reply: Reply | Promise<Reply>, exchange: Exchange): void {
    if (!isPromise(reply)) sender.send(reply, exchange)
    else
      reply.then((ready) => sender.send(ready, exchange)).catch((error) => giveUp(exchange, error))
  }

  function sendUnread(reply: Reply, exchange: Exchange): void {
    if (!exchange.request.complete) exchange.response.shouldKeepAlive = false
    exchange.request.resume()
    sender.send(reply, exchange)
  }

  function respond(exchange: Exchange, refusal?: ApiError): void {
    if (exchange.isAnswered || isGone(exchange)) return
    const { request } = exchange
    const call = readCall(request)
    const { maxBytes, begin, refuse } = doorOf(call)
    const begun = begin(
      call,
      refusal ?? findHeadError(request, maxBytes) ?? findSenderError(request),
    )
    if (typeof begun !== 'function') sendUnread(begun, exchange)
    else if (!hasBody(request)) send(begun(), exchange)
    // Has arrived whole, as most have. Reading it through events makes createPet 10 % slower.
    else if (request.complete) send(begun(request.read() ?? new Uint8Array()), exchange)
    else {
      const goOn = (body?: Uint8Array) => {
        // A request that was too slow has been refused before.
        if (exchange.isAnswered) return
        if (body) send(begun(body), exchange)
        else sendUnread(refuse(call, NO_ROOM), exchange)
      }
      readBody(request, maxBytes, budget, (body) => rounds.join(exchange, () => goOn(body)))
    }
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    // An HTTP/2 request has a socket too, but one that throws if it is used.
    const channel = isHttp2(request) ? request.stream : request.socket
    if (!channel.destroyed) connections.begin({ request, response, channel, isAnswered: false })
  }

  /**
   * Answers a message that cannot be read, after the requests before it, and closes its connection.
   */
  function refuseUnreadable({ code = '' }: { readonly code?: string }, socket: Socket): void {
    const connection = connections.of(socket)
    // What follows a request with `Connection: close` does not belong to the conversation (RFC 9112
    // §9.6).
    if (!connection || connection.isBroken || code === 'HPE_CLOSED_CONNECTION') return
    connection.isBroken = true
    const { last } = connection
    if (last && !last.request.complete) refuseUnreadBody(last, code)
    else if (last && !last.response.writableFinished)
      last.response.once('close', () => refuseUnreadHead(socket, code))
    else refuseUnreadHead(socket, code)
  }

  /**
   * The body of a request cannot be read. If its round is still to come and needs no body, that
   * answer goes first.
   */
  function refuseUnreadBody(exchange: Exchange, code: string): void {
    const { response, channel } = exchange
    const refuse = () =>
      GONE_CODES.includes(code) ? channel.destroySoon() : respond(exchange, toApiError(code))
    const join = () => rounds.join(exchange, () => rounds.send(exchange, refuse))
    if (response.socket || response.writableFinished) join()
    else response.once('socket', join)
  }

  function refuseUnreadHead(socket: Socket, code: string): void {
    containOn(socket, () => {
      if (GONE_CODES.includes(code)) return void socket.destroySoon()
      // A client that connects and sends nothing is not worth a log line.
      const reply =
        socket.bytesRead > 0 && socket.writable
          ? mock.refuse(UNREADABLE, toApiError(code))
          : undefined
      if (!reply) socket.destroy()
      else sender.sendRaw(reply, socket)
    })
  }

  return { connections, receive, refuseUnreadable, stop: sender.stop }
}
