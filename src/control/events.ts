// The events of a mock: for listeners, and as server-sent events (HTML standard, 9.2).
import { ApiError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import { MAX_EVENT_BACKLOG_BYTES, MAX_EVENT_STREAMS } from '../contract/limits.ts'
import { deepFreeze } from '../contract/values.ts'
import type { Control, MockEvent } from './control.ts'

export type Events = ReturnType<typeof createEvents>

/** A comment that hosts write this often, so that proxies keep a silent stream open. */
export const HEARTBEAT = ': still here\n\n'
export const HEARTBEAT_MS = 15_000

/**
 * Writes events from `start` to `stop`. One of the open streams until `stop`, even if it never
 * starts.
 */
export interface EventStream {
  start(write: (text: string) => void): void
  stop(): void
}

/**
 * Each listener gets an event in its own microtask, once the change is complete; its error stops no
 * other listener.
 */
export function createEvents() {
  // One function may be subscribed twice, so it is not its own key.
  const subscriptions = new Set<{ readonly listener: (event: MockEvent) => void }>()
  return {
    listeners: subscriptions as ReadonlySet<unknown>,
    publish(event: MockEvent): void {
      deepFreeze(event)
      for (const one of subscriptions)
        queueMicrotask(() => subscriptions.has(one) && one.listener(event))
    },
    subscribe(listener: (event: MockEvent) => void): () => void {
      const subscription = { listener }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
  }
}

/**
 * Opens streams: of one sandbox, of all (`*`), or, without a key, of the shared state and the list
 * of sandboxes.
 */
export function createEventStreams({ subscribe }: Pick<Control, 'subscribe'>) {
  const streams = new Set<EventStream>()
  return (sandbox: string | undefined): EventStream => {
    if (streams.size >= MAX_EVENT_STREAMS)
      throw new ApiError(503, `Too many event streams; the limit is ${MAX_EVENT_STREAMS}`)
    let unsubscribe = () => {}
    const stream: EventStream = {
      start(write) {
        // The first line tells the client that it misses nothing from here on.
        write(': listening\n\n')
        unsubscribe = subscribe((event) => {
          const isHere =
            event.sandbox === (sandbox ?? null) ||
            (sandbox === undefined && event.type === 'sandbox')
          // `toJson` writes no line breaks, so the data is one line.
          if (isHere || sandbox === '*') write(`event: ${event.type}\ndata: ${toJson(event)}\n\n`)
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
        if ((controller.desiredSize ?? 0) >= 0) return
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
      if (signal?.aborted) return end()
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
