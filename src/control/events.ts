// Delivers the events of a mock to its listeners, in a microtask after the change. By then the change is whole, so a listener may call
// back into the mock.
import { deepFreeze } from '../contract/describe-value.ts'
import { MAX_CAUSED_EVENTS } from '../limits.ts'

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
