// The service, a function from a call to a reply: decide what happens, let faults and surprises
// change it, make the reply and its row.
import { toErrorText } from '../contract/error-text.ts'
import { type ApiError, asRefusal } from '../contract/errors.ts'
import type { OperationContract } from '../contract/generated/contract.ts'
import { createRandom } from '../contract/random.ts'
import { dependOn } from '../world/assumption-set.ts'
import { readClock, type Times } from '../world/clock.ts'
import { drawDelay } from '../world/faults.ts'
import type { KeptRequest } from '../world/kept-row.ts'
import { addNote } from '../world/notes.ts'
import { createPages } from '../world/pages.ts'
import type { State } from '../world/state.ts'
import { createWaiting, type ReleaseAs } from '../world/waiting.ts'
import { ADDED_FIELDS } from './added-fields.ts'
import { admit, type WorldSource } from './admit.ts'
import type { Call, Reply } from './call.ts'
import { chooseSandbox } from './choose-sandbox.ts'
import {
  addHeader,
  type CalledWorld,
  type Context,
  createContext,
  type Decision,
} from './context.ts'
import { operations } from './operations/index.ts'
import type { Operation } from './operations/operation.ts'
import { parseInput } from './parse-input.ts'
import { checkRemoval } from './removal.ts'
import { createReply, type OpenReply } from './reply.ts'
import { createRequestRow, describeResponse } from './request-row.ts'
import { applyEffects, decideRelease, instructHost, strikeCall } from './strike.ts'
import { beginWait } from './wait.ts'

export interface Service {
  answer(call: Call): Reply
  /** The reply to a call that the host itself refuses, for a reason outside the interface. */
  refuse(call: Call, error: ApiError): Reply
}

interface ServiceSettings extends WorldSource {
  /** Origins whose pages may read replies, besides loopback ones. */
  readonly corsOrigins: readonly string[]
  readonly times: Times
  /** Finds a sandbox that exists. Without it there are none, and a call chooses nothing. */
  readonly findSandbox?: ((name: string) => CalledWorld | undefined) | undefined
  /** A response is delayed: its row goes on until `onEnd` is called with it. */
  onBegin(row: KeptRequest, context: Context): void
  onEnd(row: KeptRequest, context: Context): void
}

export function createService(settings: ServiceSettings) {
  const { times, onBegin, onEnd, worldOf, findSandbox } = settings

  function answer(call: Call): Reply {
    const startedAt = times.steady()
    const context = enter(call)
    return commit(decide(context, settings), context, startedAt, call.reportsOutcome)
  }

  function refuse(call: Call, error: ApiError): Reply {
    const context = enter(call)
    context.isRefusedByHost = true
    return commit(decideRefusal(error, context), context, times.steady(), call.reportsOutcome)
  }

  /**
   * A call does not start the sandbox that it chooses: only a valid key does. Without a key it is
   * outside of it: any page can send such a call, and would fill the log of the sandbox.
   */
  function enter(call: Call): Context {
    const choice = findSandbox ? chooseSandbox(call) : undefined
    if (!choice) return createContext(worldOf(), call, times.real())
    const isSigned = call.headers.authorization !== undefined
    const chosen = isSigned ? findSandbox?.(choice.sandbox) : undefined
    return createContext(chosen ?? worldOf(), choice.call, times.real(), choice)
  }

  /**
   * What a call would get from a state. Nothing of it reaches a world: no row, no room that others
   * have to make.
   */
  function imagine(call: Call, state: State) {
    const world: CalledWorld = {
      sandbox: null,
      state,
      pages: createPages(),
      checkRoom: () => {},
      advance: () => {},
      hasRemoved: () => false,
      waiting: createWaiting(),
    }
    const context = createContext(world, call, times.real())
    const decided = decide(context, { ...settings, worldOf: () => world, stateOf: () => state })
    return { ...compose(decided, context, settings), state: context.state }
  }

  function commit(
    decided: Decision,
    context: Context,
    startedAt: number,
    reportsOutcome: true | undefined,
  ): Reply {
    const { reply, row, delay: ownDelay } = compose(decided, context, settings)
    const hold = context.strike?.hold
    const delay = hold ?? ownDelay
    context.world.advance(row, context.state)
    if (delay > 0) reply.delay = delay
    if (!reportsOutcome) {
      const spent = times.steady() - startedAt
      end(row, reply, 'sent', spent + delay + (reply.spread ?? 0), context)
      return reply
    }
    reply.settle = createSettle(row, reply, startedAt, context)
    if (delay === 0) {
      if (reply.spread !== undefined) onBegin(row, context)
      return reply
    }
    if (hold !== undefined) row.isHeld = true
    return delayReply(reply, row, startedAt, context)
  }

  /** The world knows the reply until it ends, so that a tester can release it. */
  function delayReply(
    reply: OpenReply,
    row: KeptRequest,
    startedAt: number,
    context: Context,
  ): Reply {
    const { waiting } = context.world
    const { settle } = reply
    reply.settle = (result, unable) => {
      waiting.remove(row.id)
      settle?.(result, unable)
    }
    function replace(as: ReleaseAs): Reply {
      const { decision, context: own } = decideFinally(as, context)
      const final = createReply(decision, own, row.at, settings.corsOrigins)
      row.sentInstead = describeResponse(final, decision)
      final.settle = createSettle(row, final, startedAt, context)
      return final
    }
    reply.wait = beginWait({ row, reply, waiting, replace })
    onBegin(row, context)
    return reply
  }

  // If it were written at `reply.settle =`, V8 would allocate the inner function in old space, and
  // its call would stay in memory until a major collection. A function that another one returns is
  // allocated in new space.
  function createSettle(
    row: KeptRequest,
    reply: Reply,
    startedAt: number,
    context: Context,
  ): NonNullable<Reply['settle']> {
    return (result, unable) => {
      if (row.outcome !== 'waiting') return
      row.unable = unable
      end(row, reply, result, times.steady() - startedAt, context)
    }
  }

  function end(
    row: KeptRequest,
    reply: Reply,
    result: 'sent' | 'aborted',
    durationMs: number,
    context: Context,
  ): void {
    row.outcome = result === 'sent' && reply.drop ? 'dropped' : result
    if (result === 'aborted') {
      const missed = reply.drop ? 'the connection was dropped' : `its ${row.decidedStatus} was sent`
      addNote(row, `The client left before ${missed}`)
    }
    row.durationMs = durationMs
    onEnd(row, context)
  }

  return { answer, refuse, imagine }
}

