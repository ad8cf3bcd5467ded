// The service, as a function from a call to a reply. `respond` and `admit` read top to bottom, and the order of their lines is
// the precedence of the responses; whatever is thrown on the way is caught in `answer`, once.
import { describeKey } from '../contract/describe-value.ts'
import { ApiError, BUG, toErrorText } from '../contract/errors.ts'
import { spoil } from '../fault-body.ts'
import { operations } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'
import { addNote, cutBody, cutLine, dependOn } from '../world/log-entry.ts'
import { storeFields } from '../world/redact.ts'
import { admit, type WorldSource } from './admit.ts'
import type { Call, Reply } from './call.ts'
import { parseInput } from './parse-input.ts'
import type { Progress } from './progress.ts'
import { createReplies, NO_CONTENT, type Result } from './reply.ts'
import { checkRemoval, strike } from './strike.ts'

export interface Service {
  answer(call: Call): Reply
  /** The reply to a call that the host itself refuses, for a reason outside the interface. */
  refuse(call: Call, error: ApiError): Reply
}

/** The service, and what the test kits need besides. */
export interface OverridableService extends Service {
  /** Logs a response that did not come from the mock, as if a fault had given it. */
  override(call: Call, reply: Reply): void
}

/** In place of the ids of faults. */
const OVERRIDE = ['override']

/** What the service needs of the rest of the mock. */
export interface ServiceSettings extends WorldSource {
  /** Origins whose pages may read replies, besides loopback ones. */
  readonly corsOrigins: readonly string[]
  /** Milliseconds on a clock that never jumps. */
  elapsed(): number
  /** Milliseconds since the epoch. */
  realTime(): number
  /** The exchange has its entry in the request log. */
  onExchange(exchange: Progress): void
  /** A response is delayed: the exchange goes on until `onExchange` is called with the same id. */
  onBegin(exchange: Progress): void
  onBug(error: unknown): void
}

export function createService(settings: ServiceSettings): OverridableService {
  const { corsOrigins, elapsed, realTime, onExchange, onBegin, onBug, worldOf } = settings
  const toReply = createReplies(corsOrigins)

  function answer(call: Call): Reply {
    const startedAt = elapsed()
    const progress = begin(call, worldOf(), realTime())
    try {
      return conclude(call, respond(call, progress, settings), progress, startedAt)
    } catch (error) {
      return conclude(call, toRefusal(error, progress, onBug), progress, startedAt)
    }
  }

  function refuse(call: Call, error: ApiError): Reply {
    const progress = begin(call, worldOf(), realTime())
    return conclude(call, toRefusal(error, progress, onBug), progress, elapsed())
  }

  function override(call: Call, reply: Reply): void {
    const progress = begin(call, worldOf(), realTime())
    try {
      admit(call, progress, settings)
    } catch {
      // The mock would have refused it, which no longer matters.
    }
    progress.at = progress.world.clock.now(progress.realAt)
    progress.faults = OVERRIDE
    progress.forced = reply.status
    fillIn(progress, call, reply)
    progress.world.requestLog.add(progress)
    end(progress, 'sent', 0)
  }

  /** Turns the result into the reply, and into a row of the request log, which shows it once it is known how the reply ended. */
  function conclude(call: Call, decided: Result, progress: Progress, startedAt: number): Reply {
    const result = progress.world.surprise?.(decided, progress, call.showsWire === true) ?? decided
    progress.at = progress.world.clock.now(progress.realAt)
    progress.delay += progress.world.drawLatency()
    const { spoiled } = progress
    const reply = toReply(call, spoiled === undefined ? result : spoil(spoiled, result, progress), progress)
    fillIn(progress, call, reply)
    progress.world.requestLog.add(progress)
    if (!call.reportsOutcome) {
      end(progress, 'sent', elapsed() - startedAt + progress.delay)
      return reply
    }
    if (progress.delay > 0) onBegin(progress)
    reply.settle = (outcome) => {
      if (progress.outcome === 'waiting') end(progress, outcome, elapsed() - startedAt)
    }
    return reply
  }

  function end(progress: Progress, outcome: 'sent' | 'aborted', durationMs: number): void {
    progress.durationMs = durationMs
    progress.outcome = progress.forced === 0 ? 'dropped' : 'sent'
    if (outcome === 'aborted') abort(progress)
    onExchange(progress)
    release(progress)
  }

  return { answer, refuse, override }
}

