// The service, as a function from a call to a reply, in stages: decide what happens, change it as faults and surprises say, make the reply
// and its row of the request log. `decide` and `admit` read top to bottom, and the order of their lines is the precedence of the
// responses; whatever is thrown on the way is caught in `decide`, once.
import { describeKey } from '../contract/describe-value.ts'
import { ApiError, BUG, toErrorText } from '../contract/errors.ts'
import { operations } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'
import { createRandom, hash } from '../random.ts'
import { createPages, FullError } from '../world/catalogue.ts'
import { readClock, type Times } from '../world/clock.ts'
import { drawDelay } from '../world/faults.ts'
import { cutBody, cutLine, dependOn, type KeptRequest } from '../world/row.ts'
import type { State } from '../world/state.ts'
import type { World } from '../world/worlds.ts'
import { admit, checkRemoval, type WorldSource } from './admit.ts'
import type { Call, Reply } from './call.ts'
import { parseInput } from './parse-input.ts'
import { addHeader, createRecorder, type Decision, type Recorder, type Respond } from './recorder.ts'
import { storeFields } from './redact.ts'
import { createReplies } from './reply.ts'
import { applyEffects, findStrike, refuseDeliberately, respondAsGiven } from './strike.ts'

export interface Service {
  answer(call: Call): Reply
  /** The reply to a call that the host itself refuses, for a reason outside the interface. */
  refuse(call: Call, error: ApiError): Reply
}

export interface ImaginingService extends Service {
  /** What a call would get from a state. Nothing happens. */
  imagine(call: Call, state: State): Imagined
}

interface Imagined {
  readonly reply: Reply
  readonly row: KeptRequest
  readonly delay: number
  readonly state: State
}

export interface ServiceSettings extends WorldSource {
  /** Origins whose pages may read replies, besides loopback ones. */
  readonly corsOrigins: readonly string[]
  /** Milliseconds on a clock that never jumps. */
  elapsed(): number
  readonly times: Times
  /** A response is delayed: its row goes on until `onEnd` is called with it. */
  onBegin(row: KeptRequest, recorder: Recorder): void
  onEnd(row: KeptRequest, recorder: Recorder): void
  onBug(error: unknown): void
}

const NONE: never[] = []
const DROP: Decision = { drop: true }
const NO_CONTENT: Decision = { status: 204, body: '' }

