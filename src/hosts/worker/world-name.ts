// Which world a request is for: the API key of a call to the service, `?sandbox=` of a control call. All else is the shared one's.
import { findViolations } from '../../contract/schema.ts'
import { isControlTarget } from '../../control/control-api.ts'
import { readToken } from '../../control/control-token.ts'
import { apiKeySchema } from '../../scenario/document.ts'
import { readKey } from '../../service/authenticate.ts'
import type { Call } from '../../service/call.ts'
import { parseQuery } from '../../service/parse-input.ts'
import { findRoute, parseTarget } from '../../service/route.ts'
import type { Settings } from './bindings.ts'

/** The name of the shared world's object; no API key has a space. */
export const SHARED = ' shared'

/** What is about all sandboxes is the shared object's, whichever sandbox the call names. */
const OF_ALL = /\/(?:sandboxes|traffic)(?:\/|$)/

/** The key whose sandbox the call belongs to; undefined for the shared world. */
export function findKey(call: Call, { hasSandboxes, isToken }: Pick<Settings, 'hasSandboxes' | 'isToken'>): string | undefined {
  if (!hasSandboxes) return undefined
  try {
    const { path, query } = parseTarget(call.target)
    if (!isControlTarget(call.target)) {
      // Nobody signs for the methods of a path.
      const key = call.method === 'OPTIONS' && findRoute(path) ? undefined : readKey(call.header('authorization'))
      // A secret must not become the name of a sandbox.
      return key !== undefined && isToken?.(key) ? undefined : key
    }
    // All who do not know the token are refused in one place, which counts them and wakes nobody up.
    const token = readToken(call)
    if (token === undefined || !isToken?.(token)) return undefined
    const [key, ...more] = OF_ALL.test(path) ? [] : (parseQuery(query).get('sandbox') ?? [])
    return key === undefined || more.length > 0 || findViolations(apiKeySchema, key).length > 0 ? undefined : key
  } catch {
    // It is refused there, with the reason.
    return undefined
  }
}
