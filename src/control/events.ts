// Delivers the events of a mock to its listeners, in a microtask after the change. By then the change is whole, so a listener may call
// back into the mock. And the same as server-sent events (HTML standard, 9.2); keeping a connection alive and its backlog short is up to the
// host.
import { deepFreeze } from '../contract/describe-value.ts'
import { ApiError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import { MAX_CAUSED_EVENTS, MAX_EVENT_STREAMS } from '../limits.ts'
import type { Control, MockEvent } from './control.ts'

export interface Events<Event> {
  readonly hasListeners: boolean
  /** Delivers the event soon, to the present listeners. */
  publish(event: Event): void
  /** Delivers an event to one listener alone, at once. */
  tell(listener: (event: Event) => void, event: Event): void
  /** Calls `listener` on every event; returns unsubscribe. */
  subscribe(listener: (event: Event) => void): () => void
}

export function createEvents<Event extends object>(): Events<Event> {
  // One function may be subscribed twice, so it is not its own key.
  const subscriptions = new Set<{ readonly listener: (event: Event) => void }>()
  let queue: { readonly event: Event; readonly to: typeof subscriptions }[] = []

  function tell(listener: (event: Event) => void, event: Event): void {
    try {
      listener(event)
    } catch (error) {
      // The other listeners go on; as with the platform's own events, this is an uncaught error.
      queueMicrotask(() => {
        throw error
      })
    }
  }

  /** Includes the events that listeners cause meanwhile, but not without end. */
  function deliver(): void {
    const last = queue.length + MAX_CAUSED_EVENTS
    for (let index = 0; index < Math.min(queue.length, last); index++) {
      const { event, to } = queue[index] as (typeof queue)[number]
      // A listener may have left since.
      for (const subscription of to) if (subscriptions.has(subscription)) tell(subscription.listener, event)
    }
    const isEndless = queue.length > last
    queue = []
    if (isEndless) throw new Error(`A listener causes further events without end; stopped after ${MAX_CAUSED_EVENTS} of them`)
  }

  return {
    get hasListeners() {
      return subscriptions.size > 0
    },
    publish(event) {
      if (subscriptions.size === 0) return
      if (queue.length === 0) queueMicrotask(deliver)
      queue.push({ event: deepFreeze(event), to: new Set(subscriptions) })
    },
    tell: (listener, event) => tell(listener, deepFreeze(event)),
    subscribe(listener) {
      const subscription = { listener }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
  }
}

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
