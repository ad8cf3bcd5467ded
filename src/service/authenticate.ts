// Who is calling: the API key of a bearer credential (RFC 9110 §11, RFC 6750), or a 401 that says what is missing.
import { ApiError } from '../contract/errors.ts'
import type { AssumptionId } from '../generated/contract.ts'
import type { World } from '../world/world.ts'

const BEARER = /^bearer +(.*)/is
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/
const CHALLENGE = 'Bearer realm="animal-store"'
/** The challenge to a request whose key is not accepted (RFC 6750 §3.1). */
export const INVALID_KEY_CHALLENGE = `${CHALLENGE}, error="invalid_token"`
/** The one key that is never valid by default, so that a client's handling of 401 can be tried without any setting. */
const RESERVED = 'invalid'

/** The key that a request brings, well-formed but not yet known to be valid. */
export function readKey(authorization: string | undefined): string {
  const key = BEARER.exec(authorization ?? '')?.[1]
  if (key === undefined || key === '') {
    throw new ApiError(401, 'An API key is required; send it as Authorization: Bearer <key>', {
      headers: { 'WWW-Authenticate': CHALLENGE },
    })
  }
  if (!B64TOKEN.test(key)) throw createKeyError('The API key contains a character that is not allowed in a bearer token (RFC 6750)')
  return key
}

/** Which keys are valid in a world. */
export interface Keys {
  readonly choices: Pick<World['choices'], 'valid-keys'>
  readonly apiKeys: ReadonlySet<string>
}

/** Refuses a key that is not valid in its world. */
export function checkKey(key: string, { choices, apiKeys }: Keys): void {
  const isValid = choices['valid-keys'] === 'listed' ? apiKeys.has(key) : key !== RESERVED
  if (!isValid) throw createKeyError('Invalid API key', 'valid-keys')
}

/** The 401 for a key that cannot be used. */
export function createKeyError(message: string, assumption?: AssumptionId): ApiError {
  return new ApiError(401, message, { headers: { 'WWW-Authenticate': INVALID_KEY_CHALLENGE }, assumption })
}
