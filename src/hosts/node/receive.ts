// The path of a request through the server: checks on its head, then its body, then the reply of the service or the control API.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../contract/errors.ts'
import { isControlTarget } from '../../control/control-api.ts'
import { answerFrontDoor, type FrontDoorSettings, isFrontDoor } from '../../control/front-door.ts'
import { MAX_BODY_BYTES, MAX_DOCUMENT_BYTES } from '../../limits.ts'
import { tooLarge } from '../../service/admit.ts'
import type { Service } from '../../service/answer.ts'
import type { Call, Reply } from '../../service/call.ts'
import { type BodyBudget, hasBody, isHttp2, readBody, takeBody, toCall } from './call.ts'
import type { Connection, Connections } from './connections.ts'
import type { NodeControl } from './control.ts'
import { toApiError } from './parser-errors.ts'
import type { Rounds } from './rounds.ts'
import type { Sender } from './send.ts'

export interface ReceiverSettings {
  readonly service: Service
  readonly control: NodeControl
  /** Answers `/` and a browser's request for an icon; without it they are the service's. */
  readonly frontDoor?: FrontDoorSettings
  /** Whether the client may send this at all: the host that it names, and where it is. */
  readonly checkSender: (request: IncomingMessage) => ApiError | undefined
  readonly connections: Connections
  readonly rounds: Rounds
  readonly sender: Sender
  readonly budget: BodyBudget
}

export interface Receiver {
  /** Answers the request in the next round. */
  receive(request: IncomingMessage, response: ServerResponse): void
  /** Refuses an expectation other than 100-continue (417). */
  refuseExpectation(request: IncomingMessage, response: ServerResponse): void
}

export function createReceiver(settings: ReceiverSettings): Receiver {
  const { service, control, frontDoor, checkSender, connections, rounds, sender, budget } = settings

  function answer(call: Call, response: ServerResponse): void {
    if (isControlTarget(call.target)) control.answer(call, response, (reply) => sender.send(reply, response))
    else sender.send(frontDoor && isFrontDoor(call) ? answerFrontDoor(call, frontDoor) : service.answer(call), response)
    // An event stream is the last response on its connection.
    const streaming = response.headersSent && !response.writableEnded ? connections.of(response.req.socket) : undefined
    if (streaming) streaming.isClosing = true
  }

  function refuse(call: Call, error: ApiError): Reply {
    return (isControlTarget(call.target) ? control : service).refuse(call, error)
  }

  /** A reply that does not depend on the body. The control API checks who is calling before it reads one. */
  function answerEarly(call: Call, request: IncomingMessage, expectsBody: boolean): Reply | undefined {
    const isControl = isControlTarget(call.target)
    const problem =
      checkVersion(request) ??
      checkSender(request) ??
      (expectsBody ? checkBody(request, toMaxBytes(call)) : undefined) ??
      (isControl ? undefined : control.findMisusedToken(call))
    if (problem) return refuse(call, problem)
    return isControl && expectsBody ? control.answerWithoutBody(call) : undefined
  }

  function process(request: IncomingMessage, response: ServerResponse, connection: Connection): void {
    const call = toCall(request)
    const expectsBody = hasBody(request)
    const early = answerEarly(call, request, expectsBody)
    if (early) sendUnread(early, request, response)
    else if (!expectsBody) answer(call, response)
    else if (request.complete) answer({ ...call, body: takeBody(request) }, response)
    else receiveBody(call, request, response, connection)
  }

  function receiveBody(call: Call, request: IncomingMessage, response: ServerResponse, connection: Connection): void {
    const refuseUnfinished = (error: ApiError) => {
      stop()
      connection.refuseUnfinished = undefined
      sendUnread(refuse(call, error), request, response)
    }
    const stop = readBody(request, {
      maxBytes: toMaxBytes(call),
      budget,
      onBody(body) {
        connection.refuseUnfinished = undefined
        answer({ ...call, body }, response)
      },
      onFull: () => refuseUnfinished(noRoom()),
    })
    connection.refuseUnfinished = refuseUnfinished
  }

  function toMaxBytes(call: Call): number {
    return isControlTarget(call.target) ? MAX_DOCUMENT_BYTES : MAX_BODY_BYTES
  }

  /** Sends a reply to a request whose body may still arrive, or never. */
  function sendUnread(reply: Reply, request: IncomingMessage, response: ServerResponse): void {
    if (!request.complete) response.shouldKeepAlive = false
    sender.send(reply, response)
  }

  function join(response: ServerResponse, work: (connection: Connection) => void): void {
    const connection = connections.begin(response)
    if (!connection) return
    rounds.join(() => {
      // A body that is not read would keep the end of the connection from being seen.
      if (connection.isClosing || response.req.socket.destroyed) response.req.resume()
      else work(connection)
    })
  }

  return {
    receive: (request, response) => join(response, (connection) => process(request, response, connection)),
    refuseExpectation(request, response) {
      join(response, () => {
        const problem = checkSender(request) ?? new ApiError(417, 'The only supported expectation is 100-continue')
        response.shouldKeepAlive = false
        sender.send(refuse(toCall(request), problem), response)
      })
    },
  }
}

/** The parser also reads messages that call themselves HTTP/0.9 or HTTP/2.0. */
function checkVersion(request: IncomingMessage): ApiError | undefined {
  return request.httpVersionMajor === 1 || isHttp2(request) ? undefined : toApiError('HPE_INVALID_VERSION')
}

function checkBody({ headers, httpVersionMinor }: IncomingMessage, maxBytes: number): ApiError | undefined {
  const coding = headers['transfer-encoding']
  // The end of such a message cannot be relied on (RFC 9112 §6.1).
  if (coding !== undefined && httpVersionMinor === 0)
    return new ApiError(400, 'HTTP/1.0 has no Transfer-Encoding', { headers: { Connection: 'close' } })
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    return new ApiError(501, 'The only supported Transfer-Encoding is chunked')
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined
}

function noRoom(): ApiError {
  return new ApiError(503, 'Too many large requests at once; try again', { headers: { Connection: 'close', 'Retry-After': '1' } })
}