function decide(context: Context, settings: ServiceSettings): Decision {
  try {
    return decideOrThrow(context, settings)
  } catch (error) {
    return decideRefusal(error, context)
  }
}

/** The order of these lines, and of those of `admit`, is the precedence of the responses. */
function decideOrThrow(context: Context, settings: ServiceSettings): Decision {
  const admitted = admit(context, settings)
  if (!admitted) return { status: 204, body: '' }
  const decision = strikeCall(admitted, context)
  if (decision) return decision
  const now = readClock(context.state.clock, settings.times, context.realAt)
  checkRemoval(admitted.operation, context, now)
  const input = parseInput(admitted, context)
  return runOperation(admitted.operation, input, context)
}

/** Another response has fields of its own. */
function decideFinally(as: ReleaseAs, given: Context) {
  const context = { ...given, headers: undefined }
  try {
    return { decision: decideRelease(as, context), context }
  } catch (error) {
    return { decision: decideRefusal(error, context), context }
  }
}

function runOperation(
  { operationId, success }: OperationContract,
  input: Record<string, unknown>,
  context: Context,
): Decision {
  // The compiler cannot see that the input belongs to the operation: both come from the same row of
  // the contract.
  const run = operations[operationId] as Operation<never>
  const { body, state } = run(input as never, context)
  if (state.catalogue !== context.state.catalogue) context.world.checkRoom(state)
  context.state = state
  return { status: success, body }
}

function decideRefusal(error: unknown, context: Context): Decision {
  const refusal = asRefusal(error)
  const { status, message, headers, assumption } = refusal
  for (const name in headers) addHeader(context, name, headers[name] as string)
  dependOn(context, 'error-codes')
  if (assumption !== undefined) {
    dependOn(context, assumption)
    const documented: readonly number[] | undefined = context.operation?.statuses
    if (documented && !documented.includes(status)) {
      addHeader(context, ADDED_FIELDS.assumption, assumption)
    }
  }
  // A host that closes the connection instead.
  if (status === 0) return { status, body: '', drop: true, refusal }
  const body = toErrorText(status, message, context.state.choices['error-codes'])
  return { status, body, refusal }
}

function compose(decided: Decision, context: Context, settings: ServiceSettings) {
  const { times, corsOrigins } = settings
  const decision = applyEffects(decided, context)
  const at = readClock(context.state.clock, times, context.realAt)
  const faultDelay = context.strike?.delay ?? 0
  const surpriseDelay = decision.surprise?.delay ?? 0
  const delay = faultDelay + surpriseDelay + drawLatency(context)
  const reply = createReply(decision, context, at, corsOrigins)
  if (context.strike) instructHost(reply, context.strike)
  return { reply, row: createRequestRow(reply, decision, context, at), delay }
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
