// Which pages of other origins may read the answers (Fetch standard, CORS protocol).

export interface Cors {
  /** The fields for an answer to a request from this origin. */
  fields(origin: string | undefined): Readonly<Record<string, string>>
  /** The fields for the answer to a preflight. */
  preflight(origin: string | undefined): Readonly<Record<string, string>>
}

const LOOPBACK = /^https?:\/\/(?:localhost|[a-z0-9.-]+\.localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/
const EXPOSED = 'WWW-Authenticate, Allow, Sunset, Retry-After, Preference-Applied, X-Mock-Assumption'
const NO_ORIGIN = { Vary: 'Origin' }

/** Loopback pages are welcome, and the origins listed; `*` lists them all. */
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
        'Access-Control-Allow-Methods': 'GET, HEAD, POST',
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, Prefer',
      }),
  }
}
