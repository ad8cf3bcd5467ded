// What does not need the body of a call: size, target, path, OPTIONS, method, key (RFC 9110 §11,
// RFC 6750), and the day on which an operation is removed. The order of the lines of `admit` is the
// precedence of the responses.

import { B64TOKEN } from '../contract/address.ts'
import { ApiError } from '../contract/errors.ts'
import {
  type AssumptionId,
  contract,
  type OperationContract,
} from '../contract/generated/contract.ts'
import { MAX_BODY_BYTES, MAX_KEY_CHARACTERS } from '../contract/limits.ts'
import { DAY_MS } from '../world/clock.ts'
import { addNote, dependOn } from '../world/notes.ts'
import { RESERVED_KEY } from '../world/scenario.ts'
import type { State } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Call } from './call.ts'
import { addHeader, type Context, readPreflight } from './reply.ts'
import {
  allMethods,
  allowAnywhere,
  explainMiss,
  findRoute,
  parseTarget,
  throwNotAllowed,
} from './route.ts'

const BEARER = /^bearer +([^ ].*)/is
const CHALLENGE = 'Bearer realm="animal-store"'
export const INVALID_KEY_CHALLENGE = `${CHALLENGE}, error="invalid_token"`
const NO_KEY = { headers: { 'WWW-Authenticate': CHALLENGE } }

export interface WorldSource {
  /** The world of a valid key; without one, the world of unsigned calls. */
  worldOf(key?: string): World
  /** The state of that world, for reading which keys are valid in it: it is not created by this. */
  stateOf(key: string): State
}

/**
 * The refusal of a body beyond the limit. The connection is closed, since the rest of the body is
 * still being sent.
 */
export const tooLarge = (maxBytes = MAX_BODY_BYTES): ApiError =>
  new ApiError(413, { kind: 'too-large', maxBytes }, { headers: { Connection: 'close' } })

export type Admitted = NonNullable<ReturnType<typeof admit>>

export function admit(context: Context, worlds: WorldSource) {
  const { call } = context
  const { method, body, target } = call
  if (body && body.length > MAX_BODY_BYTES) throw tooLarge()
  if (method === 'OPTIONS') return allow(context, worlds)
  const { path, query } = parseTarget(target)
  const route = findRoute(path) ?? refusePath(path, context, worlds)
  const operation = route.byMethod.get(method === 'HEAD' ? 'GET' : method)
  context.operation = operation
  const refusal = authenticate(context, worlds)
  // A 405 needs no key; a request with one is logged in the world of its key.
  if (!operation) throwNotAllowed(method, path, route.allow)
  if (refusal) throw refusal
  return { operation, route, query }
}

/**
 * OPTIONS. A preflight passes whatever its path: without one, the page could not read the 404 that
 * follows.
 */
function allow(context: Context, worlds: WorldSource): undefined {
  const { call } = context
  const preflight = readPreflight(call)
  if (preflight) {
    // Preflights of one path would look alike in the log.
    const { method, fields } = preflight
    const stop = allMethods.includes(method)
      ? ''
      : ', which the API does not have, so the browser sends nothing else'
    addNote(
      context,
      `Preflight for ${method}${fields.length === 0 ? '' : ` with ${fields.join(', ')}`}${stop}`,
    )
  }
  const path = call.target === '*' ? '*' : parseTarget(call.target).path
  const methods = path === '*' ? allowAnywhere : findRoute(path)?.allow
  if (methods) addHeader(context, 'Allow', methods)
  else if (!preflight) refusePath(path, context, worlds)
}

function refusePath(path: string, context: Context, worlds: WorldSource): never {
  const refusal = authenticate(context, worlds)
  if (refusal) dependOn(context, 'unknown-path-auth')
  if (refusal && context.state.choices['unknown-path-auth'] === 'unauthorized') throw refusal
  throw new ApiError(404, explainMiss(path))
}

function authenticate(context: Context, { worldOf, stateOf }: WorldSource): ApiError | undefined {
  const key = readKey(context.call)
  if (typeof key !== 'string') return key
  context.apiKey = key
  // In the key's own world: a sandbox's scenario may list other keys.
  const { choices, apiKeys } = stateOf(key)
  const isValid = choices['valid-keys'] === 'listed' ? apiKeys.has(key) : key !== RESERVED_KEY
  if (!isValid) return createKeyError('Invalid API key', 'valid-keys')
  context.world = worldOf(key)
  context.state = context.world.state
  return undefined
}

export const readBearer = ({ headers }: Call): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1]

/**
 * The key of a call, or why there is none. Checked by the parts of `apiKeySchema`: a schema would
 * take longer.
 */
export function readKey(call: Call): string | ApiError {
  const key = readBearer(call)
  if (!key)
    return new ApiError(
      401,
      'An API key is required; send it as Authorization: Bearer <key>',
      NO_KEY,
    )
  if (key.length > MAX_KEY_CHARACTERS)
    return createKeyError(`The API key is longer than ${MAX_KEY_CHARACTERS} characters`)
  if (!B64TOKEN.test(key))
    return createKeyError(
      'The API key contains a character that is not allowed in a bearer token (RFC 6750)',
    )
  return key
}

export const createKeyError = (message: string, assumption?: AssumptionId): ApiError =>
  new ApiError(401, message, { headers: { 'WWW-Authenticate': INVALID_KEY_CHALLENGE }, assumption })

const readDay = (sunset: string | null) =>
  sunset && { day: Date.parse(sunset), field: new Date(sunset).toUTCString() }
/**
 * The days of removal with their Sunset fields: to parse and print a date takes a tenth of the time
 * of a response.
 */
const REMOVALS = new Map(
  Object.values(contract.operations).map(({ sunset }) => [sunset, readDay(sunset)]),
)

/** Refuses an operation that has been removed; announces the end of one that will be (RFC 8594). */
export function checkRemoval(
  { operationId, sunset }: OperationContract,
  context: Context,
  now: number,
): void {
  const removal = REMOVALS.get(sunset)
  if (!removal) return
  const { choices } = context.state
  const { day, field } = removal
  // Only on the day itself do the two readings of the removal date differ.
  if (now >= day && now < day + DAY_MS) dependOn(context, 'removal-instant')
  if (now >= (choices['removal-instant'] === 'end-of-day' ? day + DAY_MS : day)) {
    const message = `${operationId} is no longer available; its removal date was ${sunset}`
    throw new ApiError(choices['removed-answer'] === 'gone' ? 410 : 404, message, {
      assumption: 'removed-answer',
    })
  }
  dependOn(context, 'sunset-header')
  if (choices['sunset-header'] === 'sunset') addHeader(context, 'Sunset', field)
}
