// Builds the control over the worlds of a mock, and reports what happens in them to its listeners.
import { describeValue } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { check } from '../contract/schema.ts'
import { scenarioList } from '../generated/scenario-list.ts'
import { apiKeySchema } from '../scenario/document.ts'
import type { Progress } from '../service/progress.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Control, MockEvent } from './control.ts'
import type { Events } from './events.ts'
import { createStateControl, stringSchema } from './state-control.ts'

type Listener = (exchange: Progress) => void

const UNANSWERED = { outcome: 'waiting', error: undefined, status: 0, responseHeaders: {}, responseBody: '' } as const

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
  /** Requests whose responses are delayed, by their ids. Entries and events are built on demand, which is rare. */
  const delayed = new Map<number, Progress>()
  const waitingIn = (world: World) =>
    [...delayed.values()].filter((exchange) => exchange.world === world).map((exchange) => ({ ...exchange, ...UNANSWERED }))
  const createState = (key?: string) => createStateControl(worlds, key, events, { countSandboxes, waitingIn })
  worlds.watch((key) => events.publish({ type: 'change', sandbox: key, what: 'sandboxes' }))
  const control: Control = {
    ...createState(),
    sandbox(key) {
      if (!worlds.hasSandboxes) throw new UsageError('sandboxes are off; start the mock with --sandbox, or sandbox: true')
      check(apiKeySchema, key, 'sandbox')
      return createState(key)
    },
    sandboxes: () => worlds.keys(),
    scenarios: () => structuredClone(scenarioList),
    removeSandbox: (key) => worlds.remove(check(stringSchema, key, 'sandbox')),
    coverage,
    subscribe(listener) {
      if (typeof listener !== 'function') throw new UsageError(`subscribe: expected a function, got ${describeValue(listener)}`)
      // For this listener, delayed requests begin now.
      for (const exchange of delayed.values()) events.tell(listener, describeExchange('begin', { ...exchange, ...UNANSWERED }))
      return events.subscribe(listener)
    },
  }
  return {
    control,
    onExchange(exchange) {
      delayed.delete(exchange.id)
      if (events.hasListeners) events.publish(describeExchange('request', exchange))
    },
    onBegin(exchange) {
      delayed.set(exchange.id, exchange)
      if (events.hasListeners) events.publish(describeExchange('begin', { ...exchange, ...UNANSWERED }))
    },
  }
}

function describeExchange(type: 'begin' | 'request', exchange: Progress): MockEvent {
  const entry = exchange.world.requestLog.show(exchange)
  return { type, sandbox: entry.sandbox, entry }
}
