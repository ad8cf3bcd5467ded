// The events of a mock, for listeners in this process.
import { deepFreeze } from '../contract/values.ts'
import type { ChangeRow, RequestRow } from '../world/row.ts'
import type { MockEvent } from './control.ts'

export type Events = ReturnType<typeof createEvents>

/**
 * Each listener gets an event in its own microtask, once the change is complete. A listener that
 * throws does not stop the others.
 */
export function createEvents() {
  // One function may be subscribed twice, so it is not its own key.
  const subscriptions = new Set<{ readonly listener: (event: MockEvent) => void }>()
  return {
    listeners: subscriptions as ReadonlySet<unknown>,
    publish(event: MockEvent): void {
      deepFreeze(event)
      for (const subscription of subscriptions) {
        queueMicrotask(() => {
          if (subscriptions.has(subscription)) subscription.listener(event)
        })
      }
    },
    subscribe(listener: (event: MockEvent) => void): () => void {
      const subscription = { listener }
      subscriptions.add(subscription)
      return () => {
        subscriptions.delete(subscription)
      }
    },
  }
}

/** What an event adds to a log: a request that has ended, or a change. */
export function rowOf(event: MockEvent): RequestRow | ChangeRow | undefined {
  return event.type === 'request' || event.type === 'change' ? event.row : undefined
}

export function surprisesOf(event: MockEvent): readonly string[] {
  return event.type === 'request' ? event.row.surprises : []
}
