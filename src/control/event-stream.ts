// The events of a mock as server-sent events (HTML standard, 9.2). Each event is serialised once for all streams, and not at all
// while there are none. Keeping a connection alive and its backlog short is up to the host.
import { ApiError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import { MAX_EVENT_STREAMS } from '../limits.ts'
import type { Control, MockEvent } from './control.ts'

/** Starts writing events; returns a function that stops it. */
export type EventStream = (write: (text: string) => void) => () => void

/** Opens streams: for a key, the events of its sandbox; without one, all events. */
export function createEventStreams(control: Control): (sandbox: string | undefined) => EventStream {
  const streams = new Set<(event: MockEvent, text: string) => void>()
  let unsubscribe: (() => void) | undefined

  function tell(event: MockEvent): void {
    const text = toText(event)
    for (const stream of streams) stream(event, text)
  }

  return (sandbox) => {
    if (streams.size >= MAX_EVENT_STREAMS) throw new ApiError(503, `Too many event streams; the limit is ${MAX_EVENT_STREAMS}`)
    return (write) => {
      const stream = (event: MockEvent, text: string) => {
        if (sandbox === undefined || event.sandbox === sandbox) write(text)
      }
      streams.add(stream)
      unsubscribe ??= control.subscribe(tell)
      // The first line tells the client that it misses nothing from here on.
      write(': listening\n\n')
      return () => {
        streams.delete(stream)
        if (streams.size > 0) return
        unsubscribe?.()
        unsubscribe = undefined
      }
    }
  }
}

/** JSON has no line breaks of its own, so the data is one line. */
function toText(event: MockEvent): string {
  return `event: ${event.type}\ndata: ${toJson(event)}\n\n`
}
