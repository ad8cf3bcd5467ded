// Which pages of other origins may read responses (Fetch standard, CORS protocol).
import { methodsAnywhere } from './route.ts'

export interface Cors {
  /** The fields of the response to a request from this origin. */
  fields(origin: string | undefined): Readonly<Record<string, string>>
  /** The fields of the response to a preflight. */
  preflight(origin: string | undefined): Readonly<Record<string, string>>
}

const LOOPBACK = /^https?:\/\/(?:localhost|[a-z0-9.-]+\.localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/
const EXPOSED = 'WWW-Authenticate, Allow, Sunset, Retry-After, Preference-Applied, X-Mock-Assumption'
/** Every method of the contract, whatever the path: the response to the request itself says which are allowed there. */
const METHODS = methodsAnywhere.join(', ')
const NO_ORIGIN = { Vary: 'Origin' }

/** Allows loopback origins and the ones listed; `*` allows all. */
export function createCors(origins: readonly string[] = []): Cors {
  const allows = (origin: string) => origins.includes('*') || origins.includes(origin) || LOOPBACK.test(origin)
  const fields = (origin: string | undefined, allowed: Readonly<Record<string, string>>) =>
    origin === undefined || origin === 'null' || !allows(origin)
      ? NO_ORIGIN
      : { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, ...allowed }
  return {
    fields: (origin) => fields(origin, { 'Access-Control-Expose-Headers': EXPOSED }),
    preflight: (origin) =>
      fields(origin, {
        'Access-Control-Allow-Methods': METHODS,
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, Prefer',
      }),
  }
}
