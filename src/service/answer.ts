// The service, as a function from a call to a reply. `admit` and `respond` read top to bottom, and the order of their lines
// is the precedence of the answers; whatever is thrown on the way is caught in `answer`, once.
import { ApiError, toErrorText, toReason } from '../contract/errors.ts'
import { MAX_BODY_BYTES, MAX_JOURNAL_BODY_CHARACTERS } from '../limits.ts'
import { operations } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'
import type { Strike } from '../world/faults.ts'
import { cutBody, cutNotes, type Exchange } from '../world/journal.ts'
import type { World } from '../world/world.ts'
import { checkKey, readKey } from './authenticate.ts'
import type { Call, Reply } from './call.ts'
import type { Cors } from './cors.ts'
import { type Notes, parseInput } from './parse-input.ts'
import { parsePrefer } from './prefer.ts'
import { checkRemoval } from './removal.ts'
import { allowAnywhere, explainMiss, findRoute, type OperationContract, parseTarget, type Route } from './route.ts'

/** The refusal of a body beyond the limit; a host may stop reading one byte later. The connection goes with it, since the rest of the body is still on its way. */
export function tooLarge(limit = MAX_BODY_BYTES): ApiError {
  return new ApiError(413, `Body too large; the limit is ${limit} bytes`, { headers: { Connection: 'close' } })
}

export interface Service {
  answer(call: Call): Reply
  /** The answer that a call gets whatever its body, for a host that has not read it yet (Expect: 100-continue). */
  answerWithoutBody(call: Call): Reply | undefined
  /** The answer to a call that its host turns away itself: what is wrong with it lies outside the interface. */
  refuse(call: Call, error: ApiError): Reply
}

/** What the service needs of the rest of the mock. */
export interface ServiceSettings {
  /** The world of a valid key; without one, the world of what nobody has signed. */
  worldOf(key?: string): World
  /** The same without starting one: for a look at which keys are valid there. */
  peekWorld(key: string): World
  readonly cors: Cors
  /** Milliseconds on a clock that never jumps. */
  elapsed(): number
  onExchange(exchange: Exchange, id: number, key: string | undefined): void
  onBug(error: unknown): void
}

/** A call on its way: what becomes known of it, all of which ends up in the journal. */
interface Progress extends Exchange, Notes {
  world: World
  /** Whether the key is valid, so that the world is the key's own. */
  isSigned: boolean
  notes: string[]
  operation: OperationContract | undefined
  delay: number
  drop: boolean
  /** Fields of the answer beside those that every answer has. */
  readonly headers: Record<string, string>
}

/** A call that passed everything that does not need its body. */
interface Admitted {
  readonly operation: OperationContract
  readonly route: Route
  readonly query: string
}

interface Outcome {
  readonly status: number
  readonly body: string
}

const NOTHING: Outcome = { status: 204, body: '' }
const NO_FAULTS: readonly string[] = []
const UNANSWERED: Reply = { status: 0, headers: {}, body: '' }

