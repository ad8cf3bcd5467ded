// What keeps an admitted call from its operation: a fault of its world, one that the request asks for itself with `Prefer: code=503,
// delay=1500` or `Prefer: drop` (RFC 7240), or the removal of the operation. And what faults and surprises make of a decided response.
import { ApiError, toReason } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import { breakBody, type FaultBody, type FaultResponse } from '../fault-body.ts'
import { contract, type OperationId } from '../generated/contract.ts'
import { MAX_DELAY_MS } from '../limits.ts'
import { describeFault } from '../settings/describe-fault.ts'
import { nameTarget, SURPRISE_HEADER, surpriseResponse } from '../surprise/respond.ts'
import type { Surprise } from '../surprise/setting.ts'
import type { Strike } from '../world/faults.ts'
import { addNote, dependOn } from '../world/log-entry.ts'
import type { World } from '../world/world.ts'
import { INVALID_KEY_CHALLENGE } from './admit.ts'
import type { Call } from './call.ts'
import { addHeader, type Decision, type Recorder, type Respond } from './recorder.ts'
import type { OperationContract, Route } from './route.ts'

const DAY_MS = 86_400_000

/** The days on which operations are removed, with their Sunset fields: to parse and print a date takes a tenth of the time of a response. */
const REMOVALS = new Map(
  Object.values(contract.operations).flatMap(({ sunset }) => {
    if (sunset === null) return []
    const day = Date.parse(sunset)
    return [[sunset as string | null, { day, field: new Date(day).toUTCString() }] as const]
  }),
)

/** Fields that HTTP requires with these statuses, besides Allow with a 405 (RFC 9110 §15.5). */
const REQUIRED_FIELDS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': INVALID_KEY_CHALLENGE },
  407: { 'Proxy-Authenticate': 'Basic realm="proxy"' },
  426: { Upgrade: 'TLS/1.2', Connection: 'Upgrade' },
}

/** What strikes the call. A fault that the request asks for itself takes precedence over those of the world. */
export function findStrike(call: Call, { operationId }: OperationContract, { params }: Route, recorder: Recorder): Strike | undefined {
  const preferred = parsePrefer(call.header('prefer'), (note) => addNote(recorder, note))
  if (!preferred) return strikeIn(recorder.world, operationId, params.petId)
  addHeader(recorder, 'Preference-Applied', preferred.applied)
  return preferred.strike
}

/** Described now, since a fault may be changed or removed later. */
function strikeIn({ faults }: World, operationId: OperationId, petId: string | undefined): Strike | undefined {
  const strike = faults.strike(operationId, petId)
  if (!strike) return undefined
  const struck = faults.list().filter(({ id }) => strike.faults.includes(id))
  return { ...strike, struck: struck.map(describeFault) }
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
  const text = body === undefined ? '' : typeof body === 'string' ? body : toJson(body)
  return { status, body: text }
}

/** As we spell the names of our own fields, so that each is there once. */
function capitalize(name: string): string {
  return name.toLowerCase().replace(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase())
}

/** What each preference of ours takes; the RFC asks to ignore the others. */
const VALUES = {
  code: { isValid: (value: number) => value >= 400 && value <= 599, expected: 'a status from 400 to 599' },
  delay: { isValid: (value: number) => value <= MAX_DELAY_MS, expected: `milliseconds, at most ${MAX_DELAY_MS}` },
  drop: { isValid: Number.isNaN, expected: 'no value' },
}

/** One element of the list: commas in a quoted text separate nothing, and one that is never closed reaches to the end. */
const ELEMENT = /(?:"(?:[^"\\]|\\.)*["\\]?|[^,"])+/gs
/**
 * A name and perhaps a value, then perhaps parameters, which mean nothing to us; `x="y"` is the same as `x=y` (RFC 7240 §2). Each space can
 * be matched in one place only, so that many of them take linear time.
 */
const PREFERENCE = /^([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]+))\s*)?)?(?:;|$)/s

