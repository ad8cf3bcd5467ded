// The composition root: builds the worlds from the options, and wires the service and the control
// to them.
import type { Control } from '../control/control.ts'
import { type ControlHost, createControl } from '../control/create.ts'
import { createEvents } from '../control/events.ts'
import { createService, type Service } from '../service/answer.ts'
import { createTally } from '../service/coverage.ts'
import type { KeptRequest } from '../world/kept-row.ts'
import type { Memory } from '../world/memory.ts'
import { showRow } from '../world/show-row.ts'
import { beginState, type Origin } from '../world/state.ts'
import { createTimelines } from '../world/timeline.ts'
import type { World } from '../world/world.ts'
import { createFetch } from './fetch.ts'
import { keepInStorage } from './keep-state.ts'
import { type MockOptions, type MockSettings, openOptions } from './mock-options.ts'
import { openWorlds } from './open-worlds.ts'

export type { MockOptions } from './mock-options.ts'

/** A running mock: a stateful Animal Store, and the tester's control of it. */
export interface Mock extends Service {
  /**
   * Answers as the platform's `fetch`, whatever the origin:
   * `mock.fetch('http://localhost/v1/pets', { headers })`.
   * Rejects with a TypeError where the connection drops, and with the signal's reason when aborted.
   */
  readonly fetch: typeof globalThis.fetch
  /** Everything a tester can do: reset, load, faults, clock, request log, sandboxes, events. */
  readonly control: Control
}

/**
 * Creates a mock that shares nothing with any other.
 *
 * @example
 * const mock = createMock({ apiKeys: ['test-key'] })
 * const headers = { authorization: 'Bearer test-key' }
 * const response = await mock.fetch('http://localhost/v1/pets', { headers })
 */
export function createMock(options: MockOptions = {}): Mock {
  return createEngine(openOptions('createMock', options)).mock
}

export type Engine = ReturnType<typeof createEngine>

/** A mock and its parts, for hosts, test kits and the command line. */
export function createEngine(options: MockSettings, host?: ControlHost, memory?: Memory) {
  const maxRows = options.requestLog?.rows
  const { worlds, settings } = openWorlds(options, (of) => createTimelines(of, maxRows), memory)
  const tally = createTally()
  const events = createEvents()

  /** Most mocks have no listeners, so that nothing needs to be described for them. */
  function report(
    type: 'begin' | 'request',
    row: Readonly<KeptRequest>,
    sandbox: string | null,
  ): void {
    if (events.listeners.size > 0) events.publish({ type, sandbox, row: showRow(row, sandbox) })
  }

  /** Without a key, the sandbox of the host, if it is still there. */
  function worldOf(key?: string): World {
    if (key !== undefined) return worlds.of(key)
    const home = worlds.has(host?.home) ? host?.home : undefined
    return worlds.of(home)
  }

  const { imagine, ...service } = createService({
    ...settings,
    worldOf,
    onBegin: (row, { world }) => report('begin', row, world.sandbox),
    onEnd(row, context) {
      tally.count(row, context)
      if (!context.world.hasRemoved(row)) report('request', row, context.world.sandbox)
      host?.onRow?.(row.id)
    },
  })
  const control = createControl(
    worlds,
    { coverage: tally.coverage, imagine, events, player: options.player },
    host,
  )
  if (options.storage) control.subscribe(keepInStorage(options.storage, worlds))

  /** Starts a state again for a test kit: the timeline is empty, and ids count on. */
  function restart(origin: Origin, key?: string): void {
    worlds.resume(beginState(origin, worlds.times), key)
    events.publish({ type: 'sandbox', sandbox: key ?? null })
  }

  const mock: Mock = { ...service, fetch: createFetch(service), control }
  return { mock, worlds, publish: events.publish, restart }
}
