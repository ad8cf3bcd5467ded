// What faults do to an admitted call, and what faults and surprises make of its response.
import { ApiError, toReason } from '../contract/errors.ts'
import { printBody } from '../contract/int64-json.ts'
import { MAX_DELAY_MS } from '../contract/limits.ts'
import { describeFault } from '../world/describe-fault.ts'
import { breakBody, type FaultResponse, hasOutcome } from '../world/fault-outcome.ts'
import { type Strike, showFault, strikeWith } from '../world/faults.ts'
import { addNote } from '../world/notes.ts'
import { countCall } from '../world/state.ts'
import { SURPRISE_HEADER } from '../world/surprise.ts'
import { nameTarget, surpriseResponse } from '../world/surprise-response.ts'
import { type Admitted, INVALID_KEY_CHALLENGE } from './admit.ts'
import { addHeader, type Context, type Decision, HTML_TYPE } from './reply.ts'

/** Fields that HTTP requires with these statuses, besides Allow with a 405 (RFC 9110 §15.5). */
const REQUIRED_FIELDS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': INVALID_KEY_CHALLENGE },
  407: { 'Proxy-Authenticate': 'Basic realm="proxy"' },
  426: { Upgrade: 'TLS/1.2', Connection: 'Upgrade' },
}

/**
 * Refuses the call if a fault says so; returns a response that replaces the operation's, if there
 * is one.
 */
export function strikeCall(admitted: Admitted, context: Context): Decision | undefined {
  const strike = findPreferred(context) ?? findStrike(admitted, context)
  context.strike = strike
  if (strike?.drop) return { status: 0, body: '' }
  if (strike?.response) return respondAsGiven(strike.response, context)
  const { status = 0, retryAfter } = strike ?? {}
  // With a status of success, the operation still runs.
  if (status < 400) return undefined
  const headers: Record<string, string> = { ...REQUIRED_FIELDS[status] }
  if (status === 405) headers.Allow = admitted.route.allow
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter)
  throw new ApiError(status, { kind: 'fault', status, reason: toReason(status) }, { headers })
}

function findStrike({ operation, route }: Admitted, context: Context): Strike | undefined {
  const { state } = context
  const result = strikeWith(state.faults, state.random, operation.operationId, route.params.petId)
  if (!result) return undefined
  const { strike, ...counted } = result
  context.state = { ...state, ...counted }
  if (!strike) return undefined
  // Described now, since a fault may change later; the one that decides the response comes before
  // delays.
  const struck = counted.faults
    .filter(({ fault }) => strike.faults.includes(fault.id))
    .map(showFault)
  struck.sort((one, other) => Number(hasOutcome(other)) - Number(hasOutcome(one)))
  return { ...strike, faults: struck.map(({ id }) => id), struck: struck.map(describeFault) }
}

/** The response of a fault, which never runs the operation. Its fields replace ours. */
function respondAsGiven(
  { status, headers = {}, body = '' }: FaultResponse,
  context: Context,
): Decision {
  for (const [name, value] of Object.entries(headers)) {
    // As the service spells its header names, so that each is there once.
    const spelled = name.toLowerCase().replace(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase())
    addHeader(context, spelled, value)
  }
  return { status, body: printBody(body) }
}

export function applyEffects(decided: Decision, context: Context): Decision {
  const { isBodySent, strike, state, operation, sent } = context
  const { surprise: setting } = state
  if (strike?.body !== undefined) {
    // A success gets the status of the fault; a refusal keeps its own.
    const status = (decided.status < 400 ? strike.status : undefined) ?? decided.status
    if (strike.body === 'html') addHeader(context, 'Content-Type', HTML_TYPE)
    return { ...decided, status, body: breakBody(strike.body, status, decided.body) }
  }
  // What a fault has touched stays as it is.
  if (setting === undefined || strike || !isBodySent) return decided
  if (!operation || !(operation.statuses as readonly number[]).includes(decided.status))
    return decided
  const target = nameTarget(operation, sent)
  const counted = countCall(state, target)
  context.state = counted.state
  const surprise = surpriseResponse(setting, `${target}#${counted.nth}`, decided.body)
  if (surprise.mediaType !== undefined) addHeader(context, 'Content-Type', surprise.mediaType)
  addHeader(context, SURPRISE_HEADER, surprise.header)
  return { ...decided, body: surprise.body, surprise }
}

/** What each preference of ours takes; RFC 7240 asks to ignore the others. */
const PREFERENCES = {
  code: { valid: /^[45]\d\d$/, max: 599, expected: 'a status from 400 to 599' },
  delay: { valid: /^\d+$/, max: MAX_DELAY_MS, expected: `milliseconds, at most ${MAX_DELAY_MS}` },
  drop: { valid: /^$/, max: 0, expected: 'no value' },
}

/**
 * The fault that the request prefers, before those of the world. One that makes no sense only
 * leaves a note.
 */
function findPreferred(context: Context): Strike | undefined {
  const seen = new Set<string>()
  const chosen = new Map<string, number>()
  for (const element of context.call.headers.prefer?.split(',') ?? []) {
    // Parameters mean nothing to us, and `x="y"` is the same as `x=y`.
    const [pair = ''] = element.split(';', 1)
    const [name, value = ''] = pair
      .split('=')
      .map((part) => part.trim().replace(/^"(.*)"$/, '$1')) as [string, string?]
    const key = name.toLowerCase()
    // Of a preference that is given twice, the first counts.
    if (!Object.hasOwn(PREFERENCES, key) || seen.has(key)) continue
    seen.add(key)
    const { valid, max, expected } = PREFERENCES[key as 'code']
    if (valid.test(value) && Number(value) <= max) chosen.set(key, Number(value))
    else addNote(context, `Ignored Prefer: ${element.trim()}; ${key} takes ${expected}`)
  }
  if (chosen.size === 0) return undefined
  // A dropped connection shows none of them.
  addHeader(
    context,
    'Preference-Applied',
    [...chosen].map(([name, value]) => `${name}=${value}`).join(', '),
  )
  return {
    faults: ['Prefer'],
    status: chosen.get('code'),
    delay: chosen.get('delay') ?? 0,
    drop: chosen.has('drop'),
  }
}
