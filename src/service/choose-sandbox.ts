// Which sandbox a call chooses, in place of the one of its key: a prefix of its path, a header or a
// cookie, in this order. What chooses a state never authorises: the key is checked in that sandbox.
import { B64TOKEN, splitTarget } from '../contract/address.ts'
import { ApiError } from '../contract/errors.ts'
import { MAX_KEY_CHARACTERS } from '../contract/limits.ts'
import { describeValue } from '../contract/values.ts'
import { SANDBOX_NAME } from '../scenario/settings/access.ts'
import type { Call } from './call.ts'

export const SANDBOX_PATH = '/__sandbox/'
export const SANDBOX_FIELD = 'X-Mock-Sandbox'
const SANDBOX_COOKIE = 'mock-sandbox'

export interface Choice {
  readonly sandbox: string
  /** Without the prefix or the field: the log must not show a name that is a key. */
  readonly call: Call
  /** Why no sandbox can have this name. */
  readonly flaw: ApiError | undefined
}

const FIELD = SANDBOX_FIELD.toLowerCase()

/** Undefined if the call leaves the choice to its key. */
export function chooseSandbox(call: Call): Choice | undefined {
  const prefix = readPrefix(call.target)
  if (prefix) {
    const { sandbox, target } = prefix
    return choose(sandbox, SANDBOX_PATH, { ...call, target })
  }
  const { [FIELD]: named, ...headers } = call.headers
  if (named !== undefined) return choose(named, SANDBOX_FIELD, { ...call, headers })
  const kept = readCookie(call.headers.cookie)
  if (kept !== undefined) return choose(kept, `The cookie ${SANDBOX_COOKIE}`, call)
  return undefined
}

function choose(sandbox: string, place: string, call: Call): Choice {
  const isName = sandbox.length <= MAX_KEY_CHARACTERS && B64TOKEN.test(sandbox)
  return { sandbox, call, flaw: isName ? undefined : createFlaw(place, sandbox) }
}

function createFlaw(path: string, sandbox: string): ApiError {
  const got = describeValue(sandbox)
  return new ApiError(400, { kind: 'mismatch', path, expected: SANDBOX_NAME, got })
}

function readPrefix(target: string): { sandbox: string; target: string } | undefined {
  const { rest } = splitTarget(target)
  if (!rest.startsWith(SANDBOX_PATH)) return undefined
  const origin = target.slice(0, target.length - rest.length)
  const [segment = ''] = rest.slice(SANDBOX_PATH.length).split(/[/?]/, 1)
  const path = rest.slice(SANDBOX_PATH.length + segment.length)
  const isRooted = path.startsWith('/')
  return { sandbox: decodeName(segment), target: origin + (isRooted ? path : `/${path}`) }
}

/** What is not valid percent-encoding stays, and is then not a name. */
export function decodeName(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function readCookie(cookies = ''): string | undefined {
  for (const cookie of cookies.split(';')) {
    const [name = '', value = ''] = splitOnce(cookie.trim())
    if (name === SANDBOX_COOKIE) return value
  }
  return undefined
}

function splitOnce(cookie: string): [string, string] {
  const equals = cookie.indexOf('=')
  if (equals < 0) return [cookie, '']
  return [cookie.slice(0, equals), cookie.slice(equals + 1)]
}