export function createService(settings: ServiceSettings): ImaginingService {
  const { corsOrigins, elapsed, times, onBegin, onEnd, onBug, worldOf } = settings
  const toReply = createReplies(corsOrigins)

  function answer(call: Call): Reply {
    const startedAt = elapsed()
    const realAt = times.real()
    const recorder = createRecorder(worldOf(), call)
    return conclude(call, decide(call, recorder, realAt), recorder, realAt, startedAt)
  }

  function imagine(call: Call, state: State): Imagined {
    // Nothing of it reaches a world: no row, no room that others have to make.
    const place = { state, pages: createPages(), checkRoom: () => {} } as unknown as World
    const recorder = createRecorder(place, call)
    const realAt = times.real()
    const decided = decide(call, recorder, realAt, { worldOf: () => place, stateOf: () => state })
    const { reply, row, delay } = makeReply(call, decided, recorder, realAt)
    return { reply, row, delay, state: recorder.state }
  }

  function refuse(call: Call, error: ApiError): Reply {
    const recorder = createRecorder(worldOf(), call)
    recorder.isRefusedByHost = true
    return conclude(call, turnDown(error, recorder), recorder, times.real(), elapsed())
  }

  /** What happens to a call: the order of these lines is the order of checks. */
  function decide(call: Call, recorder: Recorder, realAt: number, worlds: WorldSource = settings): Decision {
    try {
      const admitted = admit(call, recorder, worlds)
      if (!admitted) return NO_CONTENT
      const { operation, route, query } = admitted
      const strike = findStrike(call, operation, route, recorder)
      recorder.strike = strike
      if (strike?.drop) return DROP
      if (strike?.response) return respondAsGiven(strike.response, recorder)
      if (strike) refuseDeliberately(strike, route)
      checkRemoval(operation, recorder, readClock(recorder.state.clock, times, realAt))
      const input = parseInput(call, operation, route, query, recorder)
      // The compiler cannot see that the input belongs to the operation: both come from the same row of the contract.
      const run = operations[operation.operationId] as Operation<never>
      const { body, state } = run(input as never, recorder)
      if (state.catalogue !== recorder.state.catalogue) recorder.world.checkRoom(state)
      recorder.state = state
      return { status: operation.success, body }
    } catch (error) {
      return turnDown(error, recorder)
    }
  }

  /** The Error that a thrown error becomes; anything but a refusal is a bug of ours. */
  function turnDown(error: unknown, recorder: Recorder): Respond {
    const answered = error instanceof FullError ? new ApiError(507, error.message) : error
    const refusal = answered instanceof ApiError ? answered : BUG
    if (refusal === BUG) onBug(error)
    const { status, message, headers, assumption } = refusal
    for (const name in headers) addHeader(recorder, name, headers[name] as string)
    if (assumption !== undefined) {
      const { operation } = recorder
      dependOn(recorder, assumption)
      if (operation && !(operation.statuses as readonly number[]).includes(status)) addHeader(recorder, 'X-Mock-Assumption', assumption)
    }
    const body = toErrorText(status, message, recorder.state.choices['error-codes'])
    return { status, body, refusal }
  }

  function makeReply(call: Call, decided: Decision, recorder: Recorder, realAt: number) {
    const outcome = decided.drop ? decided : applyEffects(call, decided, recorder)
    const at = readClock(recorder.state.clock, times, realAt)
    const delay = (recorder.strike?.delay ?? 0) + (outcome.surprise?.delay ?? 0) + drawLatency(recorder)
    const reply = toReply(call, outcome, recorder, at)
    return { reply, row: toRow(call, reply, outcome, recorder, realAt, at), delay }
  }

  /** The row is complete once it is known how the reply ended. */
  function conclude(call: Call, decided: Decision, recorder: Recorder, realAt: number, startedAt: number): Reply {
    const { reply, row, delay } = makeReply(call, decided, recorder, realAt)
    recorder.world.advance(row, recorder.state)
    if (delay > 0) reply.delay = delay
    if (!call.reportsOutcome) {
      end(row, 'sent', elapsed() - startedAt + delay, recorder)
      return reply
    }
    if (delay > 0) onBegin(row, recorder)
    reply.settle = createSettle(row, startedAt, recorder)
    return reply
  }

  // V8 allocates a function that is assigned to a property in old space, where it would keep the whole call until a major collection.
  function createSettle(row: KeptRequest, startedAt: number, recorder: Recorder): (result: 'sent' | 'aborted') => void {
    return (result) => {
      if (row.outcome === 'waiting') end(row, result, elapsed() - startedAt, recorder)
    }
  }

  function end(row: KeptRequest, result: 'sent' | 'aborted', durationMs: number, recorder: Recorder): void {
    const isDrop = recorder.strike?.drop === true
    row.outcome = result === 'sent' && isDrop ? 'dropped' : result
    if (result === 'aborted') {
      row.notes = [...row.notes, `The client left before ${isDrop ? 'the connection was dropped' : `its ${row.status} was sent`}`]
    }
    row.durationMs = durationMs
    onEnd(row, recorder)
  }

  return { answer, refuse, imagine }
}

function drawLatency(recorder: Recorder): number {
  const { state } = recorder
  const { latency = 0 } = state
  if (typeof latency === 'number') return latency
  const random = createRandom(state.random)
  const delay = drawDelay(latency, random)
  recorder.state = { ...state, random: random.state() }
  return delay
}

type Effect = Pick<Decision, 'refusal' | 'surprise'>

/** What the request log keeps. Headers are copied, since the reply is handed out. */
function toRow(call: Call, reply: Reply, effect: Effect, recorder: Recorder, realAt: number, at: number): KeptRequest {
  const { refusal, surprise } = effect
  const { apiKey, operation, assumptions, notes, strike, bodyText } = recorder
  return {
    type: 'request',
    id: 0,
    before: undefined,
    isRefusedByHost: recorder.isRefusedByHost,
    at,
    realAt,
    method: call.method,
    target: call.target,
    operation: operation?.operationId ?? null,
    status: reply.status,
    assumptions,
    faults: strike?.faults ?? NONE,
    struck: strike?.struck,
    surprises: surprise?.labels ?? NONE,
    error: refusal ? cutLine(refusal.message) : null,
    problems: refusal?.problems ?? NONE,
    notes,
    outcome: 'waiting',
    durationMs: 0,
    key: apiKey === undefined ? null : describeKey(apiKey),
    keyDigest: apiKey === undefined ? undefined : hash(apiKey),
    fields: storeFields(call.fields ?? NONE, apiKey),
    // Whatever its bytes are.
    requestBody: call.body ? cutBody(bodyText || lenientUtf8.decode(call.body)) : '',
    responseHeaders: { ...reply.headers },
    responseBody: cutBody(reply.body),
  }
}

const lenientUtf8 = new TextDecoder()
