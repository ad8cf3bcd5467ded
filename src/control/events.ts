// Who is told of what happens in a mock. An event is delivered when the change that it tells of is whole and everybody has been told of
// the ones before it, so a listener may reset, load or answer without harm.
import { deepFreeze } from '../contract/deep-freeze.ts'
import { MAX_NESTED_EVENTS } from '../limits.ts'

export interface Events<Event> {
  readonly hasListeners: boolean
  /** Delivers the event, once no change and no other delivery is under way. */
  publish(event: Event): void
  /** Delivers an event to one listener alone, at once. */
  tell(listener: (event: Event) => void, event: Event): void
  /** Calls `listener` on every event; returns unsubscribe. */
  subscribe(listener: (event: Event) => void): () => void
  /** Marks a change of several steps; what is published meanwhile is delivered by `end`. */
  begin(): void
  end(): void
}

/** `own` is told first, of every event that is published; it does not count as a listener. */
export function createEvents<Event extends object>(own?: (event: Event) => void): Events<Event> {
  // One function may be subscribed twice, so it is not its own key.
  const subscriptions = new Set<{ readonly listener: (event: Event) => void }>()
  let queue: Event[] = []
  let changes = 0
  let isDelivering = false

  function deliver(event: Event): void {
    own?.(event)
    for (const subscription of [...subscriptions]) {
      // An earlier listener may have ended it.
      if (subscriptions.has(subscription)) tell(subscription.listener, event)
    }
  }

  function tell(listener: (event: Event) => void, event: Event): void {
    try {
      listener(event)
    } catch (error) {
      throwLater(error)
    }
  }

  function deliverAll(): void {
    if (changes > 0 || isDelivering) return
    isDelivering = true
    let left = queue.length + MAX_NESTED_EVENTS
    for (let event = queue.shift(); event; event = left > 0 ? queue.shift() : undefined) {
      deliver(event)
      left--
    }
    if (queue.length > 0) throwLater(new Error(`A listener causes further events without end; stopped after ${MAX_NESTED_EVENTS} of them`))
    queue = []
    isDelivering = false
  }

  return {
    get hasListeners() {
      return subscriptions.size > 0
    },
    publish(event) {
      if (!own && subscriptions.size === 0) return
      queue.push(deepFreeze(event))
      deliverAll()
    },
    tell: (listener, event) => tell(listener, deepFreeze(event)),
    subscribe(listener) {
      const subscription = { listener }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    begin: () => void changes++,
    end() {
      changes--
      if (queue.length > 0) deliverAll()
    },
  }
}

/** A request must not fail for a listener that does; as with the platform's own events, that is an uncaught error. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
