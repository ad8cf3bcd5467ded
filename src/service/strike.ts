// What faults do to an admitted call, and what faults and surprises make of its response.
import { ApiError, toReason } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import { breakBody, type FaultResponse } from '../fault-body.ts'
import { MAX_DELAY_MS } from '../limits.ts'
import { describeFault } from '../render/describe-fault.ts'
import { nameTarget, SURPRISE_HEADER, surpriseResponse } from '../surprise/surprise.ts'
import { type Strike, showFault, strikeWith } from '../world/faults.ts'
import { addNote } from '../world/row.ts'
import { countCall } from '../world/state.ts'
import { INVALID_KEY_CHALLENGE } from './admit.ts'
import type { Call } from './call.ts'
import { addHeader, type Decision, type Recorder, type Respond } from './recorder.ts'
import type { OperationContract, Route } from './route.ts'

/** Fields that HTTP requires with these statuses, besides Allow with a 405 (RFC 9110 §15.5). */
const REQUIRED_FIELDS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': INVALID_KEY_CHALLENGE },
  407: { 'Proxy-Authenticate': 'Basic realm="proxy"' },
  426: { Upgrade: 'TLS/1.2', Connection: 'Upgrade' },
}

/** What strikes the call. A fault that the request asks for itself takes precedence over those of the world. */
export function findStrike(call: Call, { operationId }: OperationContract, { params }: Route, recorder: Recorder): Strike | undefined {
  const asked = call.header('prefer')
  const preferred = asked === undefined ? undefined : parsePrefer(asked, (note) => addNote(recorder, note))
  if (preferred) {
    addHeader(recorder, 'Preference-Applied', preferred.applied)
    return preferred.strike
  }
  const { state } = recorder
  if (state.faults.length === 0) return undefined
  const result = strikeWith(state.faults, state.random, operationId, params.petId)
  if (!result) return undefined
  const { strike, ...counted } = result
  recorder.state = { ...state, ...counted }
  if (!strike) return undefined
  // Described now, since a fault may be changed or removed later.
  const struck = counted.faults.filter(({ fault }) => strike.faults.includes(fault.id))
  return { ...strike, struck: struck.map((one) => describeFault(showFault(one))) }
}

/** Refuses the call with the error status of its fault. With a status of success, the operation still runs. */
export function refuseDeliberately({ status, retryAfter }: Strike, { allow }: Route): void {
  if (status === undefined || status < 400) return
  const headers: Record<string, string> = { ...REQUIRED_FIELDS[status] }
  if (status === 405) headers.Allow = allow
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter)
  throw new ApiError(status, { kind: 'fault', status, reason: toReason(status) }, { headers })
}

/** The response of a fault, which never runs the operation. Its fields replace ours. */
export function respondAsGiven({ status, headers = {}, body }: FaultResponse, recorder: Recorder): Decision {
  for (const [name, value] of Object.entries(headers)) addHeader(recorder, capitalize(name), value)
  return { status, body: typeof body === 'string' || body === undefined ? (body ?? '') : toJson(body) }
}

/** As the service spells its header names, so that each is there once. */
function capitalize(name: string): string {
  return name.toLowerCase().replace(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase())
}

export function applyEffects(call: Call, decided: Respond, recorder: Recorder): Respond {
  const { strike, state, operation, sent } = recorder
  const { surprise: setting } = state.loaded
  if (strike?.body !== undefined) {
    // A success gets the status of the fault; a refusal keeps its own.
    const status = (decided.status < 400 ? strike.status : undefined) ?? decided.status
    if (strike.body === 'html') addHeader(recorder, 'Content-Type', 'text/html; charset=utf-8')
    return { ...decided, status, body: breakBody(strike.body, status, decided.body) }
  }
  // What a fault has touched stays as it is.
  if (setting === undefined || strike || call.method === 'HEAD') return decided
  if (!operation || !(operation.statuses as readonly number[]).includes(decided.status)) return decided
  const target = nameTarget(operation, sent)
  const counted = countCall(state, target)
  recorder.state = counted.state
  const surprise = surpriseResponse(setting, `${target}#${counted.nth}`, decided.body)
  if (surprise.mediaType !== undefined) addHeader(recorder, 'Content-Type', surprise.mediaType)
  addHeader(recorder, SURPRISE_HEADER, surprise.header)
  return { ...decided, body: surprise.body, surprise }
}

/** What each preference of ours takes; the RFC asks to ignore the others. */
const VALUES = {
  code: { isValid: (value: string) => /^[45]\d\d$/.test(value), expected: 'a status from 400 to 599' },
  delay: {
    isValid: (value: string) => /^\d+$/.test(value) && Number(value) <= MAX_DELAY_MS,
    expected: `milliseconds, at most ${MAX_DELAY_MS}`,
  },
  drop: { isValid: (value: string) => value === '', expected: 'no value' },
}

/** One element of the list: commas in a quoted text separate nothing, and one that is never closed reaches to the end. */
const ELEMENT = /(?:"(?:[^"\\]|\\.)*["\\]?|[^,"])+/gs
/**
 * A name and perhaps a value, then perhaps parameters, which mean nothing to us; `x="y"` is the same as `x=y` (RFC 7240 §2). Each space can
 * be matched in one place only, so that many of them take linear time.
 */
const PREFERENCE = /^([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]+))\s*)?)?(?:;|$)/s

/** The fault that the request prefers, and the preferences that were applied. One that makes no sense is ignored, with a note. */
function parsePrefer(header: string, note: (text: string) => void) {
  const chosen = new Map<keyof typeof VALUES, number>()
  const seen = new Set<string>()
  for (const [element] of header.matchAll(ELEMENT)) {
    const preference = element.trim()
    const match = PREFERENCE.exec(preference)
    if (!match) {
      if (preference !== '') note(`Ignored Prefer: ${preference}; expected a name, or a name and a value`)
      continue
    }
    const name = (match[1] as string).toLowerCase() as keyof typeof VALUES
    const value = match[2] ?? match[3] ?? ''
    // Of a preference that is given twice, the first counts (RFC 7240 §2).
    if (!Object.hasOwn(VALUES, name) || seen.has(name)) continue
    seen.add(name)
    if (VALUES[name].isValid(value)) chosen.set(name, Number(value))
    else note(`Ignored Prefer: ${preference}; ${name} takes ${VALUES[name].expected}`)
  }
  if (chosen.size === 0) return undefined
  const strike: Strike = { faults: ['Prefer'], status: chosen.get('code'), delay: chosen.get('delay') ?? 0, drop: chosen.has('drop') }
  // A dropped connection shows none of them.
  return { strike, applied: [...chosen].map(([name, value]) => `${name}=${value}`).join(', ') }
}
