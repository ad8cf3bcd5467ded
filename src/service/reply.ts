// What becomes known about a call while it is answered, and the reply that it ends in: with the
// fields that every response has, and those that let pages of other origins read it (Fetch
// standard, CORS protocol).
import { HTTP_TOKEN, isLoopback, isOwnOrigin } from '../contract/address.ts'
import { type ApiError, toErrorText } from '../contract/errors.ts'
import type { AssumptionId, OperationContract } from '../contract/generated/contract.ts'
import { JSON_TYPE, type Json } from '../contract/int64-json.ts'
import { BODILESS_STATUSES } from '../world/fault-outcome.ts'
import type { Strike } from '../world/faults.ts'
import { addNote, NONE } from '../world/notes.ts'
import { SURPRISE_HEADER } from '../world/surprise.ts'
import type { Surprised } from '../world/surprise-response.ts'
import type { World } from '../world/world.ts'
import type { Call, Reply } from './call.ts'
import { allMethods, type Route } from './route.ts'

export interface Decision {
  readonly status: number
  readonly body: string
  readonly refusal?: ApiError | undefined
  readonly surprise?: Surprised
}

export interface SentInput {
  readonly path: Route['params']
  readonly query: ReadonlyMap<string, readonly string[]>
  body: Json | undefined
}

export type Context = ReturnType<typeof createContext>

/** Each stage adds what it finds out about a call, even if it then refuses the call. */
export function createContext(world: World, call: Call, realAt: number) {
  return {
    call,
    realAt,
    isBodySent: call.method !== 'HEAD',
    /** The world of unsigned calls until the key is known. */
    world,
    /**
     * What the call makes of the state of its world. It becomes the present one when the call has
     * been decided.
     */
    state: world.state,
    apiKey: undefined as string | undefined,
    operation: undefined as OperationContract | undefined,
    strike: undefined as Strike | undefined,
    lacks: undefined as 'host' | undefined,
    sent: undefined as SentInput | undefined,
    bodyText: '',
    assumptions: NONE as readonly AssumptionId[],
    notes: NONE as readonly string[],
    /** Fields of the response besides those that every response has; made on first use. */
    headers: undefined as Record<string, string> | undefined,
  }
}

export function addHeader(context: Context, name: string, value: string): void {
  context.headers ??= {}
  context.headers[name] = value
}

type OpenReply = { -readonly [Field in keyof Reply]: Reply[Field] }

const WEB_ORIGIN = /^https?:\/\/(.+?)(?::\d{1,5})?$/
export const ASSUMPTION_HEADER = 'X-Mock-Assumption'
const OWN_FIELDS = `Preference-Applied, ${ASSUMPTION_HEADER}, ${SURPRISE_HEADER}`
const READABLE = {
  'Access-Control-Expose-Headers': `WWW-Authenticate, Allow, Sunset, Retry-After, ${OWN_FIELDS}`,
}

/** Pages of loopback origins and of the listed ones may read the reply; `*` allows all. */
export function createReply(
  decision: Decision,
  context: Context,
  at: number,
  origins: readonly string[],
): OpenReply {
  const { status, body } = decision
  const { call, headers: extra, strike } = context
  if (strike?.drop) return { status: 0, headers: {}, body: '', drop: true }
  // Two literals: an object that starts with a spread is slow to fill, and doubled the time of a
  // response (Node 20).
  const headers: Record<string, string> = BODILESS_STATUSES.includes(status)
    ? { ...commonFields(at), Vary: 'Origin' }
    : {
        'Content-Type': JSON_TYPE,
        'Content-Length': sizeOf(body),
        Date: dateOf(at),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        Vary: 'Origin',
      }
  const { origin, host } = call.headers
  if (origin !== undefined) {
    const isListed = origins.includes('*') || origins.includes(origin)
    const isAllowed =
      origin !== 'null' && (isListed || isLoopback(WEB_ORIGIN.exec(origin)?.[1] ?? ''))
    if (isAllowed) Object.assign(headers, permit(origin, call))
    // The mock's own pages need no permission.
    else if (!isOwnOrigin(origin, host)) addNote(context, explainOrigin(origin))
  }
  for (const name in extra) headers[name] = extra[name] as string
  return { status, headers, body: context.isBodySent ? body : '' }
}

/** Of every response, the control API's too. */
export const commonFields = (at: number) => ({ Date: dateOf(at), ...FIXED_FIELDS })
const FIXED_FIELDS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

export const HTML_TYPE = 'text/html; charset=utf-8'
export const bodyFields = (body: string, type = JSON_TYPE) => ({
  'Content-Type': type,
  'Content-Length': sizeOf(body),
})

/** Of a host, where the mock cannot answer. */
export function createRefusal({ status, message, headers }: ApiError): Reply {
  const body = toErrorText(status, message, 'names')
  return { status, headers: { ...bodyFields(body), ...commonFields(Date.now()), ...headers }, body }
}

export function readPreflight({ method, headers }: Call) {
  const asked = headers['access-control-request-method']
  if (method !== 'OPTIONS' || asked === undefined || headers.origin === undefined) return undefined
  const names = headers['access-control-request-headers']?.split(',') ?? []
  return {
    method: asked,
    fields: names.map((name) => name.trim()).filter((name) => HTTP_TOKEN.test(name)),
  }
}

function permit(origin: string, call: Call): Record<string, string> {
  const preflight = readPreflight(call)
  if (!preflight) return { 'Access-Control-Allow-Origin': origin, ...READABLE }
  const fields =
    preflight.fields.length > 0 ? preflight.fields : ['Authorization', 'Content-Type', 'Prefer']
  return {
    'Access-Control-Allow-Origin': origin,
    // Whatever the path: the response to the request itself says which are allowed there.
    'Access-Control-Allow-Methods': allMethods.join(', '),
    'Access-Control-Allow-Headers': fields.join(', '),
    Vary: 'Origin, Access-Control-Request-Headers',
  }
}

/** For the log: the page only sees an error without a reason. */
function explainOrigin(origin: string): string {
  const way = `allow it with --cors-origin ${origin} or the option corsOrigins`
  const remedy = origin === 'null' ? 'serve the page over HTTP' : way
  return `A page of the origin ${origin} may not read this response; ${remedy}`
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

function sizeOf(text: string): string {
  if (text === measured.text) return measured.bytes
  const isShort = 3 * text.length <= scratch.length
  const bytes = isShort ? encoder.encodeInto(text, scratch).written : encoder.encode(text).length
  measured = { text, bytes: String(bytes) }
  return measured.bytes
}