/** The fault that the request prefers, and the preferences that were applied. A preference that makes no sense is ignored, with a note. */
function parsePrefer(header: string | undefined, note: (text: string) => void) {
  if (header === undefined) return undefined
  const chosen = new Map<keyof typeof VALUES, number>()
  const seen = new Set<string>()
  for (const [element] of header.matchAll(ELEMENT)) {
    const preference = element.trim()
    if (preference === '') continue
    const match = PREFERENCE.exec(preference)
    if (!match) {
      note(`Ignored Prefer: ${preference}; expected a name, or a name and a value`)
      continue
    }
    const name = (match[1] as string).toLowerCase() as keyof typeof VALUES
    const value = match[2] ?? match[3] ?? ''
    // Of a preference that is given twice, the first counts (RFC 7240 §2).
    if (!Object.hasOwn(VALUES, name) || seen.has(name)) continue
    seen.add(name)
    const number = value === '' ? Number.NaN : /^\d+$/.test(value) ? Number(value) : Number.POSITIVE_INFINITY
    if (VALUES[name].isValid(number)) chosen.set(name, number)
    else note(`Ignored Prefer: ${preference}; ${name} takes ${VALUES[name].expected}`)
  }
  if (chosen.size === 0) return undefined
  const strike: Strike = { faults: ['Prefer'], status: chosen.get('code'), delay: chosen.get('delay') ?? 0, drop: chosen.has('drop') }
  // A dropped connection shows none of them.
  return { strike, applied: [...chosen].map(([name, value]) => `${name}=${value}`).join(', ') }
}

/** Refuses an operation that has been removed; announces the end of one that will be, with the Sunset field (RFC 8594). */
export function checkRemoval({ operationId, sunset }: OperationContract, recorder: Recorder, realAt: number): void {
  const removal = REMOVALS.get(sunset)
  if (!removal) return
  const { world } = recorder
  const { day, field } = removal
  const now = world.clock.now(realAt)
  // Only on the day itself do the two readings of the removal date differ.
  if (now >= day && now < day + DAY_MS) dependOn(recorder, 'removal-instant')
  if (now >= (world.choices['removal-instant'] === 'end-of-day' ? day + DAY_MS : day)) {
    const message = `${operationId} is no longer available; it was removed on ${sunset}`
    throw new ApiError(world.choices['removed-answer'] === 'gone' ? 410 : 404, message, { assumption: 'removed-answer' })
  }
  dependOn(recorder, 'sunset-header')
  if (world.choices['sunset-header'] === 'sunset') addHeader(recorder, 'Sunset', field)
}

/** The response with the body of its fault, or with surprises. */
export function applyEffects(call: Call, decided: Respond, recorder: Recorder): Respond {
  const { strike, world } = recorder
  if (strike?.body !== undefined) return applyBody(decided, strike.body, strike.status, recorder)
  return world.surprise === undefined ? decided : applySurprise(call, decided, recorder, world.surprise)
}

/** The response with the body of a fault. A success gets the status of the fault; a refusal keeps its own. */
function applyBody({ status: own, body, refusal }: Respond, kind: FaultBody, given: number | undefined, recorder: Recorder): Respond {
  const status = own < 400 ? (given ?? own) : own
  if (kind === 'html') addHeader(recorder, 'Content-Type', 'text/html; charset=utf-8')
  return { status, body: breakBody(kind, status, body), refusal }
}

function applySurprise(call: Call, decided: Respond, recorder: Recorder, setting: Surprise): Respond {
  const { operation, strike, world, sent } = recorder
  const isDocumented = operation && (operation.statuses as readonly number[]).includes(decided.status)
  // What a fault has touched stays as it is.
  if (!isDocumented || call.method === 'HEAD' || strike) return decided
  const target = nameTarget(operation, sent)
  const surprise = surpriseResponse(setting, `${target}#${world.countCall(target)}`, decided.body, call.showsWire === true)
  for (const label of surprise.unshown) addNote(recorder, `This host cannot show the surprise ${label}`)
  if (surprise.mediaType !== undefined) addHeader(recorder, 'Content-Type', surprise.mediaType)
  addHeader(recorder, SURPRISE_HEADER, surprise.header)
  return { status: decided.status, body: surprise.body, refusal: decided.refusal, surprise }
}
