// Answers the requests of a node:http server, ours (`serve`) or an existing one (`middleware`): checks of the head, then the body, then the reply
// of the service or the control API.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../../contract/errors.ts'
import { isControlTarget } from '../../control/control-api.ts'
import { answerFrontDoor, type FrontDoorSettings, isFrontDoor } from '../../control/front-door.ts'
import { MAX_BODIES_BYTES, MAX_BODY_BYTES, MAX_DOCUMENT_BYTES } from '../../limits.ts'
import type { Mock } from '../../mock/mock.ts'
import type { Call, Reply } from '../../service/call.ts'
import { type Connection, createConnections } from './connections.ts'
import type { NodeControl } from './node-control.ts'
import { endRaw, toApiError } from './raw-reply.ts'
import { checkHead, createBodyBudget, hasBody, readBody, takeBody, toCall } from './read-request.ts'
import { createRounds } from './rounds.ts'
import { createSender } from './send.ts'
import { setTimeout } from './timers.ts'

interface HandlerSettings {
  readonly control: NodeControl
  /** Whether the client may send this at all: the host that it names, and where it is. */
  readonly checkSender: (request: IncomingMessage) => ApiError | undefined
  /** Answers `/` and a browser's request for an icon; without it they are the service's. */
  readonly frontDoor?: FrontDoorSettings
}

const NO_ROOM = new ApiError(503, 'Too many large requests at once; try again', { headers: { Connection: 'close', 'Retry-After': '1' } })
/** The client has left, or has closed its side in the middle of a message. */
const GONE_CODES = ['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']
const UNREADABLE: Call = { method: '', target: '', header: () => undefined, reportsOutcome: true }

export function createHandler(mock: Mock, { control, checkSender, frontDoor }: HandlerSettings) {
  if (control.token !== undefined) mock.hide(control.token)
  const rounds = createRounds()
  const connections = createConnections()
  const budget = createBodyBudget(MAX_BODIES_BYTES)
  const sender = createSender(rounds, budget)

  /** A reply that needs no body: at the front door, or because the control API checks who is calling before it reads one. */
  function answerEarly(call: Call, isControl: boolean, expectsBody: boolean): Reply | undefined {
    if (isControl) return expectsBody ? control.answerWithoutBody(call) : undefined
    return frontDoor && !expectsBody && isFrontDoor(call) ? answerFrontDoor(call, frontDoor) : undefined
  }

  function answer(api: Mock | NodeControl, call: Call, response: ServerResponse, connection: Connection): void {
    const send = (reply: Reply) => sender.send(reply, response, connection)
    const reply = api.answer(call)
    if (reply instanceof Promise) void reply.then(send)
    else send(reply)
  }

  /** Refuses a request, whether or not its body has arrived. */
  function refuse(error: ApiError, response: ServerResponse, connection: Connection): void {
    const call = toCall(response.req)
    sendUnread((isControlTarget(call.target) ? control : mock).refuse(call, error), response, connection)
  }

  /** The rest of the body is read and ignored. */
  function sendUnread(reply: Reply, response: ServerResponse, connection: Connection): void {
    if (!response.req.complete) response.shouldKeepAlive = false
    response.req.resume()
    sender.send(reply, response, connection)
  }

  function process(request: IncomingMessage, response: ServerResponse, connection: Connection): void {
    const call = toCall(request)
    const isControl = isControlTarget(call.target)
    const api = isControl ? control : mock
    const maxBytes = isControl ? MAX_DOCUMENT_BYTES : MAX_BODY_BYTES
    const problem = checkHead(request, maxBytes) ?? checkSender(request) ?? (isControl ? undefined : control.findMisusedToken(call))
    const expectsBody = hasBody(request)
    const early = problem ? undefined : answerEarly(call, isControl, expectsBody)
    if (problem) sendUnread(api.refuse(call, problem), response, connection)
    else if (early) sendUnread(early, response, connection)
    else if (!expectsBody) answer(api, call, response, connection)
    else if (request.complete) answer(api, { ...call, body: takeBody(request) }, response, connection)
    else {
      // Without a body if there is no room for it. A request that was too slow has been refused before.
      readBody(request, maxBytes, budget, (body) => {
        if (connection.isClosing) return
        if (body) answer(api, { ...call, body }, response, connection)
        else sendUnread(api.refuse(call, NO_ROOM), response, connection)
      })
    }
  }

  /** Answers in the next round. */
  function join(response: ServerResponse, work: (connection: Connection) => void): void {
    const connection = connections.begin(response)
    if (!connection) return
    rounds.join(() => {
      // A body that is not read would keep the end of the connection from being seen.
      if (connection.isClosing || response.req.socket.destroyed) response.req.resume()
      else work(connection)
    })
  }

  /** Answers a message that cannot be read, after the requests before it, and closes its connection. */
  function refuseUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
    const connection = connections.of(socket)
    // What follows a request with `Connection: close` does not belong to the conversation (RFC 9112 §9.6).
    if (!connection || connection.isBroken || code === 'HPE_CLOSED_CONNECTION') return
    connection.isBroken = true
    const { last } = connection
    const isUnfinished = last !== undefined && !last.req.complete
    const close = () => {
      if (GONE_CODES.includes(code)) whenSent(isUnfinished ? undefined : last, () => socket.destroySoon())
      // Otherwise a response closes the connection.
      else if (connection.isClosing) return
      else if (isUnfinished) refuse(toApiError(code), last, connection)
      else whenSent(last, () => refuseMessage(toApiError(code), socket))
    }
    if (last && !last.writableFinished) rounds.join(() => rounds.send(close))
    else close()
  }

  function refuseMessage(error: ApiError, socket: Socket): void {
    // A client that connects and sends nothing is not worth a log line.
    if (socket.bytesRead === 0 || !socket.writable) {
      socket.destroy()
      return
    }
    const reply = mock.refuse(UNREADABLE, error)
    if (reply.delay === undefined) endRaw(reply, socket)
    else setTimeout(() => endRaw(reply, socket), reply.delay).unref()
  }

  return {
    connections,
    receive: (request: IncomingMessage, response: ServerResponse) => join(response, (connection) => process(request, response, connection)),
    /** Refuses an expectation other than 100-continue. */
    refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
      const problem = checkSender(request) ?? new ApiError(417, 'The only supported expectation is 100-continue')
      response.shouldKeepAlive = false
      join(response, (connection) => refuse(problem, response, connection))
    },
    refuseUnreadable,
    /** From now on connections close with their response, delayed responses are sent at once, and event streams end. */
    stop: sender.stop,
  }
}

function whenSent(response: ServerResponse | undefined, work: () => void): void {
  if (!response || response.writableFinished) work()
  else response.once('close', work)
}
