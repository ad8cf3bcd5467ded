// What does not need the body of a call: its size, target, path, method and key. The order of the
// lines of `admit` is the precedence of the responses.
import { ApiError, SANDBOXES_ARE_OFF } from '../contract/errors.ts'
import type { OperationContract } from '../contract/generated/contract.ts'
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import { dependOn } from '../world/assumption-set.ts'
import { addNote } from '../world/notes.ts'
import { RESERVED_KEY } from '../world/scenario.ts'
import type { State } from '../world/state.ts'
import { ADDED_FIELDS } from './added-fields.ts'
import { createKeyError, readKey } from './api-key.ts'
import { SANDBOX_PATH } from './choose-sandbox.ts'
import { addHeader, type CalledWorld, type Context } from './context.ts'
import { readPreflight } from './cors.ts'
import { allMethods, allowAnywhere, explainMiss, findRoute } from './route.ts'
import { type Route, throwNotAllowed } from './router.ts'
import { parseTarget } from './target.ts'

export interface WorldSource {
  /** The world of a sandbox, which starts if it is new; without one, that of unsigned calls. */
  worldOf(sandbox?: string): CalledWorld
  /** The state of that world, for reading which keys are valid in it: it is not created by this. */
  stateOf(sandbox: string): State
}

export interface Admitted {
  readonly operation: OperationContract
  readonly route: Route<OperationContract>
  readonly query: string
}

/** Undefined for OPTIONS, which no operation has. */
export function admit(context: Context, worlds: WorldSource): Admitted | undefined {
  const { method, body, target } = context.call
  if (body && body.length > MAX_BODY_BYTES) throw createSizeError(MAX_BODY_BYTES)
  if (context.choice?.flaw) {
    context.isRefusedByHost = true
    throw context.choice.flaw
  }
  if (method === 'OPTIONS') {
    allow(context, worlds)
    return undefined
  }
  const { path, query } = parseTarget(target)
  const route = findRoute(path) ?? refusePath(path, context, worlds)
  const asked = method === 'HEAD' ? 'GET' : method
  const operation = route.rows.find((row) => row.method === asked)
  context.operation = operation
  const refusal = authenticate(context, worlds)
  // A 405 needs no key; a request with one is logged in the world of its key.
  if (!operation) throwNotAllowed(method, path, route.allow)
  if (refusal) throw refusal
  return { operation, route, query }
}

/** The connection is closed, since the rest of the body is still being sent. */
export function createSizeError(maxBytes: number): ApiError {
  return new ApiError(413, { kind: 'too-large', maxBytes }, { headers: { Connection: 'close' } })
}

/**
 * OPTIONS. A preflight passes whatever its path: without one, the page could not read the 404 that
 * follows.
 */
function allow(context: Context, worlds: WorldSource): void {
  const { target } = context.call
  const isPreflight = notePreflight(context)
  const path = target === '*' ? '*' : parseTarget(target).path
  const methods = path === '*' ? allowAnywhere : findRoute(path)?.allow
  if (methods !== undefined) addHeader(context, ADDED_FIELDS.allow, methods)
  else if (!isPreflight) refusePath(path, context, worlds)
}

/** Preflights of one path would look alike in the log. */
function notePreflight(context: Context): boolean {
  const preflight = readPreflight(context.call)
  if (!preflight) return false
  const { method, fields } = preflight
  let note = `Preflight for ${method}`
  if (fields.length > 0) note += ` with ${fields.join(', ')}`
  if (!allMethods.includes(method))
    note += ', which the API does not have, so the browser sends nothing else'
  addNote(context, note)
  return true
}

function refusePath(path: string, context: Context, worlds: WorldSource): never {
  const refusal = authenticate(context, worlds)
  if (refusal) dependOn(context, 'unknown-path-auth')
  if (refusal && context.state.choices['unknown-path-auth'] === 'unauthorized') throw refusal
  const isOff = context.choice === undefined && path.startsWith(SANDBOX_PATH)
  throw new ApiError(404, isOff ? SANDBOXES_ARE_OFF : explainMiss(path))
}

/** Finds the world of a call, by its choice or its key; returns why the key is refused. */
function authenticate(context: Context, worlds: WorldSource): ApiError | undefined {
  const key = readKey(context.call)
  if (key instanceof ApiError) return key
  context.apiKey = key
  const sandbox = context.choice?.sandbox ?? key.text
  // In the call's own world: a sandbox's scenario may list other keys.
  if (!isValidKey(key.text, worlds.stateOf(sandbox)))
    return createKeyError('Invalid API key', 'valid-keys')
  context.world = worlds.worldOf(sandbox)
  context.state = context.world.state
  return undefined
}

export function isValidKey(key: string, { choices, apiKeys }: State): boolean {
  return choices['valid-keys'] === 'listed' ? apiKeys.has(key) : key !== RESERVED_KEY
}
