// Which sandbox a call is for, before any sandbox wakes up.
import { valuesOf } from '../../contract/address.ts'
import { ApiError } from '../../contract/errors.ts'
import { findViolations } from '../../contract/schema.ts'
import { bearsToken } from '../../control/api/guard.ts'
import { isControlTarget } from '../../control/protocol.ts'
import { sandboxSchema } from '../../scenario/settings/access.ts'
import { readKey } from '../../service/api-key.ts'
import type { Call } from '../../service/call.ts'
import { chooseSandbox } from '../../service/choose-sandbox.ts'
import { findRoute } from '../../service/route.ts'
import { parseParameters, parseTarget } from '../../service/target.ts'
import type { BoundSettings } from './bindings.ts'

/** The name of the object with the shared state; no API key has a space. */
export const SHARED_NAME = ' shared'

/**
 * The sandbox that a call chooses, or that of its API key; in the control API, that of `?sandbox=`.
 * All others are for the shared state.
 */
export function findSandbox(call: Call, settings: BoundSettings): string | undefined {
  if (!settings.options.sandbox) return undefined
  try {
    const { query } = parseTarget(call.target)
    const hasToken = bearsToken(call, settings.token)
    // The shared object refuses control calls without the token, so that they wake no sandbox.
    if (isControlTarget(call.target)) return hasToken ? findNamed(query) : undefined
    // A secret must not become the name of a sandbox.
    return hasToken ? undefined : findCalled(call)
  } catch {
    // The shared object refuses the call, with the reason.
    return undefined
  }
}

function findCalled(call: Call): string | undefined {
  const choice = chooseSandbox(call)
  if (!choice) return findSentKey(call)
  // Only a call with a key may wake the sandbox that it chooses.
  const isSigned = call.headers.authorization !== undefined
  return isSigned && !choice.flaw ? choice.sandbox : undefined
}

function findSentKey(call: Call): string | undefined {
  const { path } = parseTarget(call.target)
  // A preflight carries no key, and no other request with OPTIONS needs one.
  if (call.method === 'OPTIONS' && findRoute(path)) return undefined
  const key = readKey(call)
  return key instanceof ApiError ? undefined : key.text
}

function findNamed(query: string): string | undefined {
  const [key, ...more] = valuesOf(parseParameters(query), 'sandbox')
  if (key === undefined || more.length > 0) return undefined
  return findViolations(sandboxSchema, key).length === 0 ? key : undefined
}
