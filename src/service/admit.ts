// Everything that does not need the body of a call: size, target, path, OPTIONS, method, key. The order of the lines of `admit`
// is the precedence of the responses.
import { ApiError } from '../contract/errors.ts'
import { MAX_BODY_BYTES } from '../limits.ts'
import { dependOn } from '../operations/operation.ts'
import { addNote } from '../world/journal-entry.ts'
import type { World } from '../world/world.ts'
import { checkKey, type Keys, readKey } from './authenticate.ts'
import type { Call } from './call.ts'
import type { Progress } from './progress.ts'
import { allowAnywhere, explainMiss, findRoute, type OperationContract, parseTarget, type Route } from './route.ts'

/** Where the worlds come from. */
export interface WorldSource {
  /** The world of a valid key; without one, the world of unsigned calls. */
  worldOf(key?: string): World
  /** The keys that are valid in that world, which is not created by this. */
  keysOf(key: string): Keys
}

/** A call that was admitted to an operation. */
export interface Admitted {
  readonly operation: OperationContract
  readonly route: Route
  readonly query: string
}

/** The refusal of a body beyond the limit. The connection is closed, since the rest of the body is still being sent. */
export function tooLarge(limit = MAX_BODY_BYTES): ApiError {
  return new ApiError(413, `Body too large; the limit is ${limit} bytes`, { headers: { Connection: 'close' } })
}

/** Admits the call to its operation; undefined if it was OPTIONS, which needs no more. */
export function admit(call: Call, progress: Progress, worlds: WorldSource): Admitted | undefined {
  if (call.body && call.body.length > MAX_BODY_BYTES) throw tooLarge()
  if (call.method === 'OPTIONS' && call.target === '*') return void Object.assign(progress.headers, { Allow: allowAnywhere })
  const { path, query } = parseTarget(call.target)
  const route = findRoute(path) ?? refusePath(call, path, progress, worlds)
  if (call.method === 'OPTIONS') return void Object.assign(progress.headers, { Allow: route.allow })
  const operation = route.byMethod.get(call.method === 'HEAD' ? 'GET' : call.method) ?? refuseMethod(call, path, route, progress, worlds)
  progress.operation = operation
  authenticate(call, progress, worlds)
  return { operation, route, query }
}

function refusePath(call: Call, path: string, progress: Progress, worlds: WorldSource): never {
  const needsKey = progress.world.choices['unknown-path-auth'] === 'unauthorized'
  try {
    authenticate(call, progress, worlds)
  } catch (error) {
    dependOn(progress, 'unknown-path-auth')
    if (needsKey) throw error
  }
  const hint = explainMiss(path)
  if (hint !== undefined) addNote(progress, hint)
  throw new ApiError(404, hint ?? 'Path not found')
}

function refuseMethod(call: Call, path: string, { allow }: Route, progress: Progress, worlds: WorldSource): never {
  attribute(call, progress, worlds)
  throw new ApiError(405, `${call.method} is not allowed on ${path}; allowed: ${allow}`, { headers: { Allow: allow } })
}

/** Checks the key of the call and moves it into the key's own world. */
function authenticate(call: Call, progress: Progress, { worldOf, keysOf }: WorldSource): void {
  const key = readKey(call.header('authorization'))
  progress.apiKey = key
  // In the key's own world: a sandbox's scenario may list other keys.
  checkKey(key, keysOf(key))
  progress.world = worldOf(key)
}

/** A call that needs no key still belongs to the world of the key it carries, so that a sandbox's journal shows its near misses. */
function attribute(call: Call, progress: Progress, worlds: WorldSource): void {
  try {
    authenticate(call, progress, worlds)
  } catch {
    // It stays among the unsigned ones.
  }
}