/** What a call results in: the order of these lines is the order of checks. */
function respond(call: Call, progress: Progress, worlds: WorldSource): Result {
  const admitted = admit(call, progress, worlds)
  if (!admitted) return NO_CONTENT
  const { operation, route, query } = admitted
  strike(call, operation, route, progress)
  if (progress.forced === 0) return NO_CONTENT
  checkRemoval(operation, progress)
  const input = parseInput(call, operation, route, query, progress)
  // The compiler cannot see that the input belongs to the operation: both come from the same row of the contract.
  const run = operations[operation.operationId] as Operation<never>
  return { status: operation.success, body: run(input as never, progress) }
}

const NONE: never[] = []
const NO_HEADERS = {}

/** A call about which nothing is known yet, in the world of unsigned calls. */
function begin({ method, target }: Call, world: Progress['world'], realAt: number): Progress {
  return {
    id: 0,
    at: 0,
    realAt,
    method,
    target,
    operation: undefined,
    assumptions: NONE,
    faults: NONE,
    surprises: NONE,
    notes: NONE,
    error: undefined,
    problems: NONE,
    outcome: 'waiting',
    durationMs: 0,
    key: undefined,
    fields: NONE,
    requestBody: '',
    status: 0,
    responseHeaders: NO_HEADERS,
    responseBody: '',
    world,
    apiKey: undefined,
    delay: 0,
    forced: undefined,
    spoiled: undefined,
    sent: undefined,
    headers: {},
  }
}

/** Drops what the request log does not show: the API key, and a body that may be large. */
function release(progress: Progress): void {
  progress.apiKey = undefined
  progress.sent = undefined
  progress.headers = NO_HEADERS
}

/** The Error that a thrown error becomes; anything but an ApiError is a bug of ours. */
function toRefusal(error: unknown, progress: Progress, onBug: (error: unknown) => void): Result {
  if (!(error instanceof ApiError)) onBug(error)
  const { status, message, problems, headers, assumption } = error instanceof ApiError ? error : BUG
  Object.assign(progress.headers, headers)
  if (assumption !== undefined) {
    const { operation } = progress
    dependOn(progress, assumption)
    if (operation && !(operation.statuses as readonly number[]).includes(status)) progress.headers['X-Mock-Assumption'] = assumption
  }
  progress.error = cutLine(message)
  progress.problems = problems
  return { status, body: toErrorText(status, message, progress.world.choices['error-codes']) }
}

/** What the request log keeps of the call and the reply. Headers are copied, since the reply is handed out. */
function fillIn(progress: Progress, call: Call, { status, headers, body }: Reply): void {
  const { apiKey } = progress
  progress.status = status
  progress.responseHeaders = { ...headers }
  progress.responseBody = cutBody(body)
  progress.key = apiKey === undefined ? undefined : describeKey(apiKey)
  progress.fields = storeFields(call.fields ?? [], apiKey)
  if (call.body) {
    // Whatever its bytes are.
    progress.requestBody = cutBody(progress.requestBody || lenientUtf8.decode(call.body))
  }
}

/** The client left, so that it got no response; whatever the call did is done. */
function abort(progress: Progress): void {
  const { status } = progress
  progress.outcome = 'aborted'
  progress.error = undefined
  progress.problems = NONE
  progress.status = 0
  progress.responseHeaders = {}
  progress.responseBody = ''
  addNote(progress, `The client left before ${status === 0 ? 'the connection was dropped' : `its ${status} was sent`}`)
}

const lenientUtf8 = new TextDecoder()