export function createService({ worldOf, peekWorld, cors, elapsed, onExchange, onBug }: ServiceSettings): Service {
  const encoder = new TextEncoder()
  const scratch = new Uint8Array(2 ** 15)
  /** The last body that was measured: clients that poll get the same one again and again. */
  const measured = { text: '', bytes: 0 }

  function answer(call: Call): Reply {
    const startedAt = elapsed()
    const progress = begin(call)
    try {
      return conclude(call, respond(call, progress), progress, startedAt)
    } catch (error) {
      return conclude(call, toRefusal(error, progress), progress, startedAt)
    }
  }

  function refuse(call: Call, error: ApiError): Reply {
    const progress = begin(call)
    return conclude(call, toRefusal(error, progress), progress, elapsed())
  }

  function answerWithoutBody(call: Call): Reply | undefined {
    try {
      if (admit(call, begin(call))) return undefined
    } catch {
      // The answer itself says why, and goes into the journal.
    }
    return answer(call)
  }

  function begin({ method, target }: Call): Progress {
    return {
      at: 0,
      method,
      target,
      operation: undefined,
      assumptions: [],
      faults: NO_FAULTS,
      notes: [],
      durationMs: 0,
      key: undefined,
      contentType: undefined,
      prefer: undefined,
      requestBody: '',
      answer: UNANSWERED,
      world: worldOf(),
      isSigned: false,
      delay: 0,
      drop: false,
      headers: {},
    }
  }

  /** Size, target, path, OPTIONS, method, key; undefined if OPTIONS is all that was asked. */
  function admit(call: Call, progress: Progress): Admitted | undefined {
    if (call.body && call.body.length > MAX_BODY_BYTES) throw tooLarge()
    if (call.method === 'OPTIONS' && call.target === '*') {
      progress.headers.Allow = allowAnywhere
      return undefined
    }
    const { path, query } = parseTarget(call.target)
    const route = findRoute(path) ?? refusePath(call, path, progress)
    if (call.method === 'OPTIONS') {
      progress.headers.Allow = route.allow
      return undefined
    }
    const operation = route.byMethod.get(call.method === 'HEAD' ? 'GET' : call.method)
    if (!operation) {
      attribute(call, progress)
      throw new ApiError(405, `${call.method} is not allowed on ${path}; allowed: ${route.allow}`, { headers: { Allow: route.allow } })
    }
    progress.operation = operation
    identify(call, progress)
    return { operation, route, query }
  }

  function identify(call: Call, progress: Progress): void {
    const key = readKey(call.header('authorization'))
    progress.key = key
    // In the key's own world: a sandbox's scenario may list other keys.
    checkKey(key, peekWorld(key))
    progress.isSigned = true
    progress.world = worldOf(key)
  }

  /** What needs no key is still told in the world of the key that came with it, so that a sandbox hears of its near misses. */
  function attribute(call: Call, progress: Progress): void {
    try {
      identify(call, progress)
    } catch {
      // Nobody's, then.
    }
  }

  function refusePath(call: Call, path: string, progress: Progress): never {
    if (progress.world.choices['unknown-path-auth'] === 'unauthorized') identify(call, progress)
    else attribute(call, progress)
    if (!progress.isSigned) progress.assumptions.push('unknown-path-auth')
    const hint = explainMiss(path)
    if (hint !== undefined) progress.notes.push(hint)
    throw new ApiError(404, hint ?? 'Path not found')
  }

  /** Everything up to the key, then removal, faults, input, and at last the operation itself. */
  function respond(call: Call, progress: Progress): Outcome {
    const admitted = admit(call, progress)
    if (!admitted) return NOTHING
    const { operation, route, query } = admitted
    const sunset = checkRemoval(operation, progress)
    if (sunset !== undefined) progress.headers.Sunset = sunset
    strike(chooseStrike(call, operation, progress), progress)
    if (progress.drop) return NOTHING
    const input = parseInput(call, operation, route, query, progress)
    // The compiler cannot see that the input belongs to the operation: both come from the same row of the contract.
    const run = operations[operation.operationId] as Operation<never>
    return { status: operation.success, body: run(input as never, progress) }
  }

  /** A fault that the request asks for itself stands before the world's. */
  function chooseStrike(call: Call, operation: OperationContract, progress: Progress): Strike | undefined {
    progress.prefer = call.header('prefer')
    const preferred = parsePrefer(progress.prefer)
    if (!preferred) return progress.world.faults.strike(operation.operationId)
    progress.headers['Preference-Applied'] = preferred.applied
    return preferred.strike
  }

  function strike(strike: Strike | undefined, progress: Progress): void {
    if (!strike) return
    progress.faults = strike.faults
    progress.delay = strike.delay
    progress.drop = strike.drop
    if (strike.status === undefined || strike.drop) return
    throw new ApiError(strike.status, `Deliberate fault: ${strike.status} ${toReason(strike.status)}`, {
      headers: strike.retryAfter === undefined ? {} : { 'Retry-After': String(strike.retryAfter) },
    })
  }

  function toRefusal(error: unknown, progress: Progress): Outcome {
    const { headers, operation, world } = progress
    if (!(error instanceof ApiError)) {
      onBug(error)
      headers['X-Mock-Bug'] = '1'
      return { status: 500, body: toErrorText(500, 'Bug in the mock; see its log', world.choices['error-codes']) }
    }
    Object.assign(headers, error.headers)
    if (error.assumption !== undefined) {
      progress.assumptions.push(error.assumption)
      if (operation && !(operation.statuses as readonly number[]).includes(error.status)) headers['X-Mock-Assumption'] = error.assumption
    }
    return { status: error.status, body: toErrorText(error.status, error.message, world.choices['error-codes']) }
  }

  /** Makes the reply of the outcome, and an entry of the journal of both. */
  function conclude(call: Call, outcome: Outcome, progress: Progress, startedAt: number): Reply {
    const { world, delay, drop, key, isSigned } = progress
    progress.at = world.clock.now()
    const reply = drop ? toDrop(delay) : finish(call, outcome, progress)
    progress.answer = reply.body.length > MAX_JOURNAL_BODY_CHARACTERS ? { ...reply, body: cutBody(reply.body) } : reply
    if (call.body) {
      progress.contentType = call.header('content-type')
      progress.requestBody = toText(call.body)
    }
    progress.notes = cutNotes(progress.notes)
    progress.durationMs = elapsed() - startedAt + delay
    onExchange(progress, world.journal.add(progress), isSigned ? key : undefined)
    return reply
  }

  function toDrop(delay: number): Reply {
    return delay > 0 ? { ...UNANSWERED, drop: true, delay } : { ...UNANSWERED, drop: true }
  }

  /** Adds the fields that every answer has, and leaves the body of a HEAD away. */
  function finish(call: Call, { status, body }: Outcome, { headers: extra, world, delay, at }: Progress): Reply {
    const headers: Record<string, string> =
      status === 204
        ? { Date: world.clock.date(at), 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', Vary: 'Origin' }
        : {
            'Content-Type': 'application/json',
            'Content-Length': String(byteLength(body)),
            Date: world.clock.date(at),
            'Cache-Control': 'no-store',
            'X-Content-Type-Options': 'nosniff',
            Vary: 'Origin',
          }
    const origin = call.header('origin')
    if (origin !== undefined) {
      const isPreflight = status === 204 && call.header('access-control-request-method') !== undefined
      Object.assign(headers, isPreflight ? cors.preflight(origin) : cors.fields(origin))
    }
    for (const name in extra) headers[name] = extra[name] as string
    const sent = call.method === 'HEAD' ? '' : body
    return delay > 0 ? { status, headers, body: sent, delay } : { status, headers, body: sent }
  }

  function byteLength(text: string): number {
    if (text !== measured.text) {
      measured.text = text
      measured.bytes = text.length * 3 <= scratch.length ? encoder.encodeInto(text, scratch).written : encoder.encode(text).length
    }
    return measured.bytes
  }

  return { answer, answerWithoutBody, refuse }
}

/** A body for reading, whatever its bytes are, and no more of it than the journal keeps. */
function toText(body: Uint8Array): string {
  return cutBody(lenientUtf8.decode(body.subarray(0, READABLE)))
}

const lenientUtf8 = new TextDecoder()
const READABLE = 2 ** 16
