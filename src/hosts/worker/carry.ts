// Converts the platform's requests to calls, and replies to the platform's responses.
import { ApiError, toErrorText } from '../../contract/errors.ts'
import type { ControlReply } from '../../control/api.ts'
import { HEARTBEAT, HEARTBEAT_MS } from '../../control/event-stream.ts'
import { MAX_EVENT_BACKLOG_BYTES } from '../../limits.ts'
import { toResponse } from '../../mock/fetch.ts'
import type { Call, Reply } from '../../service/call.ts'

/** A request without its body. The fields are copied once, since each access to the platform's headers is slow. */
export function toCall({ method, url, headers }: Request): Call {
  const path = url.indexOf('/', url.indexOf('//') + 2)
  const fields: string[] = []
  headers.forEach((value, name) => void fields.push(name, value))
  const header = (name: string) => {
    for (let index = 0; index < fields.length; index += 2) if (fields[index] === name) return fields[index + 1]
    return undefined
  }
  return { method, target: path < 0 ? '/' : url.slice(path), header, fields, reportsOutcome: true }
}

/** The body; of one that is too large, just enough to show that it is. */
export async function readWholeBody(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let bytes = 0
    for await (const chunk of request.body ?? []) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxBytes) break
    }
    return bytes === 0 ? undefined : new Uint8Array(await new Blob(chunks).arrayBuffer())
  } catch {
    throw new ApiError(400, 'The body broke off before its end')
  }
}

/** The response to a request that does not reach the engine. */
export function toRefusal(status: number, message: string, headers: Reply['headers'] = {}): Response {
  return toResponse({ status, headers: { 'Content-Type': 'application/json', ...headers }, body: toErrorText(status, message, 'names') })
}

/** A response that breaks off before its first byte: the platform cannot cut a connection. */
export function toDropped(): Response {
  // It announces one byte and sends none.
  const { readable, writable } = new FixedLengthStream(1)
  void writable.abort(new Error('Dropped on purpose')).catch(() => {})
  return new Response(readable)
}

declare const FixedLengthStream: new (bytes: number) => { readable: ReadableStream; writable: WritableStream }

/** A stream of events, until the client leaves, too much is unread, or it is ended. What ends it is among `open` as long as it runs. */
export function toStream({ status, headers, stream }: ControlReply, open: Set<() => void>): Response {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array>
  const events = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      cancel: close,
    },
    { highWaterMark: MAX_EVENT_BACKLOG_BYTES, size: (chunk) => chunk.byteLength },
  )
  open.add(end)
  stream?.start(write)
  const heartbeat = setInterval(() => write(HEARTBEAT), HEARTBEAT_MS)
  return new Response(events, { status, headers })

  function write(text: string): void {
    controller.enqueue(encoder.encode(text))
    if ((controller.desiredSize ?? 0) >= 0) return
    close()
    controller.error(new Error('Too many events unread'))
  }

  function close(): void {
    clearInterval(heartbeat)
    stream?.stop()
    open.delete(end)
  }

  function end(): void {
    close()
    controller.close()
  }
}
