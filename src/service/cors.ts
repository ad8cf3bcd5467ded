// What lets pages of other origins read a reply (Fetch standard, CORS protocol).
import { HTTP_TOKEN, isLoopback, isOwnOrigin } from '../contract/address.ts'
import { addNote } from '../world/notes.ts'
import { ADDED_FIELDS } from './added-fields.ts'
import type { Call } from './call.ts'
import type { Context } from './context.ts'
import { allMethods } from './route.ts'

const WEB_ORIGIN = /^https?:\/\/(.+?)(?::\d{1,5})?$/
const USUAL_FIELDS = ['Authorization', 'Content-Type', 'Prefer']
const READABLE_FIELDS = ['Date', ...Object.values(ADDED_FIELDS)].join(', ')

interface Preflight {
  readonly method: string
  readonly fields: readonly string[]
}

export function readPreflight(call: Call): Preflight | undefined {
  const { method, headers } = call
  const asked = headers['access-control-request-method']
  if (method !== 'OPTIONS' || asked === undefined || headers.origin === undefined) return undefined
  const names = headers['access-control-request-headers']?.split(',') ?? []
  const fields = names.map((name) => name.trim()).filter((name) => HTTP_TOKEN.test(name))
  return { method: asked, fields }
}

/** Pages of loopback origins and of the listed ones may read the reply; `*` allows all. */
export function permitOrigin(
  context: Context,
  headers: Record<string, string>,
  listed: readonly string[],
): void {
  const { call } = context
  const { origin } = call.headers
  if (origin === undefined) return
  if (isAllowed(origin, listed)) {
    headers['Access-Control-Allow-Origin'] = origin
    const preflight = readPreflight(call)
    if (preflight) permitPreflight(preflight, headers)
    else headers['Access-Control-Expose-Headers'] = READABLE_FIELDS
    return
  }
  // The mock's own pages need no permission.
  if (!isOwnOrigin(origin, call.headers.host)) addNote(context, explainOrigin(origin))
}

function isAllowed(origin: string, listed: readonly string[]): boolean {
  if (origin === 'null') return false
  if (listed.includes('*') || listed.includes(origin)) return true
  const host = WEB_ORIGIN.exec(origin)?.[1]
  return host !== undefined && isLoopback(host)
}

/** Whatever the path: the response to the request itself says which methods are allowed there. */
function permitPreflight({ fields }: Preflight, headers: Record<string, string>): void {
  const allowed = fields.length > 0 ? fields : USUAL_FIELDS
  headers['Access-Control-Allow-Methods'] = allMethods.join(', ')
  headers['Access-Control-Allow-Headers'] = allowed.join(', ')
  headers.Vary = 'Origin, Access-Control-Request-Headers'
}

/** For the log: the page only sees an error without a reason. */
function explainOrigin(origin: string): string {
  const allow = `allow it with --cors-origin ${origin} or the option corsOrigins`
  const remedy = origin === 'null' ? 'serve the page over HTTP' : allow
  return `A page of the origin ${origin} may not read this response; ${remedy}`
}
