// The reply to a decided call, with the fields that every response has, and those that let pages of other origins read it (Fetch standard,
// CORS protocol).
import { addNote } from '../world/row.ts'
import type { Call, Reply } from './call.ts'
import type { Decision, Recorder, Respond } from './recorder.ts'
import { methodsAnywhere } from './route.ts'

type OpenReply = { -readonly [Field in keyof Reply]: Reply[Field] }

const LOOPBACK = /^https?:\/\/(?:localhost|[a-z0-9.-]+\.localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/
const READABLE = {
  'Access-Control-Expose-Headers': 'WWW-Authenticate, Allow, Sunset, Retry-After, Preference-Applied, X-Mock-Assumption, X-Mock-Surprise',
}
const FIELD_NAMES = /[\w!#$%&'*+.^`|~-]+/g

/** Pages of loopback origins and of the listed ones may read the replies; `*` allows all. */
export function createReplies(origins: readonly string[]): (call: Call, outcome: Decision, recorder: Recorder, at: number) => OpenReply {
  const byteLength = createByteLength()
  const dateOf = createDates()
  const allows = (origin: string) => origin !== 'null' && (origins.includes('*') || origins.includes(origin) || LOOPBACK.test(origin))

  function addCommonFields(call: Call, { status, body }: Respond, recorder: Recorder, at: number): OpenReply {
    const { headers: extra } = recorder
    const date = dateOf(at)
    // Two literals: an object that starts with a spread is slow to fill, and doubled the time of a response (x64, Node 20).
    const headers: Record<string, string> =
      status === 204
        ? { Date: date, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', Vary: 'Origin' }
        : {
            'Content-Type': 'application/json',
            'Content-Length': String(byteLength(body)),
            Date: date,
            'Cache-Control': 'no-store',
            'X-Content-Type-Options': 'nosniff',
            Vary: 'Origin',
          }
    const origin = call.header('origin')
    if (origin !== undefined) {
      if (allows(origin)) Object.assign(headers, permit(origin, call, status))
      // Browsers also send the origin of the mock's own pages, which need no permission.
      else if (!origin.endsWith(`//${call.header('host')}`)) addNote(recorder, explainOrigin(origin))
    }
    for (const name in extra) headers[name] = extra[name] as string
    return { status, headers, body: call.method === 'HEAD' ? '' : body }
  }

  return (call, outcome, recorder, at) =>
    outcome.drop ? { status: 0, headers: {}, body: '', drop: true } : addCommonFields(call, outcome, recorder, at)
}

/** What a browser asks for before it sends a page's request to another origin. */
export interface Preflight {
  readonly method: string
  readonly fields: readonly string[]
}

export function readPreflight({ method, header }: Call): Preflight | undefined {
  const asked = header('access-control-request-method')
  if (method !== 'OPTIONS' || asked === undefined || header('origin') === undefined) return undefined
  return { method: asked, fields: header('access-control-request-headers')?.match(FIELD_NAMES) ?? [] }
}

/** The fields that let a page of this origin read the reply; a preflight allows all the fields that it asks for. */
function permit(origin: string, call: Call, status: number): Record<string, string> {
  const preflight = status === 204 ? readPreflight(call) : undefined
  if (!preflight) return { 'Access-Control-Allow-Origin': origin, ...READABLE }
  const fields = preflight.fields.length > 0 ? preflight.fields : ['Authorization', 'Content-Type', 'Prefer']
  return {
    'Access-Control-Allow-Origin': origin,
    // Whatever the path: the response to the request itself says which are allowed there.
    'Access-Control-Allow-Methods': methodsAnywhere.join(', '),
    'Access-Control-Allow-Headers': fields.join(', '),
    Vary: 'Origin, Access-Control-Request-Headers',
  }
}

/** For the log: the page only sees an error without a reason. */
function explainOrigin(origin: string): string {
  const remedy = origin === 'null' ? 'serve the page over HTTP' : `allow it with --cors-origin ${origin}`
  return `A page of the origin ${origin} may not read this response; ${remedy}`
}

function createDates(): (instant: number) => string {
  let last = Number.NaN
  let text = ''
  return (instant) => {
    const second = Math.floor(instant / 1000)
    if (second !== last) {
      last = second
      text = new Date(second * 1000).toUTCString()
    }
    return text
  }
}

/** Never read, so that all mocks can share it. */
const scratch = new Uint8Array(2 ** 15)

function createByteLength(): (text: string) => number {
  const encoder = new TextEncoder()
  /** The last text that was measured: clients that poll get the same one again and again. */
  let last = { text: '', bytes: 0 }
  return (text) => {
    if (text !== last.text) {
      let bytes = 0
      for (let done = 0; done < text.length; ) {
        const { read, written } = encoder.encodeInto(text.slice(done), scratch)
        bytes += written
        done += read
      }
      last = { text, bytes }
    }
    return last.bytes
  }
}
