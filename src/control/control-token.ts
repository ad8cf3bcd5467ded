// The token of the control API: what may be one, and what happens where it is sent to the service instead.
import { type ApiError, UsageError } from '../contract/errors.ts'
import { findViolations } from '../contract/schema.ts'
import { MIN_TOKEN_CHARACTERS } from '../limits.ts'
import { apiKeySchema } from '../scenario/document.ts'
import { createKeyError } from '../service/admit.ts'
import type { Call } from '../service/call.ts'

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

/** The bearer token that a call carries, if any. */
export function readToken({ header }: Call): string | undefined {
  return /^bearer +(.+)$/i.exec(header('authorization') ?? '')?.[1]
}

/** The refusal of a call to the service that carries the control token: as a key, a secret would become the name of a sandbox. */
export function findMisusedToken(call: Call, isToken: ((sent: string) => boolean) | undefined): ApiError | undefined {
  const sent = isToken && readToken(call)
  return sent !== undefined && isToken?.(sent) ? createKeyError('This is the control token, not an API key') : undefined
}
