// Replies: the fields that every response has, of the service, of the control API and of hosts.
import { toErrorText } from '../contract/error-text.ts'
import { asRefusal } from '../contract/errors.ts'
import { JSON_TYPE } from '../contract/int64-json.ts'
import { BODILESS_STATUSES } from '../world/fault-outcome.ts'
import type { Reply } from './call.ts'
import type { Context, Decision } from './context.ts'
import { permitOrigin } from './cors.ts'

/** A reply while it is made. */
export type OpenReply = { -readonly [Field in keyof Reply]: Reply[Field] }

export const HTML_TYPE = 'text/html; charset=utf-8'
const FIXED_FIELDS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

export function createReply(
  decision: Decision,
  context: Context,
  at: number,
  corsOrigins: readonly string[],
): OpenReply {
  const { status, body, drop } = decision
  if (drop) return { status, headers: {}, body, drop }
  const headers = BODILESS_STATUSES.includes(status)
    ? createBodilessHeaders(at)
    : createHeaders(body, at)
  permitOrigin(context, headers, corsOrigins)
  const own = context.headers
  for (const name in own) headers[name] = own[name] as string
  return { status, headers, body: context.isBodySent ? body : '' }
}

/**
 * The reply to what a host refuses or fails to do. It is not of a state, so it has the machine's
 * time.
 */
export function createErrorReply(error: unknown): Reply {
  const { status, message, headers } = asRefusal(error)
  const body = toErrorText(status, message, 'names')
  return { status, headers: { ...bodyFields(body), ...commonFields(Date.now()), ...headers }, body }
}

/** Of every response, the control API's too. */
export function commonFields(at: number): Record<string, string> {
  return { Date: dateOf(at), ...FIXED_FIELDS }
}

export function bodyFields(body: string, type = JSON_TYPE): Record<string, string> {
  return { 'Content-Type': type, 'Content-Length': sizeOf(body) }
}

// A literal: an object that starts with a spread is slow to fill, and doubled the time of a
// response (Node 20).
function createHeaders(body: string, at: number): Record<string, string> {
  return {
    'Content-Type': JSON_TYPE,
    'Content-Length': sizeOf(body),
    Date: dateOf(at),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Origin',
  }
}

function createBodilessHeaders(at: number): Record<string, string> {
  return { ...commonFields(at), Vary: 'Origin' }
}

// The last date and the last length, since both take time to make: many responses fall into the
// same second, and clients that poll get the same text each time.
let dated = { second: Number.NaN, text: '' }
let measured = { text: '', bytes: '0' }
const encoder = new TextEncoder()
/** Receives the bytes of a text being measured; only their number is used. */
const scratch = new Uint8Array(2 ** 15)

function dateOf(instant: number): string {
  const second = Math.floor(instant / 1000)
  if (second !== dated.second) dated = { second, text: new Date(second * 1000).toUTCString() }
  return dated.text
}

export function sizeOf(text: string): string {
  if (text === measured.text) return measured.bytes
  const isShort = 3 * text.length <= scratch.length
  const bytes = isShort ? encoder.encodeInto(text, scratch).written : encoder.encode(text).length
  measured = { text, bytes: String(bytes) }
  return measured.bytes
}
