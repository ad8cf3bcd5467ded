// Who may use the control API. A page of another site can send requests to a mock on the same
// machine: what a browser sends for it is refused, and a write needs a header that no form can
// send. A mock that others can reach has a token.
import { isOwnOrigin } from '../../contract/address.ts'
import { ApiError } from '../../contract/errors.ts'
import { JSON_TYPE } from '../../contract/int64-json.ts'
import { MAX_DOCUMENT_BYTES } from '../../contract/limits.ts'
import { createSizeError } from '../../service/admit.ts'
import { createKeyError, readBearer } from '../../service/api-key.ts'
import type { Call } from '../../service/call.ts'
import { checkEncoding } from '../../service/content-coding.ts'
import { mediaTypeOf } from '../../service/parse-body.ts'
import { HEADERS } from '../protocol.ts'

const NOT_PLAIN = [
  `A write needs Content-Type: ${JSON_TYPE}`,
  `or the header ${HEADERS.control}: 1 if it has no body`,
].join(', ')
const HOW_TO_PASS = [
  'pass it with --control-token or ANIMAL_STORE_CONTROL_TOKEN',
  'or send Authorization: Bearer <token>',
].join(', ')
const BEHIND_PROXY = [
  'Behind a proxy the control API needs a token',
  'give the mock one with --control-token or the option controlToken',
].join('; ')
/** What proxies and tunnels add to a request. */
const PROXY_FIELDS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']
const CHALLENGE = 'Bearer realm="animal-store-mock control"'

/** Refuses requests from pages of other origins than the mock's. Programs may pass. */
export function checkSite({ headers }: Call): void {
  const { origin } = headers
  const isOwn = origin === undefined || isOwnOrigin(origin, headers.host)
  const site = headers['sec-fetch-site']?.toLowerCase() ?? 'none'
  if (isOwn && (site === 'same-origin' || site === 'none')) return
  throw new ApiError(403, 'The control API refuses requests from pages of other origins')
}

/**
 * Refuses what came through a proxy or tunnel: anyone who can reach that could use a control API
 * without a token.
 */
export function checkDirect({ headers }: Call): void {
  const isForwarded = PROXY_FIELDS.some((field) => headers[field] !== undefined)
  if (isForwarded) throw new ApiError(403, BEHIND_PROXY)
}

/**
 * Refuses a write that a browser would send for another site without asking first; its body need
 * not be there yet.
 */
export function checkWrite(call: Call): void {
  checkEncoding(call)
  if (call.headers[HEADERS.control.toLowerCase()] === '1') return
  if (call.headers['content-type'] === undefined) throw new ApiError(403, NOT_PLAIN)
  checkType(call)
}

export function checkBody(call: Call): void {
  checkEncoding(call)
  if (!call.body?.length) return
  if (call.body.length > MAX_DOCUMENT_BYTES) throw createSizeError(MAX_DOCUMENT_BYTES)
  checkType(call)
}

function checkType(call: Call): void {
  if (mediaTypeOf(call) !== JSON_TYPE) throw new ApiError(415, `Content-Type must be ${JSON_TYPE}`)
}

export function checkToken(call: Call, token: string): void {
  if (bearsToken(call, token)) return
  if (readBearer(call) === undefined)
    throw createTokenError('The control API requires its token', CHALLENGE)
  throw createTokenError('Wrong control token', `${CHALLENGE}, error="invalid_token"`)
}

function createTokenError(flaw: string, challenge: string): ApiError {
  return new ApiError(401, `${flaw}; ${HOW_TO_PASS}`, {
    headers: { 'WWW-Authenticate': challenge },
  })
}

/**
 * Refuses a call to the service with the control token: as a key, a secret would become the name of
 * a sandbox.
 */
export function findMisusedToken(call: Call, token: string | undefined): ApiError | undefined {
  if (!bearsToken(call, token)) return undefined
  return createKeyError('This is the control token, not an API key')
}

/**
 * Takes the same time however much of the token is right. Not every platform has a function for
 * this.
 */
export function bearsToken(call: Call, token: string | undefined): boolean {
  const sent = readBearer(call)
  if (token === undefined || sent === undefined) return false
  let difference = sent.length ^ token.length
  for (let at = 0; at < sent.length; at++)
    difference |= sent.charCodeAt(at) ^ token.charCodeAt(at % token.length)
  return difference === 0
}
