// The events of a mock as server-sent events (HTML standard, 9.2). Each event is written once, however many streams carry it,
// and while there is none it is not written at all. Keeping a connection alive and its backlog short is the host's business.
import { ApiError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import { MAX_EVENT_STREAMS } from '../limits.ts'
import type { Control, MockEvent } from './control.ts'

/** Starts to write events; the function that it gives ends that. */
export type EventStream = (write: (text: string) => void) => () => void

/** Opens streams: with a key the events of that sandbox, without one all of them. */
export function createEventStreams(control: Control): (sandbox: string | undefined) => EventStream {
  const streams = new Set<(event: MockEvent, text: string) => void>()
  let unsubscribe: (() => void) | undefined

  function tell(event: MockEvent): void {
    const text = toText(event)
    for (const stream of streams) stream(event, text)
  }

  return (sandbox) => {
    if (streams.size >= MAX_EVENT_STREAMS) throw new ApiError(503, `There are ${MAX_EVENT_STREAMS} event streams already: close one first`)
    return (write) => {
      const stream = (event: MockEvent, text: string) => {
        if (sandbox === undefined || event.sandbox === sandbox) write(text)
      }
      streams.add(stream)
      unsubscribe ??= control.subscribe(tell)
      // A first line lets the client know that it misses nothing from here on.
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
