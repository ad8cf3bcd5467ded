// Converts the platform's requests to calls and replies to its responses, and finds the sandbox of
// a call.
import { splitTarget } from '../../contract/address.ts'
import type { ApiError } from '../../contract/errors.ts'
import { findViolations } from '../../contract/schema.ts'
import { bearsToken } from '../../control/api/guard.ts'
import { isControlTarget } from '../../control/methods.ts'
import { callOf, toResponse } from '../../mock/respond.ts'
import { apiKeySchema } from '../../scenario/settings/rows.ts'
import { readKey } from '../../service/admit.ts'
import type { Call } from '../../service/call.ts'
import { parseParameters } from '../../service/parse-input.ts'
import { createRefusal } from '../../service/reply.ts'
import { findRoute, parseTarget } from '../../service/route.ts'
import type { BoundSettings } from './bindings.ts'

export function toCall(request: Request): Call {
  const { url } = request
  return {
    ...callOf(request, splitTarget(url).rest || '/'),
    scheme: url.startsWith('https:') ? 'https' : 'http',
  }
}

/** The name of the object with the shared state; no API key has a space. */
export const SHARED_NAME = ' shared'

/**
 * The API key of a call, or its `?sandbox=` in the control API. All others are for the shared
 * state.
 */
export function findKey(call: Call, { options, token }: BoundSettings): string | undefined {
  if (!options.sandbox) return undefined
  try {
    const { path, query } = parseTarget(call.target)
    if (!isControlTarget(call.target)) {
      // A preflight carries no key, and no other request with OPTIONS needs one.
      const key = call.method === 'OPTIONS' && findRoute(path) ? undefined : readKey(call)
      // A secret must not become the name of a sandbox.
      return typeof key !== 'string' || bearsToken(call, token) ? undefined : key
    }
    // The shared object refuses calls without the token, so that they wake no sandbox.
    if (!bearsToken(call, token)) return undefined
    const [key, ...more] = parseParameters(query).get('sandbox') ?? []
    return key === undefined || more.length > 0 || findViolations(apiKeySchema, key).length > 0
      ? undefined
      : key
  } catch {
    // The shared object refuses the call, with the reason.
    return undefined
  }
}

export const toRefusal = (error: ApiError): Response => toResponse(createRefusal(error))

/** A response that breaks off before its first byte: the platform cannot cut a connection. */
export function toDropped(): Response {
  const { readable, writable } = new FixedLengthStream(1)
  void writable.abort(new Error('Dropped on purpose')).catch(() => {})
  return new Response(readable)
}

declare const FixedLengthStream: new (
  bytes: number,
) => { readable: ReadableStream; writable: WritableStream }
