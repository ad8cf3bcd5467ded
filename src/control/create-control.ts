// Builds the control over the worlds of a mock, and reports what happens in them to its listeners.
import { describeValue } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { check } from '../contract/schema.ts'
import { scenarioList } from '../generated/scenario-list.ts'
import { apiKeySchema } from '../scenario/document.ts'
import type { Exchange } from '../world/journal-entry.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Control, MockEvent } from './control.ts'
import type { Events } from './events.ts'
import { createStateControl, stringSchema } from './state-control.ts'

type Listener = (exchange: Exchange, key: string | undefined) => void

const UNANSWERED = { status: 0, responseHeaders: {}, responseBody: '' }

/** The control, and the callbacks with which the service reports requests. */
export function createControl(
  worlds: Worlds,
  events: Events<MockEvent>,
  coverage: Control['coverage'],
  countSandboxes = () => worlds.keys().length,
): {
  control: Control
  onExchange: Listener
  onBegin: Listener
} {
  /** Requests whose responses are delayed. Their events are built on demand, which is rare. */
  const held = new Map<number, () => MockEvent>()
  worlds.watch((key) => events.publish({ type: 'change', sandbox: key, what: 'sandboxes' }))
  const control: Control = {
    ...createStateControl(worlds, undefined, events, countSandboxes),
    sandbox(key) {
      if (!worlds.hasSandboxes) throw new UsageError('sandboxes are off; start the mock with --sandbox, or sandbox: true')
      check(apiKeySchema, key, 'sandbox')
      return createStateControl(worlds, key, events, countSandboxes)
    },
    sandboxes: () => worlds.keys(),
    scenarios: () => structuredClone(scenarioList),
    removeSandbox: (key) => worlds.remove(check(stringSchema, key, 'sandbox')),
    coverage,
    subscribe(listener) {
      if (typeof listener !== 'function') throw new UsageError(`subscribe: expected a function, got ${describeValue(listener)}`)
      // For this listener, delayed requests begin now.
      for (const toEvent of held.values()) events.tell(listener, toEvent())
      return events.subscribe(listener)
    },
  }
  /** What an event says about an exchange. */
  const toFacts = (exchange: Exchange, key: string | undefined) => {
    const entry = worlds.peek(key).journal.toEventEntry(exchange)
    return { sandbox: entry.sandbox, entry }
  }
  return {
    control,
    onExchange(exchange, key) {
      held.delete(exchange.id)
      if (events.hasListeners) events.publish({ type: 'request', ...toFacts(exchange, key) })
    },
    onBegin(exchange, key) {
      const waiting = () => ({ ...exchange, outcome: 'waiting', error: undefined, ...UNANSWERED }) as const
      const toEvent = (): MockEvent => ({ type: 'begin', ...toFacts(waiting(), key) })
      held.set(exchange.id, toEvent)
      if (events.hasListeners) events.publish(toEvent())
    },
  }
}
