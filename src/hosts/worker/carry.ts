// Between the platform's requests and responses and the engine's calls and replies. What the platform cannot do as other hosts do is
// here: see docs/beyond-one-machine.md.
import { ApiError, toErrorText } from '../../contract/errors.ts'
import type { ControlReply } from '../../control/control-api.ts'
import { MAX_EVENT_BACKLOG_BYTES } from '../../limits.ts'
import { readBody } from '../../mock/fetch.ts'
import type { Call, Reply } from '../../service/call.ts'

/** How often a stream of events shows that it is alive. */
const HEARTBEAT_MS = 15_000

/** The target of a request; the platform has resolved it as a URL by now. */
function toTarget(url: string): string {
  const path = url.indexOf('/', url.indexOf('//') + 2)
  return path < 0 ? '/' : url.slice(path)
}

/** As much of a request as tells which world it is for. */
export function toHead({ method, url, headers }: Request): Call {
  return { method, target: toTarget(url), header: (name) => headers.get(name) ?? undefined }
}

/** A request without its body. The fields are asked of the platform once: each question costs as much as the search for an answer. */
export function toCall({ method, url, headers }: Request): Call {
  const fields: string[] = []
  headers.forEach((value, name) => void fields.push(name, value))
  const header = (name: string) => {
    for (let index = 0; index < fields.length; index += 2) if (fields[index] === name) return fields[index + 1]
    return undefined
  }
  return { method, target: toTarget(url), header, fields, reportsOutcome: true }
}

/**
 * The body, or as much of one that is too large as shows it. One whose length is announced is read at once, which is cheaper than in
 * pieces; the platform sees that it is not longer. One that breaks off is the client's fault, who has mostly left.
 */
export async function readWholeBody(request: Request, { header }: Call, maxBytes: number): Promise<Uint8Array | undefined> {
  const length = Number(header('content-length'))
  try {
    if (!(length > 0 && length <= maxBytes)) return await readBody(request, undefined, maxBytes)
    return new Uint8Array(await request.arrayBuffer())
  } catch {
    throw new ApiError(400, 'The body broke off before its end')
  }
}

export function toResponse({ status, headers, body }: Reply): Response {
  return new Response(body === '' ? null : body, { status, headers })
}

/** The response to a request that the engine does not see. */
export function toRefusal(status: number, message: string, headers: Reply['headers'] = {}): Response {
  return toResponse({ status, headers: { 'Content-Type': 'application/json', ...headers }, body: toErrorText(status, message, 'names') })
}

/** A response that breaks off before its first byte, which is as near to a cut connection as the platform gets. */
export function toDropped(): Response {
  // One byte is announced and none sent.
  const { readable, writable } = new FixedLengthStream(1)
  void writable.abort(new Error('Dropped on purpose')).catch(() => {})
  return new Response(readable)
}

declare const FixedLengthStream: new (bytes: number) => { readable: ReadableStream; writable: WritableStream }

/** Events, for as long as the client listens; one that leaves too much unread is cut off. `onEnd` hears when it is over. */
export function toStream(
  { status, headers, stream }: ControlReply,
  onEnd: () => void,
): { readonly response: Response; readonly end: () => void } {
  const encoder = new TextEncoder()
  let stop: (() => void) | undefined
  let heartbeat: ReturnType<typeof setInterval>
  let end = () => {}

  function close(): void {
    clearInterval(heartbeat)
    stop?.()
    onEnd()
  }

  const events = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string) => {
          controller.enqueue(encoder.encode(text))
          if ((controller.desiredSize ?? 0) >= 0) return
          close()
          controller.error(new Error('Too many events unread'))
        }
        stop = stream?.(write)
        heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
        end = () => {
          close()
          controller.close()
        }
      },
      cancel: close,
    },
    { highWaterMark: MAX_EVENT_BACKLOG_BYTES, size: (chunk) => chunk.byteLength },
  )
  return { response: new Response(events, { status, headers }), end: () => end() }
}
