// The worlds of a mock, as its options say, and what the service needs of them.
import { createSteadyTime } from '../world/clock.ts'
import { createMemory, type Memory } from '../world/memory.ts'
import type { Timelines } from '../world/timeline.ts'
import type { World } from '../world/world.ts'
import { createWorlds } from '../world/worlds.ts'
import type { MockSettings } from './mock-options.ts'

export function openWorlds(
  options: MockSettings,
  createTimelines: (memory: Memory) => Timelines,
  memory = createMemory(),
) {
  const worlds = createWorlds(options.origin, options.sandbox ?? false, {
    // Looked up at each call, so that a test that replaces the system time moves the mock's clock.
    times: { real: () => Date.now(), steady: createSteadyTime() },
    timelines: createTimelines(memory),
    memory,
  })
  function findSandbox(name: string): World | undefined {
    return worlds.has(name) ? worlds.peek(name) : undefined
  }

  const settings = {
    stateOf: (sandbox?: string) => worlds.peek(sandbox).state,
    findSandbox: worlds.hasSandboxes ? findSandbox : undefined,
    corsOrigins: [...(options.corsOrigins ?? [])],
    times: worlds.times,
  }
  return { worlds, settings }
}
