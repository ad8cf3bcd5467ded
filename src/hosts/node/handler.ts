// Answers the requests of a node:http server, ours or an existing one: checks the head, reads the
// body, answers.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../../contract/errors.ts'
import { MAX_BODIES_BYTES, MAX_WAITING_REQUESTS } from '../../contract/limits.ts'
import { isPromise } from '../../contract/values.ts'
import { createControlApi } from '../../control/api/api.ts'
import type { ReadPlayerFile } from '../../control/api/console-route.ts'
import { addressOf } from '../../control/api/routes.ts'
import { callFor } from '../../control/api/run-method.ts'
import type { Mock } from '../../mock/mock.ts'
import type { Call, Reply } from '../../service/call.ts'
import { createDoors, type DoorSettings, readConsoleFile } from '../front-door.ts'
import { createBudget } from './budget.ts'
import { decompress } from './compression.ts'
import { createConnections } from './connections.ts'
import { containOn, type Exchange, giveUp, isGone, isHttp2 } from './exchange.ts'
import {
  findHeadError,
  hasBody,
  readBody,
  readCall,
  readUnreadable,
  toApiError,
  type UnreadableError,
} from './read-request.ts'
import { createRounds } from './rounds.ts'
import { createSender } from './send.ts'

type HandlerSettings = DoorSettings & {
  readonly compress?: boolean
  findSenderError(request: IncomingMessage): ApiError | undefined
}
const NO_ROOM = new ApiError(503, 'Too much is being sent at once; try again', {
  headers: { 'Retry-After': '1' },
})
const CROWDED = [
  `The connection was closed: more than ${MAX_WAITING_REQUESTS} of its requests`,
  'waited for the responses before theirs',
].join(' ')
/** Without a status, since nothing is sent. */
const TOO_MANY = new ApiError(0, CROWDED)
const GONE_CODES = ['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']

/** Loaded when a browser first asks for it, as the console is. */
const readPlayerFile: ReadPlayerFile = async (name) =>
  (await import('./player-files.ts')).readPlayerFile(name)

export function createHandler(mock: Mock, handlerSettings: HandlerSettings) {
  const { findSenderError, compress = false, ...settings } = handlerSettings
  const rounds = createRounds()
  const budget = createBudget(MAX_BODIES_BYTES)
  const sender = createSender(rounds, budget, compress)
  const connections = createConnections(budget, {
    onTurn: (exchange) => rounds.join(exchange, respond),
    onCrowd: ({ request }) => mock.refuse(readCall(request), TOO_MANY).settle?.('sent'),
  })
  const control = createControlApi(mock.control, {
    ...settings,
    mcp,
    readConsoleFile,
    readPlayerFile,
  })
  const doorOf = createDoors(mock, () => control, settings)

  async function mcp(call: Call) {
    const { answerMcp } = await import('../../control/mcp/serve.ts')
    const mockUrl = addressOf(call)
    const callControl = callFor.bind(undefined, mock.control)
    return answerMcp({ callFor: callControl, service: mock.fetch, mockUrl }, call)
  }

  function send(reply: Reply | Promise<Reply>, exchange: Exchange): void {
    if (isPromise(reply)) void sendLater(reply, exchange)
    else sender.send(reply, exchange)
  }

  async function sendLater(reply: Promise<Reply>, exchange: Exchange): Promise<void> {
    try {
      sender.send(await reply, exchange)
    } catch (error) {
      giveUp(exchange, error)
    }
  }

  function sendUnread(reply: Reply, exchange: Exchange): void {
    const { request, response } = exchange
    if (!request.complete) response.shouldKeepAlive = false
    request.resume()
    sender.send(reply, exchange)
  }

  function respond(exchange: Exchange, refusal?: ApiError): void {
    if (exchange.reply || isGone(exchange)) return
    const { request } = exchange
    const call = readCall(request)
    const { maxBytes, begin, refuse } = doorOf(call)
    const problem = refusal ?? findHeadError(request, maxBytes) ?? findSenderError(request)
    const begun = begin(call, problem)
    if (typeof begun !== 'function') {
      sendUnread(begun, exchange)
      return
    }
    if (!hasBody(request)) {
      send(begun(), exchange)
      return
    }
    // Has arrived whole, as most have. Reading it through events makes createPet 10 % slower.
    if (request.complete) {
      const whole: Uint8Array = request.read() ?? new Uint8Array()
      send(begun(decompress(call, whole, maxBytes)), exchange)
      return
    }
    const goOn = (body?: Uint8Array) => {
      // A request that was too slow has been refused before.
      if (exchange.reply) return
      if (body) send(begun(decompress(call, body, maxBytes)), exchange)
      else sendUnread(refuse(call, NO_ROOM), exchange)
    }
    readBody(request, maxBytes, budget, (body) => rounds.join(exchange, () => goOn(body)))
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    // An HTTP/2 request has a socket too, but one that throws if it is used.
    const channel = isHttp2(request) ? request.stream : request.socket
    if (!channel.destroyed) connections.begin({ request, response, channel, reply: undefined })
  }

  /**
   * Answers a message that cannot be read, after the requests before it, and closes its connection.
   */
  function refuseUnreadable(error: UnreadableError, socket: Socket): void {
    const { code = '' } = error
    const connection = connections.of(socket)
    // What follows a request with `Connection: close` does not belong to the conversation (RFC 9112
    // §9.6).
    if (!connection || connection.isBroken || code === 'HPE_CLOSED_CONNECTION') return
    connection.isBroken = true
    const { last } = connection
    if (last && !last.request.complete) refuseUnreadBody(last, code)
    else if (last && !last.response.writableFinished)
      last.response.once('close', () => refuseUnreadHead(socket, error))
    else refuseUnreadHead(socket, error)
  }

  /**
   * The body of a request cannot be read. If its round is still to come and needs no body, that
   * answer goes first.
   */
  function refuseUnreadBody(exchange: Exchange, code: string): void {
    const { response, channel } = exchange
    const refuse = () => {
      if (GONE_CODES.includes(code)) channel.destroySoon()
      else respond(exchange, toApiError(code))
    }
    const join = () => rounds.join(exchange, () => rounds.send(exchange, refuse))
    if (response.socket || response.writableFinished) join()
    else response.once('socket', join)
  }

  function refuseUnreadHead(socket: Socket, error: UnreadableError): void {
    containOn(socket, () => {
      if (GONE_CODES.includes(error.code ?? '')) socket.destroySoon()
      // A client that connects and sends nothing is not worth a log line.
      else if (socket.bytesRead === 0 || !socket.writable) socket.destroy()
      else {
        const { call, refusal } = readUnreadable(error)
        sender.sendRaw(mock.refuse(call, refusal), socket)
      }
    })
  }

  return { connections, receive, refuseUnreadable, stop: sender.stop }
}
