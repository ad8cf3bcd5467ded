// The path of a request through the server: checks on its head, then its body, then the reply of the service or the control API.
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../contract/errors.ts'
import { isControlTarget } from '../../control/control-api.ts'
import { answerFrontDoor, type FrontDoorSettings, isFrontDoor } from '../../control/front-door.ts'
import { MAX_BODIES_BYTES, MAX_BODY_BYTES } from '../../limits.ts'
import { tooLarge } from '../../service/admit.ts'
import type { Service } from '../../service/answer.ts'
import type { Call, Reply } from '../../service/call.ts'
import { announcesTooMuch, type BodyBudget, checkTransferCoding, hasBody, readBody, takeBody, withBody } from './call.ts'
import type { Transfer } from './connections.ts'
import type { NodeControl } from './control.ts'
import type { HostPolicy } from './host-policy.ts'
import { toVersionError } from './parser-errors.ts'
import type { Rounds } from './rounds.ts'
import type { Sender } from './send.ts'

export interface ReceiverSettings {
  readonly service: Service
  readonly control: NodeControl
  readonly frontDoor: FrontDoorSettings
  readonly checkHost: HostPolicy
  readonly rounds: Rounds
  readonly sender: Sender
}

export interface Receiver {
  receive(transfer: Transfer): void
  /** The same for a client that waits for `100 Continue` before it sends the body. */
  receiveExpectant(transfer: Transfer): void
  /** Refuses an unknown expectation (417). */
  refuseExpectation(transfer: Transfer): void
  /** The reply to a request that the server itself refuses. */
  refuse(call: Call, error: ApiError): Reply
  /** The reply to a request whose method nothing supports, so that its body does not matter. */
  answerUnknownMethod(call: Call): Reply
}

export function createReceiver({ service, control, frontDoor, checkHost, rounds, sender }: ReceiverSettings): Receiver {
  const budget: BodyBudget = { held: 0, max: MAX_BODIES_BYTES }

  function refuse(call: Call, error: ApiError): Reply {
    return (isControlTarget(call.target) ? control : service).refuse(call, error)
  }

  function answer(call: Call, transfer: Transfer): void {
    if (isControlTarget(call.target)) control.answer(call, transfer, (reply) => sender.send(reply, transfer))
    else sender.send(isFrontDoor(call) ? answerFrontDoor(call, frontDoor) : service.answer(call), transfer)
  }

  /** What is wrong with the head of a request, whatever it asks for. */
  function findProblem({ call, request }: Transfer, isControl: boolean, expectsBody: boolean): ApiError | undefined {
    return (
      checkVersion(request) ??
      checkHost(call.header('host'), request.httpVersion) ??
      (expectsBody ? findBodyProblem(call, request, toMaxBodyBytes(call, isControl)) : undefined) ??
      (isControl ? undefined : control.findMisusedToken(call))
    )
  }

  function toMaxBodyBytes(call: Call, isControl: boolean): number {
    return isControl ? control.maxBodyBytes(call) : MAX_BODY_BYTES
  }

  /** A reply that does not need the body, for a client that may not use the control API. */
  function answerEarly(call: Call, isControl: boolean): Reply | undefined {
    return isControl ? control.answerWithoutBody(call) : undefined
  }

  function receiveRequest(transfer: Transfer, isExpectant: boolean): void {
    const { call, request, response } = transfer
    const isControl = isControlTarget(call.target)
    const expectsBody = hasBody(call)
    const problem = findProblem(transfer, isControl, expectsBody)
    const early = problem ? refuse(call, problem) : expectsBody ? answerEarly(call, isControl) : undefined
    if (!early && expectsBody) {
      if (isExpectant) response.writeContinue()
      receiveBody(transfer, toMaxBodyBytes(call, isControl))
      return
    }
    // The body of a request that is answered without it may still arrive, or never.
    if (isExpectant || !request.complete) response.shouldKeepAlive = false
    if (early) sender.send(early, transfer)
    else answer(call, transfer)
  }

  function receiveBody(transfer: Transfer, maxBytes: number): void {
    const { call, request } = transfer
    if (request.complete) {
      answer(withBody(call, takeBody(request)), transfer)
      return
    }
    const onBody = (body: Uint8Array) => rounds.join(() => answer(withBody(call, body), transfer))
    const onFull = () => sender.send(refuse(call, noRoom()), transfer)
    readBody(request, { maxBytes, budget, onBody, onFull })
  }

  function refuseExpectation(transfer: Transfer): void {
    const { call, request, response } = transfer
    const error =
      checkVersion(request) ?? checkHost(call.header('host')) ?? new ApiError(417, 'The only supported expectation is 100-continue')
    // A body may still arrive, or never; and node:http itself closes after an expectation that was not met.
    response.shouldKeepAlive = false
    sender.send(refuse(call, error), transfer)
  }

  return {
    receive: (transfer) => receiveRequest(transfer, false),
    receiveExpectant(transfer) {
      // node:http is content with a list that has it in it.
      const isKnown = transfer.call.header('expect')?.toLowerCase() === '100-continue'
      if (isKnown) receiveRequest(transfer, true)
      else refuseExpectation(transfer)
    },
    refuseExpectation,
    refuse,
    answerUnknownMethod(call) {
      const problem = checkHost(call.header('host'))
      if (problem) return refuse(call, problem)
      if (!isControlTarget(call.target)) return service.answer(call)
      return control.answerWithoutBody(call) ?? control.refuse(call, new ApiError(405, `The control API has no method ${call.method}`))
    },
  }
}

/** The parser also reads what calls itself HTTP/0.9 or HTTP/2.0. */
function checkVersion({ httpVersionMajor }: IncomingMessage): ApiError | undefined {
  return httpVersionMajor === 1 ? undefined : toVersionError()
}

function findBodyProblem(call: Call, { httpVersionMinor }: IncomingMessage, maxBytes: number): ApiError | undefined {
  if (httpVersionMinor === 0 && call.header('transfer-encoding') !== undefined) return chunkedInOldVersion()
  return checkTransferCoding(call) ?? (announcesTooMuch(call, maxBytes) ? tooLarge(maxBytes) : undefined)
}

/** Where its message ends cannot be relied on (RFC 9112 §6.1). */
function chunkedInOldVersion(): ApiError {
  return new ApiError(400, 'HTTP/1.0 has no Transfer-Encoding', { headers: { Connection: 'close' } })
}

function noRoom(): ApiError {
  return new ApiError(503, 'Too many large requests at once; try again', { headers: { Connection: 'close', 'Retry-After': '1' } })
}
