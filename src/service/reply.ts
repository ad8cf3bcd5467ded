// The reply to a call, with the fields that every response has.
import { addNote } from '../world/journal-entry.ts'
import type { Call, Reply } from './call.ts'
import { type Cors, explainRefusal } from './cors.ts'
import type { Progress } from './progress.ts'

/** What the service has decided; the rest of a reply follows from it. */
export interface Result {
  readonly status: number
  readonly body: string
}

export const NO_CONTENT: Result = { status: 204, body: '' }

/** A reply that the service is still writing. */
type OpenReply = { -readonly [Field in keyof Reply]: Reply[Field] }

export function createReplies(cors: Cors): (call: Call, result: Result, progress: Progress) => OpenReply {
  const byteLength = createByteLength()

  /** Adds the common fields, and omits the body for HEAD. */
  function toResponse(call: Call, { status, body }: Result, progress: Progress): OpenReply {
    const { headers: extra, world, at } = progress
    // Two literals: an object that starts with a spread is slow to fill, and doubled the time of a response (x64, Node 20).
    const headers: Record<string, string> =
      status === 204
        ? { Date: world.clock.date(at), 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', Vary: 'Origin' }
        : {
            'Content-Type': 'application/json',
            'Content-Length': String(byteLength(body)),
            Date: world.clock.date(at),
            'Cache-Control': 'no-store',
            'X-Content-Type-Options': 'nosniff',
            Vary: 'Origin',
          }
    const origin = call.header('origin')
    if (origin !== undefined) {
      const fields = cors(origin, status === 204 && call.header('access-control-request-method') !== undefined, call.header)
      // Browsers also send the origin of the mock's own pages, which need no permission.
      if (!fields && !origin.endsWith(`//${call.header('host')}`)) addNote(progress, explainRefusal(origin))
      Object.assign(headers, fields)
    }
    for (const name in extra) headers[name] = extra[name] as string
    return { status, headers, body: call.method === 'HEAD' ? '' : body }
  }

  return (call, result, progress) => {
    const { delay, forced } = progress
    const reply: OpenReply = forced === 0 ? { status: 0, headers: {}, body: '', drop: true } : toResponse(call, result, progress)
    if (delay > 0) reply.delay = delay
    return reply
  }
}

/** Never read, so that all mocks can share it. */
const scratch = new Uint8Array(2 ** 15)

/** The UTF-8 length of a text. */
function createByteLength(): (text: string) => number {
  const encoder = new TextEncoder()
  /** The last text that was measured: clients that poll get the same one again and again. */
  let last = { text: '', bytes: 0 }
  return (text) => {
    if (text !== last.text) {
      const bytes = text.length * 3 <= scratch.length ? encoder.encodeInto(text, scratch).written : encoder.encode(text).length
      last = { text, bytes }
    }
    return last.bytes
  }
}
