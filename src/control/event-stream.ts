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
  /** Requests whose response is delayed, for streams that open meanwhile. */
  const held = new Map<string, { readonly event: MockEvent; readonly text: string }>()
  let unsubscribe: (() => void) | undefined

  function tell(event: MockEvent): void {
    const text = toText(event)
    if (event.type === 'begin') held.set(toName(event), { event, text })
    else if (event.type === 'request') held.delete(toName(event))
    for (const stream of streams) stream(event, text)
  }

  return (sandbox) => {
    if (streams.size >= MAX_EVENT_STREAMS) throw new ApiError(503, `Too many event streams; the limit is ${MAX_EVENT_STREAMS}`)
    return (write) => {
      const stream = (event: MockEvent, text: string) => {
        if (sandbox === undefined || event.sandbox === sandbox) write(text)
      }
      // The first line tells the client that it misses nothing from here on.
      write(': listening\n\n')
      for (const { event, text } of held.values()) stream(event, text)
      streams.add(stream)
      unsubscribe ??= control.subscribe(tell)
      return () => {
        streams.delete(stream)
        if (streams.size > 0) return
        unsubscribe?.()
        unsubscribe = undefined
        held.clear()
      }
    }
  }
}

/** Worlds of a host may count their requests by themselves. */
function toName({ sandbox, entry }: Extract<MockEvent, { readonly entry: unknown }>): string {
  return `${entry.id} ${sandbox}`
}

/** JSON has no line breaks of its own, so the data is one line. */
function toText(event: MockEvent): string {
  return `event: ${event.type}\ndata: ${toJson(event)}\n\n`
}
