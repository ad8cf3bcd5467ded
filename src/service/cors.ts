// Which pages of other origins may read responses (Fetch standard, CORS protocol).
import type { Call } from './call.ts'
import { methodsAnywhere } from './route.ts'

/** The fields of a response to a page of this origin; undefined if the page may not read it. */
export type Cors = (origin: string, isPreflight: boolean, header: Call['header']) => Readonly<Record<string, string>> | undefined

const LOOPBACK = /^https?:\/\/(?:localhost|[a-z0-9.-]+\.localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/
const READABLE = { 'Access-Control-Expose-Headers': 'WWW-Authenticate, Allow, Sunset, Retry-After, Preference-Applied, X-Mock-Assumption' }
const FIELD_NAMES = /[\w!#$%&'*+.^`|~-]+/g

/** Allows loopback origins and the ones listed; `*` allows all. A preflight allows all the fields that it asks for. */
export function createCors(origins: readonly string[] = []): Cors {
  const allows = (origin: string) => origin !== 'null' && (origins.includes('*') || origins.includes(origin) || LOOPBACK.test(origin))
  return (origin, isPreflight, header) => {
    if (!allows(origin)) return undefined
    if (!isPreflight) return { 'Access-Control-Allow-Origin': origin, ...READABLE }
    const asked = header('access-control-request-headers')?.match(FIELD_NAMES) ?? ['Authorization', 'Content-Type', 'Prefer']
    return {
      'Access-Control-Allow-Origin': origin,
      // Whatever the path: the response to the request itself says which are allowed there.
      'Access-Control-Allow-Methods': methodsAnywhere.join(', '),
      'Access-Control-Allow-Headers': asked.join(', '),
      Vary: 'Origin, Access-Control-Request-Headers',
    }
  }
}

/** For the log: the page only sees an error without a reason. */
export function explainRefusal(origin: string): string {
  const remedy = origin === 'null' ? 'serve the page over HTTP' : `allow it with --cors-origin ${origin}`
  return `A page of the origin ${origin} may not read this response; ${remedy}`
}
