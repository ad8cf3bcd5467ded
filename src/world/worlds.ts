// The worlds of one mock: the shared one, and with sandboxes one for each API key.
import { MAX_SANDBOXES } from '../contract/limits.ts'
import { beginState, type Origin, type State } from './state.ts'
import { createWorld, type Surroundings, type World } from './world.ts'

/** The recording that a mock shows, the version that made it, and when. */
export type RecordingSource = {
  readonly file: string
  readonly version: string
  readonly madeAt: string
}

export type Worlds = ReturnType<typeof createWorlds>

export function createWorlds(first: Origin, hasSandboxes: boolean, surroundings: Surroundings) {
  const { times } = surroundings
  const shared = createWorld(beginState(first, times), surroundings)
  shared.enter()
  /** In the order of their last use: a Map keeps the order of insertion. */
  const sandboxes = new Map<string, World>()
  let lastNumber = 0
  let onSandbox = (_key: string) => {}

  function find(key: string | undefined): World | undefined {
    return hasSandboxes && key !== undefined ? sandboxes.get(key) : shared
  }

  function peek(key?: string): World {
    const known = find(key)
    if (known) return known
    return createWorld(beginState(shared.state.origin, times), surroundings, key)
  }

  function keep(world: World, number = lastNumber + 1): World {
    const { sandbox: key } = world
    if (key === null) return world
    const isNew = !sandboxes.has(key)
    // Deleted first, so that it becomes the last one.
    sandboxes.delete(key)
    sandboxes.set(key, world)
    if (!isNew) return world
    world.enter()
    world.number = number
    lastNumber = Math.max(lastNumber, number)
    if (sandboxes.size > MAX_SANDBOXES) removeOldest()
    onSandbox(key)
    return world
  }

  function removeOldest(): void {
    const [oldest] = sandboxes.keys()
    if (oldest !== undefined) remove(oldest)
  }

  function remove(key: string): boolean {
    const world = sandboxes.get(key)
    if (!world) return false
    world.leave()
    sandboxes.delete(key)
    onSandbox(key)
    return true
  }

  return {
    recording: undefined as RecordingSource | undefined,
    isSaved: false,
    hasSandboxes,
    times,
    has: (key?: string): boolean => find(key) !== undefined,
    /** The world of a key; without sandboxes, or without a key, the shared one. */
    of: (key?: string): World => keep(peek(key)),
    /** The same for reading: a sandbox that does not exist yet is shown as it would start. */
    peek,
    /** Keeps a world that `peek` has shown, once something has happened in it. */
    keep,
    resume(state: State, key?: string, number?: number): World {
      const world = keep(peek(key), number)
      world.resume(state)
      return world
    },
    all: (): World[] => [shared, ...sandboxes.values()],
    keys: () => [...sandboxes.keys()],
    remove,
    watch(listener: (key: string) => void): void {
      onSandbox = listener
    },
  }
}
