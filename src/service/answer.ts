// The service, a function from a call to a reply: decide what happens, let faults and surprises
// change it, make the reply and its row. The order of lines in `decide` and `admit` is the
// precedence of the responses.
import { ApiError, asRefusal, toErrorText, UsageError } from '../contract/errors.ts'
import { MAX_LOGGED_BODY_CHARACTERS, MAX_NOTE_CHARACTERS } from '../contract/limits.ts'
import { createRandom, hash } from '../contract/random.ts'
import { cutText, describeKey } from '../contract/values.ts'
import { readClock, type Times } from '../world/clock.ts'
import { drawDelay } from '../world/faults.ts'
import type { KeptRequest } from '../world/kept-row.ts'
import { addNote, dependOn, NONE } from '../world/notes.ts'
import { createPages } from '../world/pages.ts'
import { storeHeaders } from '../world/redact.ts'
import type { State } from '../world/state.ts'
import type { World } from '../world/world.ts'
import { admit, checkRemoval, type WorldSource } from './admit.ts'
import type { Call, Reply } from './call.ts'
import { operations } from './operations/index.ts'
import type { Operation } from './operations/operation.ts'
import { parseInput } from './parse-input.ts'
import {
  ASSUMPTION_HEADER,
  addHeader,
  type Context,
  createContext,
  createReply,
  type Decision,
} from './reply.ts'
import { applyEffects, strikeCall } from './strike.ts'

export interface Service {
  answer(call: Call): Reply
  /** The reply to a call that the host itself refuses, for a reason outside the interface. */
  refuse(call: Call, error: ApiError): Reply
}

interface ServiceSettings extends WorldSource {
  /** Origins whose pages may read replies, besides loopback ones. */
  readonly corsOrigins: readonly string[]
  readonly times: Times
  /** A response is delayed: its row goes on until `onEnd` is called with it. */
  onBegin(row: KeptRequest, context: Context): void
  onEnd(row: KeptRequest, context: Context): void
}

export function createService(settings: ServiceSettings) {
  const { times, onBegin, onEnd, worldOf } = settings

  function answer(call: Call): Reply {
    const startedAt = times.steady()
    const context = createContext(worldOf(), call, times.real())
    return commit(decide(context, settings), context, startedAt)
  }

  function refuse(call: Call, error: ApiError): Reply {
    const context = createContext(worldOf(), call, times.real())
    context.lacks = 'host'
    return commit(decideRefusal(error, context), context, times.steady())
  }

  /**
   * What a call would get from a state. Nothing of it reaches a world: no row, no room that others
   * have to make.
   */
  function imagine(call: Call, state: State) {
    const world = { state, pages: createPages(), checkRoom: () => {} } as unknown as World
    const context = createContext(world, call, times.real())
    const decided = decide(context, { ...settings, worldOf: () => world, stateOf: () => state })
    return { ...compose(decided, context, settings), state: context.state }
  }

  function commit(decided: Decision, context: Context, startedAt: number): Reply {
    const { reply, row, delay } = compose(decided, context, settings)
    context.world.advance(row, context.state)
    if (delay > 0) reply.delay = delay
    if (context.call.reportsOutcome) {
      if (delay > 0) onBegin(row, context)
      reply.settle = createSettle(row, startedAt, context)
    } else end(row, 'sent', times.steady() - startedAt + delay, context)
    return reply
  }

  // If it were written at `reply.settle =`, V8 would allocate the inner function in old space, and
  // its call would stay in memory until a major collection. A function that another one returns is
  // allocated in new space.
  function createSettle(
    row: KeptRequest,
    startedAt: number,
    context: Context,
  ): (result: 'sent' | 'aborted') => void {
    return (result) => {
      if (row.outcome === 'waiting') end(row, result, times.steady() - startedAt, context)
    }
  }

  function end(
    row: KeptRequest,
    result: 'sent' | 'aborted',
    durationMs: number,
    context: Context,
  ): void {
    const isDrop = context.strike?.drop === true
    row.outcome = result === 'sent' && isDrop ? 'dropped' : result
    if (result === 'aborted') {
      const missed = isDrop ? 'the connection was dropped' : `its ${row.decidedStatus} was sent`
      addNote(row, `The client left before ${missed}`)
    }
    row.durationMs = durationMs
    onEnd(row, context)
  }

  return { answer, refuse, imagine }
}

