// Who is asking: the API key of a bearer credential (RFC 9110 §11, RFC 6750), or a 401 that says what is missing.

import { ApiError } from '../contract/errors.ts'
import type { AssumptionChoices } from '../generated/contract.ts'

const BEARER = /^bearer(?: +(.*))?$/i
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/
const CHALLENGE = 'Bearer realm="animal-store"'
/** The one key that is never valid, so that a client's way of failing can be tried without any setting. */
const RESERVED = 'invalid'

/** The key of the request, once it is known to be valid. */
export function authenticate(
  authorization: string | undefined,
  validKeys: AssumptionChoices['valid-keys'],
  listed: ReadonlySet<string>,
): string {
  const key = BEARER.exec(authorization ?? '')?.[1]
  if (key === undefined || key === '') {
    throw new ApiError(401, 'An API key is required: send it as Authorization: Bearer <key>', {
      headers: { 'WWW-Authenticate': CHALLENGE },
    })
  }
  const wellFormed = B64TOKEN.test(key)
  if (!wellFormed || (validKeys === 'listed' ? !listed.has(key) : key === RESERVED)) {
    const message = wellFormed ? 'The API key is not valid' : 'The API key has a character that no bearer token has (RFC 6750)'
    throw new ApiError(401, message, {
      headers: { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"` },
      assumption: wellFormed ? 'valid-keys' : undefined,
    })
  }
  return key
}
