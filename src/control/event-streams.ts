// The events of a mock as server-sent events (HTML standard, 9.2). Keeping a connection alive and its backlog short is up to the host.
import { ApiError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import { MAX_EVENT_STREAMS } from '../limits.ts'
import type { Control, MockEvent } from './control.ts'

/** A comment that hosts write this often, so that proxies keep a silent stream open. */
export const HEARTBEAT = ': still here\n\n'
export const HEARTBEAT_MS = 15_000

/** Writes events from `start` to `stop`. One of the open streams until `stop`, even if it never starts. */
export interface EventStream {
  start(write: (text: string) => void): void
  stop(): void
}

/** Opens streams: with a key, of the events of its sandbox; without one, of all events. */
export function createEventStreams(control: Pick<Control, 'subscribe'>): (sandbox: string | undefined) => EventStream {
  const streams = new Set<EventStream>()
  /** The last event as a text, since every stream writes the same. */
  let last: { readonly event: MockEvent; readonly text: string } | undefined
  const toText = (event: MockEvent) => {
    // `toJson` writes no line breaks, so the data is one line.
    if (last?.event !== event) last = { event, text: `event: ${event.type}\ndata: ${toJson(event)}\n\n` }
    return last.text
  }
  return (sandbox) => {
    if (streams.size >= MAX_EVENT_STREAMS) throw new ApiError(503, `Too many event streams; the limit is ${MAX_EVENT_STREAMS}`)
    let unsubscribe = () => {}
    const stream: EventStream = {
      start(write) {
        // The first line tells the client that it misses nothing from here on.
        write(': listening\n\n')
        unsubscribe = control.subscribe((event) => {
          if (sandbox === undefined || event.sandbox === sandbox) write(toText(event))
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
