// Builds the control over the worlds of a mock, and tells its listeners of what happens in them.
import { check } from '../contract/check.ts'
import { describeValue } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { apiKeySchema } from '../scenario/document.ts'
import type { Exchange } from '../world/journal-entry.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Control, MockEvent } from './control.ts'
import type { Events } from './events.ts'
import { createWorldControl, parseFilter, stringSchema } from './world-control.ts'

type Listener = (exchange: Exchange, key: string | undefined) => void

const UNANSWERED = { status: 0, responseHeaders: {}, responseBody: '' }

/** The control, and the ways for the service to tell it of an exchange. */
export function createControl(
  worlds: Worlds,
  events: Events<MockEvent>,
  coverage: Control['coverage'],
): {
  control: Control
  onExchange: Listener
  onBegin: Listener
} {
  /** The requests whose responses are held back, as events: made when they are asked for, since that is rare. */
  const held = new Map<number, () => MockEvent>()
  worlds.watch((key) => events.publish({ type: 'change', sandbox: key, what: 'sandboxes' }))
  const control: Control = {
    ...createWorldControl(worlds, undefined, events),
    sandbox(key) {
      if (!worlds.hasSandboxes) throw new UsageError('sandboxes are off; start the mock with --sandbox, or sandbox: true')
      check(apiKeySchema, key, 'sandbox')
      return createWorldControl(worlds, key, events)
    },
    hasSandboxes: worlds.hasSandboxes,
    sandboxes: () => worlds.keys(),
    traffic(filter) {
      const parsed = parseFilter(filter)
      const entries = worlds.all().flatMap(([, { journal }]) => journal.entries(parsed))
      entries.sort((left, right) => left.id - right.id)
      return parsed.limit === undefined ? entries : entries.slice(Math.max(0, entries.length - parsed.limit))
    },
    clearTraffic() {
      for (const [key] of worlds.all()) createWorldControl(worlds, key, events).clearRequests()
    },
    removeSandbox: (key) => worlds.remove(check(stringSchema, key, 'sandbox')),
    coverage,
    subscribe(listener) {
      if (typeof listener !== 'function') throw new UsageError(`subscribe: expected a function, got ${describeValue(listener)}`)
      // For this listener, what is held back begins now.
      for (const toEvent of held.values()) events.tell(listener, toEvent())
      return events.subscribe(listener)
    },
  }
  const sandboxOf = (key: string | undefined) => (worlds.hasSandboxes ? (key ?? null) : null)
  return {
    control,
    onExchange(exchange, key) {
      held.delete(exchange.id)
      if (!events.hasListeners) return
      events.publish({ type: 'exchange', sandbox: sandboxOf(key), entry: worlds.peek(key).journal.toEventEntry(exchange) })
    },
    onBegin(exchange, key) {
      const toEvent = (): MockEvent => {
        const waiting = { ...exchange, outcome: 'waiting', error: undefined, ...UNANSWERED } as const
        return { type: 'begin', sandbox: sandboxOf(key), entry: worlds.peek(key).journal.toEventEntry(waiting) }
      }
      held.set(exchange.id, toEvent)
      if (events.hasListeners) events.publish(toEvent())
    },
  }
}
