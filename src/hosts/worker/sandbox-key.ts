// Which sandbox a request belongs to: the one of its API key, or of `?sandbox=` in the control API. Everything else is for the shared state.
import { findViolations } from '../../contract/schema.ts'
import { isControlTarget } from '../../control/api.ts'
import { isToken } from '../../control/guard.ts'
import { readBearer, readKey } from '../../service/admit.ts'
import type { Call } from '../../service/call.ts'
import { parseQuery } from '../../service/parse-input.ts'
import { findRoute, parseTarget } from '../../service/route.ts'
import { apiKeySchema } from '../../settings/rows.ts'
import type { BoundSettings } from './bindings.ts'

/** The name of the object with the shared state; no API key has a space. */
export const SHARED = ' shared'

/** The key of the sandbox that the call belongs to; undefined for the shared state. */
export function findKey(
  call: Call,
  { options, token }: { readonly options: Pick<BoundSettings['options'], 'sandbox'> } & Pick<BoundSettings, 'token'>,
): string | undefined {
  if (!options.sandbox) return undefined
  try {
    const { path, query } = parseTarget(call.target)
    if (!isControlTarget(call.target)) {
      // A preflight carries no key.
      const key = call.method === 'OPTIONS' && findRoute(path) ? undefined : readKey(call)
      // A secret must not become the name of a sandbox.
      return token !== undefined && key !== undefined && isToken(key, token) ? undefined : key
    }
    // The shared object refuses calls without the token, so that they wake no sandbox.
    if (token === undefined || !isToken(readBearer(call) ?? '', token)) return undefined
    const [key, ...more] = parseQuery(query).get('sandbox') ?? []
    return key === undefined || more.length > 0 || findViolations(apiKeySchema, key).length > 0 ? undefined : key
  } catch {
    // The shared object refuses the call, with the reason.
    return undefined
  }
}
