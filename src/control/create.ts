// Builds the control over the worlds of a mock, and reports what happens in them to its listeners.
import { describeValue } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { checkValue } from '../contract/schema.ts'
import { scenarioList } from '../generated/scenario-list.ts'
import type { Recorder } from '../service/recorder.ts'
import { apiKeySchema } from '../settings/rows.ts'
import type { LogRow } from '../world/log-entry.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Control, MockEvent, StateControl } from './control.ts'
import type { Events } from './events.ts'
import { createStateControl, stringSchema } from './state.ts'
import { createTimeline } from './timeline.ts'

type Listener = (row: LogRow, recorder: Recorder) => void

/** What a host does that stores its states, whose mocks have one sandbox each or none. */
export interface ControlHost {
  /** A row of the timeline is complete. Cheaper than events: nothing is built for it. */
  onRow?(id: number): void
  /** The key of its only sandbox, which then also gets the requests whose key it refuses. */
  readonly home?: string | undefined
  /** The sandboxes of all its mocks, by default those of this one. */
  readonly sandboxes?: { keys(): string[]; remove(key: string): boolean }
}

/** The control, and the callbacks with which the service reports requests. */
export function createControl(
  worlds: Worlds,
  events: Events<MockEvent>,
  coverage: Control['coverage'],
  { onRow = () => {}, sandboxes = worlds }: ControlHost = {},
): {
  control: Control
  onBegin: Listener
  onEnd: Listener
} {
  const createRows = (key?: string) =>
    createTimeline(worlds, key, (row) => {
      events.publish({ type: 'change', sandbox: key ?? null, row })
      onRow(row.id)
    })
  function createState(key?: string, timeline = createRows(key)): StateControl {
    const state = timeline.withRows(createStateControl(worlds, key, timeline, () => sandboxes.keys().length))
    return {
      ...state,
      clearRequests(options = {}) {
        state.clearRequests(options)
        if (options.sandbox === undefined) return
        for (const [other] of worlds.all()) if (other !== key) createState(other).clearRequests()
      },
    }
  }
  worlds.watch((key) => events.publish({ type: 'sandbox', sandbox: key }))
  const timeline = createRows()
  const control: Control = {
    ...createState(undefined, timeline),
    sandbox(key) {
      if (!worlds.hasSandboxes) throw new UsageError('sandboxes are off; start the mock with --sandbox, or sandbox: true')
      checkValue(apiKeySchema, key, 'sandbox')
      return createState(key)
    },
    sandboxes: () => sandboxes.keys(),
    scenarios: () => structuredClone(scenarioList),
    ...timeline.withRows({ removeSandbox: (key: string) => sandboxes.remove(checkValue(stringSchema, key, 'sandbox')) }),
    coverage,
    subscribe(listener) {
      if (typeof listener !== 'function') throw new UsageError(`subscribe: expected a function, got ${describeValue(listener)}`)
      // For this listener, delayed requests begin now.
      for (const [key, { requestLog }] of worlds.all()) {
        const waiting = requestLog.requests({ waiting: true }).filter(({ outcome }) => outcome === 'waiting')
        for (const row of waiting) events.tell(listener, { type: 'begin', sandbox: key ?? null, entry: requestLog.show(row) })
      }
      return events.subscribe(listener)
    },
  }
  const report =
    (type: 'begin' | 'request') =>
    (row: LogRow, { world }: Recorder) => {
      if (!events.hasListeners) return
      const entry = world.requestLog.show(row)
      events.publish({ type, sandbox: entry.sandbox, entry })
    }
  return { control, onBegin: report('begin'), onEnd: report('request') }
}
