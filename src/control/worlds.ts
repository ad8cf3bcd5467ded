// The worlds of one mock: the shared one, and with sandboxes one for each API key, forked on first use.
import { MAX_SANDBOXES } from '../limits.ts'
import type { Situation } from '../world/situation.ts'
import { createWorld, type World, type WorldSettings } from '../world/world.ts'

export interface Worlds {
  readonly hasSandboxes: boolean
  /** The world of a key; without sandboxes, or without a key, the shared one. */
  of(key?: string): World
  /** The same for reading: forks nothing and counts as no use; a sandbox that does not exist yet is shown as it would start. */
  peek(key?: string): World
  /** The situation that a reset of that world brings back. */
  situation(key?: string): Situation
  /** Changes the world of a key; a sandbox that does not exist yet is created only if the change succeeds. */
  change<T>(key: string | undefined, run: (world: World) => T): T
  /** Starts a world from a situation; without a key, the shared one, and sandboxes that exist already keep theirs. */
  load(situation: Situation, key?: string): void
  /** Starts a world again from the situation that it was loaded with. */
  reset(key?: string): void
  /** The keys that have a sandbox, the one idle longest first. */
  keys(): string[]
  /** Removes a sandbox; returns false if the key has none. */
  remove(key: string): boolean
  /** Calls `listener` with the key of every sandbox that is created or removed. */
  watch(listener: (key: string) => void): void
}

/** A world beside the situation that a reset brings back. */
interface Place {
  readonly situation: Situation
  readonly world: World
}

export function createWorlds(situation: Situation, hasSandboxes: boolean, settings: WorldSettings): Worlds {
  const start = (from: Situation): Place => ({ situation: from, world: createWorld(from, settings) })
  let shared = start(situation)
  /** In the order of their last use: a Map keeps the order of insertion. */
  const sandboxes = new Map<string, Place>()
  const watchers: ((key: string) => void)[] = []
  const tell = (key: string) => {
    for (const watcher of watchers) watcher(key)
  }

  function put(key: string, place: Place): Place {
    const before = sandboxes.get(key)
    const isNew = !sandboxes.delete(key)
    sandboxes.set(key, place)
    if (before && before !== place) before.world.journal.close()
    if (isNew) {
      if (sandboxes.size > MAX_SANDBOXES) remove(sandboxes.keys().next().value as string)
      tell(key)
    }
    return place
  }

  function remove(key: string): boolean {
    sandboxes.get(key)?.world.journal.close()
    const removed = sandboxes.delete(key)
    if (removed) tell(key)
    return removed
  }

  function find(key: string | undefined): Place | undefined {
    return key === undefined || !hasSandboxes ? shared : sandboxes.get(key)
  }

  function place(key: string | undefined): Place {
    if (key === undefined || !hasSandboxes) return shared
    return put(key, sandboxes.get(key) ?? start(shared.situation))
  }

  function replace(key: string | undefined, next: Place): void {
    if (key !== undefined && hasSandboxes) put(key, next)
    else {
      // A change puts the same world back.
      if (next !== shared) shared.world.journal.close()
      shared = next
    }
  }

  return {
    hasSandboxes,
    of: (key) => place(key).world,
    peek: (key) => (find(key) ?? start(shared.situation)).world,
    situation: (key) => (find(key) ?? shared).situation,
    change(key, run) {
      const here = find(key) ?? start(shared.situation)
      const result = run(here.world)
      replace(key, here)
      return result
    },
    load: (next, key) => replace(key, start(next)),
    reset: (key) => replace(key, start((find(key) ?? shared).situation)),
    keys: () => [...sandboxes.keys()],
    remove,
    watch: (listener) => void watchers.push(listener),
  }
}
