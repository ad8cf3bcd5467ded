// Which pages of other origins may read responses (Fetch standard, CORS protocol).
import { methodsAnywhere } from './route.ts'

/** The fields of a response to a page of this origin, besides Vary; none if it may not read them. */
export type Cors = (origin: string, isPreflight: boolean) => Readonly<Record<string, string>>

const LOOPBACK = /^https?:\/\/(?:localhost|[a-z0-9.-]+\.localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/
const READABLE = { 'Access-Control-Expose-Headers': 'WWW-Authenticate, Allow, Sunset, Retry-After, Preference-Applied, X-Mock-Assumption' }
const PREFLIGHT = {
  // Every method of the contract, whatever the path: the response to the request itself says which are allowed there.
  'Access-Control-Allow-Methods': methodsAnywhere.join(', '),
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Prefer',
}

/** Allows loopback origins and the ones listed; `*` allows all. */
export function createCors(origins: readonly string[] = []): Cors {
  const allows = (origin: string) => origins.includes('*') || origins.includes(origin) || LOOPBACK.test(origin)
  return (origin, isPreflight) =>
    origin === 'null' || !allows(origin) ? {} : { 'Access-Control-Allow-Origin': origin, ...(isPreflight ? PREFLIGHT : READABLE) }
}
