// Builds the control over the worlds of a mock, and tells its listeners of what happens in them.
import { check } from '../contract/check.ts'
import { describeValue } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { apiKeySchema } from '../scenario/document.ts'
import type { Exchange } from '../world/journal.ts'
import type { Control, MockEvent } from './control.ts'
import type { Events } from './events.ts'
import { createWorldControl, stringSchema } from './world-control.ts'
import type { Worlds } from './worlds.ts'

/** The control, and the way for the service to tell it of an exchange. */
export function createControl(
  worlds: Worlds,
  events: Events<MockEvent>,
  coverage: Control['coverage'],
): {
  control: Control
  onExchange(exchange: Exchange, id: number, key: string | undefined): void
} {
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
    removeSandbox: (key) => worlds.remove(check(stringSchema, key, 'sandbox')),
    coverage,
    subscribe(listener) {
      if (typeof listener !== 'function') throw new UsageError(`subscribe: expected a function, got ${describeValue(listener)}`)
      return events.subscribe(listener)
    },
  }
  return {
    control,
    onExchange(exchange, id, key) {
      if (!events.hasListeners) return
      const entry = worlds.peek(key).journal.toEntry(exchange, id)
      events.publish({ type: 'exchange', sandbox: worlds.hasSandboxes ? (key ?? null) : null, entry })
    },
  }
}
