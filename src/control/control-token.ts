// The token of the control API: what may be one, who has to send it, and what happens where it is sent to the service instead.
import { ApiError, UsageError } from '../contract/errors.ts'
import { findViolations } from '../contract/schema.ts'
import { MIN_TOKEN_CHARACTERS } from '../limits.ts'
import { createKeyError, readBearer } from '../service/admit.ts'
import type { Call } from '../service/call.ts'
import { apiKeySchema } from '../settings/rows.ts'

/** Returns a token that someone has chosen; throws a UsageError, which does not repeat it, if it is too short or cannot be sent. */
export function parseControlToken(token: unknown, path = 'controlToken: '): string {
  if (typeof token !== 'string' || findViolations(apiKeySchema, token).length > 0) {
    throw new UsageError(`${path}expected a bearer token (RFC 6750: letters, digits and -._~+/)`)
  }
  if (token.length < MIN_TOKEN_CHARACTERS) {
    throw new UsageError(`${path}expected at least ${MIN_TOKEN_CHARACTERS} characters, got ${token.length}`)
  }
  return token
}

/** Refuses a caller without the token; `whichToken` says where to find it. */
export function checkToken(call: Call, token: string, whichToken = 'which the mock printed or was given at start'): void {
  const sent = readBearer(call)
  if (sent !== undefined && isToken(sent, token)) return
  const error = sent === undefined ? '' : ', error="invalid_token"'
  throw new ApiError(401, `The control API requires its token, ${whichToken}: send Authorization: Bearer <token>`, {
    headers: { 'WWW-Authenticate': `Bearer realm="animal-store-mock control"${error}` },
  })
}

/** The refusal of a call to the service that carries the control token: as a key, a secret would become the name of a sandbox. */
export function findMisusedToken(call: Call, token: string | undefined): ApiError | undefined {
  const isMisused = token !== undefined && isToken(readBearer(call) ?? '', token)
  return isMisused ? createKeyError('This is the control token, not an API key') : undefined
}

/** In a time that does not tell how much of the token is right. Not every platform has a function for this. */
export function isToken(sent: string, token: string): boolean {
  let difference = sent.length ^ token.length
  for (let index = 0; index < sent.length; index++) difference |= sent.charCodeAt(index) ^ token.charCodeAt(index % token.length)
  return difference === 0
}
