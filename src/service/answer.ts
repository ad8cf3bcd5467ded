// The service, a function from a call to a reply: decide what happens, let faults and surprises change it, make the
// reply and its row. The order of lines in `decide` and `admit` is the precedence of the responses.
import { ApiError, asRefusal, toErrorText, UsageError } from '../contract/errors.ts'
import { cutText, describeKey } from '../contract/values.ts'
import { MAX_LOGGED_BODY_CHARACTERS, MAX_NOTE_CHARACTERS } from '../limits.ts'
import { operations } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'
import { createRandom, hash } from '../random.ts'
import { createPages } from '../world/catalogue.ts'
import { readClock, type Times } from '../world/clock.ts'
import { drawDelay } from '../world/faults.ts'
import { addNote, dependOn, type KeptRequest, NONE, storeHeaders } from '../world/row.ts'
import type { State } from '../world/state.ts'
import type { World } from '../world/worlds.ts'
import { admit, checkRemoval, type WorldSource } from './admit.ts'
import type { Call, Reply } from './call.ts'
import { parseInput } from './parse-input.ts'
import { ASSUMPTION_HEADER, addHeader, createRecorder, createReply, type Decision, type Recorder } from './reply.ts'
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
  onBegin(row: KeptRequest, recorder: Recorder): void
  onEnd(row: KeptRequest, recorder: Recorder): void
}

export function createService(settings: ServiceSettings) {
  const { times, onBegin, onEnd, worldOf } = settings

  function answer(call: Call): Reply {
    const startedAt = times.steady()
    const recorder = createRecorder(worldOf(), call, times.real())
    return commit(decide(recorder, settings), recorder, startedAt)
  }

  function refuse(call: Call, error: ApiError): Reply {
    const recorder = createRecorder(worldOf(), call, times.real())
    recorder.lacks = 'host'
    return commit(decideRefusal(error, recorder), recorder, times.steady())
  }

  /** What a call would get from a state. Nothing of it reaches a world: no row, no room that others have to make. */
  function imagine(call: Call, state: State) {
    const world = { state, pages: createPages(), checkRoom: () => {} } as unknown as World
    const recorder = createRecorder(world, call, times.real())
    const decided = decide(recorder, { ...settings, worldOf: () => world, stateOf: () => state })
    return { ...compose(decided, recorder, settings), state: recorder.state }
  }

  function commit(decided: Decision, recorder: Recorder, startedAt: number): Reply {
    const { reply, row, delay } = compose(decided, recorder, settings)
    recorder.world.advance(row, recorder.state)
    if (delay > 0) reply.delay = delay
    if (recorder.call.reportsOutcome) {
      if (delay > 0) onBegin(row, recorder)
      reply.settle = createSettle(row, startedAt, recorder)
    } else end(row, 'sent', times.steady() - startedAt + delay, recorder)
    return reply
  }

  // If it were written at `reply.settle =`, V8 would allocate the inner function in old space, and its call would stay
  // in memory until a major collection. A function that another one returns is allocated in new space.
  function createSettle(row: KeptRequest, startedAt: number, recorder: Recorder): (result: 'sent' | 'aborted') => void {
    return (result) => {
      if (row.outcome === 'waiting') end(row, result, times.steady() - startedAt, recorder)
    }
  }

  function end(row: KeptRequest, result: 'sent' | 'aborted', durationMs: number, recorder: Recorder): void {
    const isDrop = recorder.strike?.drop === true
    row.outcome = result === 'sent' && isDrop ? 'dropped' : result
    if (result === 'aborted') {
      const missed = isDrop ? 'the connection was dropped' : `its ${row.decidedStatus} was sent`
      addNote(row, `The client left before ${missed}`)
    }
    row.durationMs = durationMs
    onEnd(row, recorder)
  }

  return { answer, refuse, imagine }
}

function decide(recorder: Recorder, settings: ServiceSettings): Decision {
  const { call, realAt } = recorder
  try {
    const admitted = admit(recorder, settings)
    if (!admitted) return { status: 204, body: '' }
    const { operation } = admitted
    const isAtRisk = recorder.state.faults.length > 0 || call.headers.prefer !== undefined
    const given = isAtRisk ? strikeCall(admitted, recorder) : undefined
    if (given) return given
    checkRemoval(operation, recorder, readClock(recorder.state.clock, settings.times, realAt))
    const input = parseInput(admitted, recorder)
    // The compiler cannot see that the input belongs to the operation: both come from the same row of the contract.
    const run = operations[operation.operationId] as Operation<never>
    const { body, state } = run(input as never, recorder)
    if (state.catalogue !== recorder.state.catalogue) recorder.world.checkRoom(state)
    recorder.state = state
    return { status: operation.success, body }
  } catch (error) {
    return decideRefusal(error, recorder)
  }
}

function decideRefusal(error: unknown, recorder: Recorder): Decision {
  // The world has no room or no ids.
  const refusal = asRefusal(error instanceof UsageError ? new ApiError(error.status, error.message) : error)
  const { status, message, headers, assumption } = refusal
  for (const name in headers) addHeader(recorder, name, headers[name] as string)
  if (assumption !== undefined) {
    const statuses: readonly number[] | undefined = recorder.operation?.statuses
    dependOn(recorder, assumption)
    if (statuses && !statuses.includes(status)) addHeader(recorder, ASSUMPTION_HEADER, assumption)
  }
  return { status, body: toErrorText(status, message, recorder.state.choices['error-codes']), refusal }
}

function compose(decided: Decision, recorder: Recorder, { times, corsOrigins }: ServiceSettings) {
  const isChanged = recorder.strike?.body !== undefined || recorder.state.loaded.surprise !== undefined
  const decision = isChanged ? applyEffects(decided, recorder) : decided
  const at = readClock(recorder.state.clock, times, recorder.realAt)
  const delay = (recorder.strike?.delay ?? 0) + (decision.surprise?.delay ?? 0) + drawLatency(recorder)
  const reply = createReply(decision, recorder, at, corsOrigins)
  return { reply, row: createRow(reply, decision, recorder, at), delay }
}

function drawLatency(recorder: Recorder): number {
  const { state } = recorder
  const latency = state.latency ?? 0
  if (typeof latency === 'number') return latency
  const random = createRandom(state.random)
  const delay = drawDelay(latency, random)
  recorder.state = { ...state, random: random.state() }
  return delay
}

/** What the request log keeps. Headers are copied, since the reply is handed out. */
function createRow(reply: Reply, { refusal, surprise }: Decision, recorder: Recorder, at: number): KeptRequest {
  const { call, realAt, apiKey, operation, assumptions, notes, strike, bodyText } = recorder
  return {
    type: 'request',
    id: 0,
    before: undefined,
    lacks: recorder.lacks,
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
    requestBody: call.body ? cutText(bodyText || lenientUtf8.decode(call.body), MAX_LOGGED_BODY_CHARACTERS) : '',
    responseHeaders: { ...reply.headers },
    responseBody: cutText(reply.body, MAX_LOGGED_BODY_CHARACTERS),
  }
}

const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })
