// What answers requests, and nothing else: the states of a mock and its service, without the code of a control. A page
// that cannot reach the mock of its handlers loads only this.
import { createService, type ServiceSettings } from '../service/answer.ts'
import { createSteadyTime } from '../world/clock.ts'
import { createMemory, createRequestLogs } from '../world/request-log.ts'
import { createWorlds, type Worlds } from '../world/worlds.ts'
import type { Answering } from './fetch.ts'
import { keepInStorage } from './keep-state.ts'
import { type MockOptions, type MockSettings, openOptions } from './mock-options.ts'

export function createAnswering(given: MockOptions): Answering {
  const options = openOptions('createHandlers', given)
  const worlds = createStates(options)
  const save = options.storage ? keepInStorage(options.storage, worlds) : () => {}
  return createServiceOf(worlds, options, { worldOf: worlds.of, onBegin: save, onEnd: save })
}

export function createStates(options: MockSettings, memory = createMemory()): Worlds {
  return createWorlds(options.origin, options.sandbox === true, {
    // Looked up at each call, so that a test that replaces the system time moves the mock's clock.
    times: { real: () => Date.now(), steady: createSteadyTime() },
    requestLogs: createRequestLogs(memory, options.requestLog),
    memory,
  })
}

export function createServiceOf(worlds: Worlds, options: MockSettings, own: Pick<ServiceSettings, 'worldOf' | 'onBegin' | 'onEnd'>) {
  return createService({
    ...own,
    stateOf: (key) => worlds.peek(key).state,
    corsOrigins: [...(options.corsOrigins ?? [])],
    elapsed: () => performance.now(),
    times: worlds.times,
    onBug: (error) => console.error(error),
  })
}
