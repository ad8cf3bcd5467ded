// The worlds of one mock: the shared one, and with sandboxes one for each API key, which begins with its first use.
import { MAX_SANDBOXES } from '../limits.ts'
import type { Origin } from './origin.ts'
import { begin, type State } from './state.ts'
import { createWorld, type Surroundings, type World } from './world.ts'

export type Worlds = ReturnType<typeof createWorlds>

export function createWorlds(first: Origin, hasSandboxes: boolean, surroundings: Surroundings) {
  const { times } = surroundings
  const shared = createWorld(begin(first, times), surroundings)
  shared.enter()
  /** In the order of their last use: a Map keeps the order of insertion. */
  const sandboxes = new Map<string, World>()
  let onSandbox = (_key: string) => {}

  const find = (key: string | undefined) => (hasSandboxes && key !== undefined ? sandboxes.get(key) : shared)
  /** The world of a key, or one that begins now and is not kept yet. */
  const look = (key: string | undefined) => find(key) ?? createWorld(begin(shared.state.origin, times), surroundings, key)

  /** Keeps a world, as the one that was used last. */
  function keep(key: string | undefined, world: World): World {
    if (!hasSandboxes || key === undefined) return world
    const isNew = !sandboxes.delete(key)
    sandboxes.set(key, world)
    if (!isNew) return world
    world.enter()
    if (sandboxes.size > MAX_SANDBOXES) remove(sandboxes.keys().next().value as string)
    onSandbox(key)
    return world
  }

  function remove(key: string): boolean {
    const world = sandboxes.get(key)
    if (!world) return false
    sandboxes.delete(key)
    world.leave()
    onSandbox(key)
    return true
  }

  return {
    hasSandboxes,
    times,
    has: (key?: string): boolean => find(key) !== undefined,
    /** The world of a key; without sandboxes, or without a key, the shared one. */
    of: (key?: string): World => keep(key, look(key)),
    /** The same for reading: a sandbox that does not exist yet is shown as it would start. */
    peek: look,
    /** Keeps a world that `peek` has shown, once something has happened in it. */
    keep,
    /** The world of a key goes on from a state, without rows. */
    resume(state: State, key?: string): World {
      const world = keep(key, look(key))
      world.restart(state)
      return world
    },
    /** The shared world, without a key, and that of every sandbox. */
    all: (): (readonly [key: string | undefined, world: World])[] => [[undefined, shared], ...sandboxes],
    /** The keys that have a sandbox, the one idle longest first. */
    keys: () => [...sandboxes.keys()],
    /** Returns false if the key has no sandbox. */
    remove,
    /** Calls `listener` with the key of every sandbox that is created or removed. */
    watch(listener: (key: string) => void): void {
      onSandbox = listener
    },
  }
}
