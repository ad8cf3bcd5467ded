// What faults do to an admitted call, and what faults and surprises make of its response.
import { readQuery, toValues } from '../contract/address.ts'
import { toReason } from '../contract/error-text.ts'
import { ApiError } from '../contract/errors.ts'
import { printBody, tryJson } from '../contract/int64-json.ts'
import { MAX_DELAY_MS } from '../contract/limits.ts'
import { describeFault } from '../world/describe-fault.ts'
import {
  BODILESS_STATUSES,
  breakBody,
  type FaultBody,
  type FaultResponse,
  hasOutcome,
} from '../world/fault-outcome.ts'
import { type Strike, showFault, strikeWith } from '../world/faults.ts'
import type { SentParts } from '../world/match-request.ts'
import { countCall } from '../world/state.ts'
import type { Surprise } from '../world/surprise.ts'
import { nameTarget, surpriseResponse } from '../world/surprise-response.ts'
import type { ReleaseAs } from '../world/waiting.ts'
import { ADDED_FIELDS } from './added-fields.ts'
import type { Admitted } from './admit.ts'
import { INVALID_KEY_CHALLENGE } from './api-key.ts'
import type { Call } from './call.ts'
import { addHeader, type Context, type Decision } from './context.ts'
import { findPreferred } from './prefer.ts'
import { HTML_TYPE, type OpenReply, sizeOf } from './reply.ts'

const lenientUtf8 = new TextDecoder()

/** Fields that HTTP requires with these statuses, besides Allow with a 405 (RFC 9110 §15.5). */
const REQUIRED_FIELDS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { [ADDED_FIELDS.challenge]: INVALID_KEY_CHALLENGE },
  407: { 'Proxy-Authenticate': 'Basic realm="proxy"' },
  426: { Upgrade: 'TLS/1.2', Connection: 'Upgrade' },
}

/** Refuses the call if a fault says so; returns a response in place of the operation's, if any. */
export function strikeCall(admitted: Admitted, context: Context): Decision | undefined {
  const strike = findPreferred(context) ?? findStrike(admitted, context)
  if (!strike) return undefined
  context.strike = strike
  if (strike.drop || strike.rst) return { status: 0, body: '', drop: true }
  if (strike.response) return respondAsGiven(strike.response, context)
  // With a status of success, the operation still runs.
  if (strike.status !== undefined && strike.status >= 400) refuse(strike.status, strike, admitted)
  return undefined
}

function findStrike({ operation, route, query }: Admitted, context: Context): Strike | undefined {
  const { state } = context
  if (state.faults.length === 0) return undefined
  let sent: SentParts | undefined
  // Once for all faults: a body may be long.
  const readOnce = () => {
    sent ??= readSent(context.call, query)
    return sent
  }
  const result = strikeWith(state.faults, state.random, {
    operation: operation.operationId,
    petId: route.params.petId,
    apiKey: context.apiKey?.text,
    readSent: readOnce,
  })
  if (!result) return undefined
  const { strike, ...counted } = result
  context.state = { ...state, ...counted }
  if (!strike) return undefined
  // Described now, since a fault may change later.
  const applied = counted.faults.filter(({ fault }) => strike.faults.includes(fault.id))
  const faults = applied.map(showFault)
  // The one that decides the response comes before delays.
  const deciding = faults.filter(hasOutcome)
  const delays = faults.filter((fault) => !hasOutcome(fault))
  const inOrder = [...deciding, ...delays]
  return { ...strike, faults: inOrder.map(({ id }) => id), struck: inOrder.map(describeFault) }
}

/** As it was sent: what cannot be read matches nothing. */
function readSent({ headers, body }: Call, query: string): SentParts {
  const json = body && tryJson(lenientUtf8.decode(body))
  return { query: toValues(readQuery(query)), headers, body: json }
}

/** What a release sends in place of a decided response. */
export function decideRelease(as: ReleaseAs, context: Context): Decision {
  if (as === 'lost') return { status: 0, body: '', drop: true }
  if (as.response) return respondAsGiven(as.response, context)
  const { status } = as
  const problem = { kind: 'fault', status, reason: toReason(status) } as const
  throw new ApiError(status, problem, { headers: REQUIRED_FIELDS[status] ?? {} })
}

function refuse(status: number, { retryAfter }: Strike, { route }: Admitted): never {
  const headers: Record<string, string> = { ...REQUIRED_FIELDS[status] }
  if (status === 405) headers[ADDED_FIELDS.allow] = route.allow
  if (retryAfter !== undefined) headers[ADDED_FIELDS.retryAfter] = String(retryAfter)
  throw new ApiError(status, { kind: 'fault', status, reason: toReason(status) }, { headers })
}

/** The response of a fault, which never runs the operation. Its fields replace ours. */
function respondAsGiven(response: FaultResponse, context: Context): Decision {
  const { status, headers = {}, body = '' } = response
  for (const [name, value] of Object.entries(headers)) addHeader(context, spellField(name), value)
  return { status, body: printBody(body) }
}

/** As the service spells its header names, so that each is there once. */
function spellField(name: string): string {
  const words = name.toLowerCase().split('-')
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('-')
}

export function applyEffects(decided: Decision, context: Context): Decision {
  const { strike, state, isBodySent } = context
  if (strike?.lost) return { ...decided, status: 0, body: '', drop: true, lost: decided.status }
  if (strike?.body !== undefined) {
    return breakResponse(decided, strike.body, strike.status, context)
  }
  // What a fault has touched stays as it is.
  if (strike || !isBodySent || state.surprise === undefined) return decided
  return surprise(decided, state.surprise, context)
}

function breakResponse(
  decided: Decision,
  kind: FaultBody,
  faultStatus: number | undefined,
  context: Context,
): Decision {
  // A success gets the status of the fault; an error keeps its status.
  const isSuccess = decided.status < 400
  const status = isSuccess ? (faultStatus ?? decided.status) : decided.status
  if (BODILESS_STATUSES.includes(status)) return { ...decided, status, body: '' }
  if (kind === 'cut') addHeader(context, 'Content-Length', sizeOf(decided.body))
  if (kind === 'html') addHeader(context, 'Content-Type', HTML_TYPE)
  return { ...decided, status, body: breakBody(kind, status, decided.body) }
}

/** How the host sends the reply. */
export function instructHost(reply: OpenReply, strike: Strike): void {
  if (reply.drop) {
    if (strike.rst) reply.reset = true
    return
  }
  if (reply.body === '') return
  if (strike.body === 'cut') reply.cut = true
  if (strike.slow === undefined) return
  const milliseconds = (1_000 * Number(sizeOf(reply.body))) / strike.slow
  reply.spread = Math.min(Math.ceil(milliseconds), MAX_DELAY_MS)
}

/** Only a documented response with a body can be surprising within the spec. */
function surprise(decided: Decision, setting: Surprise, context: Context): Decision {
  const { operation, state, sent } = context
  const documented: readonly number[] = operation?.statuses ?? []
  if (!operation || decided.body === '' || !documented.includes(decided.status)) return decided
  const target = nameTarget(operation, sent)
  const counted = countCall(state, target)
  context.state = counted.state
  const surprised = surpriseResponse(setting, `${target}#${counted.nth}`, decided.body)
  const { body, mediaType, header } = surprised
  if (mediaType !== undefined) addHeader(context, 'Content-Type', mediaType)
  addHeader(context, ADDED_FIELDS.surprise, header)
  return { ...decided, body, surprise: surprised }
}
