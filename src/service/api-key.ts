// The API key of a call (RFC 9110 §11, RFC 6750), and the refusals that are about it.
import { B64TOKEN } from '../contract/address.ts'
import { ApiError } from '../contract/errors.ts'
import type { AssumptionId } from '../contract/generated/contract.ts'
import { MAX_KEY_CHARACTERS } from '../contract/limits.ts'
import { hash } from '../contract/random.ts'
import { describeKey } from '../contract/values.ts'
import { ADDED_FIELDS } from './added-fields.ts'
import type { Call } from './call.ts'

const BEARER = /bearer +/iy
const CHALLENGE = 'Bearer realm="animal-store"'
export const INVALID_KEY_CHALLENGE = `${CHALLENGE}, error="invalid_token"`

export function readBearer({ headers }: Call): string | undefined {
  const { authorization = '' } = headers
  BEARER.lastIndex = 0
  if (!BEARER.test(authorization)) return undefined
  const key = authorization.slice(BEARER.lastIndex)
  return key === '' ? undefined : key
}

/** A well-formed key. */
export interface ApiKey {
  readonly text: string
  /** `…` and its end, as the log shows it. */
  readonly shown: string
  /** Tells whole keys apart. */
  readonly digest: number
}

// The last key, since most clients send the same one in each request.
let last = parseKey(undefined)
let lastField: string | undefined

/** The key of a call, or why there is none. */
export function readKey(call: Call): ApiKey | ApiError {
  const { authorization } = call.headers
  if (authorization === lastField) return last
  last = parseKey(readBearer(call))
  lastField = authorization
  return last
}

/** By the parts of `apiKeySchema`: a schema would take longer. */
function parseKey(text: string | undefined): ApiKey | ApiError {
  if (text === undefined) return createMissingKeyError()
  if (text.length > MAX_KEY_CHARACTERS)
    return createKeyError(`The API key is longer than ${MAX_KEY_CHARACTERS} characters`)
  if (!B64TOKEN.test(text)) {
    const rule = 'that is not allowed in a bearer token (RFC 6750)'
    return createKeyError(`The API key contains a character ${rule}`)
  }
  return { text, shown: describeKey(text), digest: hash(text) }
}

export function createKeyError(message: string, assumption?: AssumptionId): ApiError {
  const headers = { [ADDED_FIELDS.challenge]: INVALID_KEY_CHALLENGE }
  return new ApiError(401, message, { headers, assumption })
}

function createMissingKeyError(): ApiError {
  const message = 'An API key is required; send it as Authorization: Bearer <key>'
  return new ApiError(401, message, { headers: { [ADDED_FIELDS.challenge]: CHALLENGE } })
}
