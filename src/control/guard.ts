// Who may use the control API. A page of another site can send requests to a mock on the same machine: what a browser
// sends for it is refused, and a write needs a header that no form can send. A mock that others can reach has a token.
import { splitTarget } from '../contract/address.ts'
import { ApiError, UsageError } from '../contract/errors.ts'
import { findViolations } from '../contract/schema.ts'
import { MIN_TOKEN_CHARACTERS } from '../limits.ts'
import { createKeyError, readBearer, tooLarge } from '../service/admit.ts'
import type { Call } from '../service/call.ts'
import { checkEncoding, mediaTypeOf } from '../service/parse-input.ts'
import { apiKeySchema } from '../settings/rows.ts'
import { CONTROL_PATH } from './methods.ts'

export const JSON_TYPE = 'application/json'
const NOT_PLAIN = `A write needs Content-Type: ${JSON_TYPE}, or the header X-Mock-Control: 1 if it has no body`
const BEHIND_PROXY = 'Behind a proxy the control API needs a token; give the mock one with --control-token or the option controlToken'

export function isControlTarget(target: string): boolean {
  const { rest: path } = splitTarget(target)
  return path.startsWith(CONTROL_PATH) && [undefined, '/', '?'].includes(path[CONTROL_PATH.length])
}

/** Refuses requests from pages of other origins than the mock's, which has one of these schemes. Programs may pass. */
export function checkSite({ header }: Call, schemes: readonly string[] = ['http']): void {
  const origin = header('origin')?.toLowerCase()
  const host = header('host')?.toLowerCase()
  const isOwn = origin === undefined || (host && schemes.some((scheme) => origin === `${scheme}://${host}`))
  const site = header('sec-fetch-site')?.toLowerCase() ?? 'none'
  if (isOwn && (site === 'same-origin' || site === 'none')) return
  throw new ApiError(403, 'The control API refuses requests from pages of other origins')
}

/** Refuses what came through a proxy or tunnel: everyone who can reach that could use a control API without a token. */
export function checkDirect({ header }: Call): void {
  if ((header('forwarded') ?? header('x-forwarded-for')) !== undefined) throw new ApiError(403, BEHIND_PROXY)
}

/** Refuses a write that a browser would send for another site without asking first; its body need not be there yet. */
export function checkWrite(call: Call): void {
  checkEncoding(call)
  if (call.header('x-mock-control') === '1') return
  if (call.header('content-type') === undefined) throw new ApiError(403, NOT_PLAIN)
  checkType(call)
}

export function checkBody(call: Call, maxBytes: number): void {
  if (!call.body?.length) return
  if (call.body.length > maxBytes) throw tooLarge(maxBytes)
  checkType(call)
}

function checkType(call: Call): void {
  if (mediaTypeOf(call) !== JSON_TYPE) throw new ApiError(415, `Content-Type must be ${JSON_TYPE}`)
}

/** A token that someone has chosen, if it is long enough and can be sent. The UsageError does not repeat it. */
export function parseControlToken(token: unknown, path = 'controlToken: '): string {
  if (typeof token !== 'string' || findViolations(apiKeySchema, token).length > 0) {
    throw new UsageError(`${path}expected a bearer token (RFC 6750: letters, digits and -._~+/)`)
  }
  if (token.length >= MIN_TOKEN_CHARACTERS) return token
  throw new UsageError(`${path}expected at least ${MIN_TOKEN_CHARACTERS} characters, got ${token.length}`)
}

export function checkToken(call: Call, token: string, whichToken = 'which the mock printed or was given at start'): void {
  const sent = readBearer(call)
  if (sent !== undefined && isToken(sent, token)) return
  const error = sent === undefined ? '' : ', error="invalid_token"'
  throw new ApiError(401, `The control API requires its token, ${whichToken}: send Authorization: Bearer <token>`, {
    headers: { 'WWW-Authenticate': `Bearer realm="animal-store-mock control"${error}` },
  })
}

/** Refuses a call to the service with the control token: as a key, a secret would become the name of a sandbox. */
export function findMisusedToken(call: Call, token: string | undefined): ApiError | undefined {
  const isMisused = token !== undefined && isToken(readBearer(call) ?? '', token)
  return isMisused ? createKeyError('This is the control token, not an API key') : undefined
}

/** Takes the same time however much of the token is right. Not every platform has a function for this. */
export function isToken(sent: string, token: string): boolean {
  let difference = sent.length ^ token.length
  for (let index = 0; index < sent.length; index++) difference |= sent.charCodeAt(index) ^ token.charCodeAt(index % token.length)
  return difference === 0
}