function decide(context: Context, settings: ServiceSettings): Decision {
  const { call, realAt } = context
  try {
    const admitted = admit(context, settings)
    if (!admitted) return { status: 204, body: '' }
    const { operation } = admitted
    const isAtRisk = context.state.faults.length > 0 || call.headers.prefer !== undefined
    const given = isAtRisk ? strikeCall(admitted, context) : undefined
    if (given) return given
    checkRemoval(operation, context, readClock(context.state.clock, settings.times, realAt))
    const input = parseInput(admitted, context)
    // The compiler cannot see that the input belongs to the operation: both come from the same row
    // of the contract.
    const run = operations[operation.operationId] as Operation<never>
    const { body, state } = run(input as never, context)
    if (state.catalogue !== context.state.catalogue) context.world.checkRoom(state)
    context.state = state
    return { status: operation.success, body }
  } catch (error) {
    return decideRefusal(error, context)
  }
}

function decideRefusal(error: unknown, context: Context): Decision {
  // The world has no room or no ids.
  const refusal = asRefusal(
    error instanceof UsageError ? new ApiError(error.status, error.message) : error,
  )
  const { status, message, headers, assumption } = refusal
  for (const name in headers) addHeader(context, name, headers[name] as string)
  if (assumption !== undefined) {
    const statuses: readonly number[] | undefined = context.operation?.statuses
    dependOn(context, assumption)
    if (statuses && !statuses.includes(status)) addHeader(context, ASSUMPTION_HEADER, assumption)
  }
  return {
    status,
    body: toErrorText(status, message, context.state.choices['error-codes']),
    refusal,
  }
}

function compose(decided: Decision, context: Context, { times, corsOrigins }: ServiceSettings) {
  const isChanged = context.strike?.body !== undefined || context.state.surprise !== undefined
  const decision = isChanged ? applyEffects(decided, context) : decided
  const at = readClock(context.state.clock, times, context.realAt)
  const delay =
    (context.strike?.delay ?? 0) + (decision.surprise?.delay ?? 0) + drawLatency(context)
  const reply = createReply(decision, context, at, corsOrigins)
  return { reply, row: createRow(reply, decision, context, at), delay }
}

function drawLatency(context: Context): number {
  const { state } = context
  const latency = state.latency ?? 0
  if (typeof latency === 'number') return latency
  const random = createRandom(state.random)
  const delay = drawDelay(latency, random)
  context.state = { ...state, random: random.state() }
  return delay
}

/** What the request log keeps. Headers are copied, since the reply is handed out. */
function createRow(
  reply: Reply,
  { refusal, surprise }: Decision,
  context: Context,
  at: number,
): KeptRequest {
  const { call, realAt, apiKey, operation, assumptions, notes, strike, bodyText } = context
  return {
    type: 'request',
    id: 0,
    before: undefined,
    lacks: context.lacks,
    at,
    realAt,
    method: call.method,
    target: call.target,
    operation: operation?.operationId ?? null,
    decidedStatus: reply.status,
    assumptions,
    faults: strike?.faults ?? NONE,
    struck: strike?.struck,
    surprises: surprise?.labels ?? NONE,
    decidedError: refusal ? cutText(refusal.message, MAX_NOTE_CHARACTERS) : null,
    decidedProblems: refusal?.problems ?? NONE,
    notes,
    outcome: 'waiting',
    durationMs: 0,
    key: apiKey === undefined ? null : describeKey(apiKey),
    keyDigest: apiKey === undefined ? undefined : hash(apiKey),
    requestHeaders: storeHeaders(call.headers, apiKey),
    requestBody: call.body
      ? cutText(bodyText || lenientUtf8.decode(call.body), MAX_LOGGED_BODY_CHARACTERS)
      : '',
    responseHeaders: { ...reply.headers },
    responseBody: cutText(reply.body, MAX_LOGGED_BODY_CHARACTERS),
  }
}

const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })
