// The composition root: builds a world from the options and wires the service and the control around it.
import type { Control, MockEvent } from '../control/control.ts'
import { type ControlHost, createControl } from '../control/create.ts'
import { createEvents, type Events } from '../control/events.ts'
import { readStart } from '../control/state.ts'
import { createTally } from '../coverage/tally.ts'
import { createService, type OverridableService, type Service, type ServiceSettings } from '../service/answer.ts'
import { entryFormat } from '../service/entry-format.ts'
import type { Memory } from '../world/catalogue.ts'
import { createSteadyTime } from '../world/clock.ts'
import { createRequestLogs } from '../world/request-log.ts'
import type { Scenario } from '../world/start.ts'
import { createWorlds, type Worlds } from '../world/worlds.ts'
import { type Answering, createFetch } from './fetch.ts'
import { keepInStorage } from './keep-state.ts'
import { type MockOptions, readMockOptions, toStart } from './mock-options.ts'

export type { MockOptions } from './mock-options.ts'

/** A running mock: a stateful Animal Store, and the tester's control of it. */
export interface Mock extends Service {
  /** For hosts: keeps a secret of theirs out of the request log, events and logs, wherever a client sends it. */
  hide(secret: string): void
  /**
   * Answers as the platform's `fetch`, whatever the origin of the address: a string, URL or Request, with init. Rejects with a TypeError
   * where the connection drops, and with the signal's reason when aborted.
   *
   * @example
   * const response = await mock.fetch('http://localhost/v1/pets', { headers: { authorization: 'Bearer any-key' } })
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
 * const response = await mock.fetch('http://localhost/v1/pets', { headers: { authorization: 'Bearer test-key' } })
 */
export function createMock(options: MockOptions = {}): Mock {
  return createEngine(options).mock
}

/** A mock and its parts, for the Workers host, the test kits and the command line. */
export interface Engine extends Pick<OverridableService, 'override'> {
  readonly mock: Mock
  readonly worlds: Worlds
  /** Loads a scenario for a test kit: without a row in the timeline, and without keeping what was there. */
  restart(scenario: Scenario, key?: string): void
  readonly events: Events<MockEvent>
}

/** `memory` is for the animals; by default there is as much as `MAX_ANIMALS_BYTES`. */
export function createEngine(given: MockOptions, host?: ControlHost, memory?: Memory): Engine {
  const options = readMockOptions(given)
  const { worlds, hide } = createStates(options, memory)
  const events = createEvents<MockEvent>()
  const tally = createTally()
  const home = () => (worlds.has(host?.home) ? host?.home : undefined)
  const { control, onBegin, onEnd } = createControl(worlds, events, tally.coverage, host)
  const { override, ...service } = createServiceOf(worlds, options, {
    worldOf: (key = home()) => worlds.of(key),
    onBegin,
    onEnd(row, recorder) {
      tally.count(row, recorder)
      onEnd(row, recorder)
      host?.onRow?.(row.id)
    },
  })
  if (options.storage) control.subscribe(keepInStorage(options.storage, worlds))
  function restart(scenario: Scenario, key?: string): void {
    worlds.load(readStart(worlds, scenario, key), key)
    events.publish({ type: 'sandbox', sandbox: key ?? null })
  }
  return { mock: { ...service, hide, fetch: createFetch(service), control }, worlds, events, override, restart }
}

/** What answers requests, and nothing else: a page that cannot reach the mock of its handlers does not load the code of a control. */
export function createAnswering(given: MockOptions): Answering {
  const options = readMockOptions(given)
  const { worlds } = createStates(options)
  const save = options.storage ? keepInStorage(options.storage, worlds) : () => {}
  return createServiceOf(worlds, options, { worldOf: worlds.of, onBegin: save, onEnd: save })
}

function createStates(options: MockOptions, memory?: Memory) {
  const requestLogs = createRequestLogs(entryFormat, options.requestLog)
  const surroundings = {
    // Looked up at each call, so that a test that replaces the system time moves the mock's clock, also after the mock was made.
    realTime: () => Date.now(),
    steadyTime: createSteadyTime(),
    requestLogs,
    memory,
  }
  return { worlds: createWorlds(toStart(options), options.sandbox === true, surroundings), hide: requestLogs.hide }
}

function createServiceOf(worlds: Worlds, options: MockOptions, own: Pick<ServiceSettings, 'worldOf' | 'onBegin' | 'onEnd'>) {
  return createService({
    ...own,
    keysOf: worlds.peek,
    corsOrigins: [...(options.corsOrigins ?? [])],
    elapsed: () => performance.now(),
    realTime: worlds.realTime,
    onBug: (error) => console.error(error),
  })
}
