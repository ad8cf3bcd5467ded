// The events of a mock as server-sent events (HTML standard, 9.2).
import { ApiError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import { MAX_EVENT_BACKLOG_BYTES, MAX_EVENT_STREAMS } from '../contract/limits.ts'
import type { Control, MockEvent } from './control.ts'
import { meansAllSandboxes } from './protocol.ts'

/** A comment that hosts write this often, so that proxies keep a silent stream open. */
export const HEARTBEAT = ': still here\n\n'
export const HEARTBEAT_MS = 15_000

/**
 * Writes events from `start` to `stop`. It counts as open until `stop`, even if it never starts.
 */
export interface EventStream {
  start(write: (text: string) => void): void
  stop(): void
}

/**
 * Opens streams: of one sandbox, of all (`*`), or, without a key, of the shared state and the list
 * of sandboxes.
 */
export function createEventStreams(control: Pick<Control, 'subscribe'>) {
  const streams = new Set<EventStream>()
  return (sandbox: string | undefined): EventStream => {
    if (streams.size >= MAX_EVENT_STREAMS)
      throw new ApiError(503, `Too many event streams; the limit is ${MAX_EVENT_STREAMS}`)
    let unsubscribe = () => {}
    const stream: EventStream = {
      start(write) {
        // The first line tells the client that it misses nothing from here on.
        write(': listening\n\n')
        unsubscribe = control.subscribe((event) => {
          if (concerns(event, sandbox)) write(renderEvent(event))
        })
      },
      stop() {
        unsubscribe()
        streams.delete(stream)
      },
    }
    streams.add(stream)
    return stream
  }
}

function concerns(event: MockEvent, sandbox: string | undefined): boolean {
  if (meansAllSandboxes(sandbox)) return true
  if (sandbox === undefined) return event.sandbox === null || event.type === 'sandbox'
  return event.sandbox === sandbox
}

/** `toJson` writes no line breaks, so the data is one line. */
function renderEvent(event: MockEvent): string {
  return `event: ${event.type}\ndata: ${toJson(event)}\n\n`
}

/**
 * For a platform that sends streams: until the reader leaves, `signal` aborts, or too much is
 * unread.
 */
export function toReadable(stream: EventStream, signal?: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let close = () => {}
  const source = {
    start(controller: ReadableStreamDefaultController<Uint8Array>) {
      const write = (text: string) => {
        controller.enqueue(encoder.encode(text))
        const room = controller.desiredSize ?? 0
        if (room >= 0) return
        close()
        controller.error(new Error('Too many events unread'))
      }
      const end = () => {
        close()
        controller.close()
      }
      const heartbeat = setInterval(() => write(HEARTBEAT), HEARTBEAT_MS)
      close = () => {
        clearInterval(heartbeat)
        signal?.removeEventListener('abort', end)
        stream.stop()
      }
      if (signal?.aborted) {
        end()
        return
      }
      signal?.addEventListener('abort', end)
      stream.start(write)
    },
    cancel: () => close(),
  }
  return new ReadableStream(source, {
    highWaterMark: MAX_EVENT_BACKLOG_BYTES,
    size: (chunk) => chunk.byteLength,
  })
}
