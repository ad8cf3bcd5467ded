// The worlds of one mock: the shared one, and with sandboxes one for each API key, forked on first use.
import { UsageError } from '../contract/errors.ts'
import { MAX_SANDBOXES } from '../limits.ts'
import { createMemory } from './catalogue.ts'
import type { Situation } from './situation.ts'
import { createWorld, type Left, type World, type WorldSettings } from './world.ts'

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
  /**
   * Starts a world from a situation; without a key, the shared one, and sandboxes that exist already keep theirs. A UsageError, and no
   * change, if it does not fit.
   */
  load(situation: Situation, key?: string): void
  /** A world goes on as it was left, or starts, whether it fits or not; a reset brings the situation back. */
  resume(situation: Situation, left: Left | undefined, key?: string): void
  /** Starts a world again from the situation that it was loaded with. */
  reset(key?: string): void
  /** The shared world, without a key, and that of every sandbox. */
  all(): (readonly [key: string | undefined, world: World])[]
  /** The keys that have a sandbox, the one idle longest first. */
  keys(): string[]
  /** Removes a sandbox; returns false if the key has none. */
  remove(key: string): boolean
  /** Calls `listener` with the key of every sandbox that is created or removed. */
  watch(listener: (key: string) => void): void
}

/** A world with the situation that a reset brings back. */
interface Place {
  readonly situation: Situation
  readonly world: World
}

export function createWorlds(situation: Situation, hasSandboxes: boolean, given: WorldSettings): Worlds {
  const memory = given.memory ?? createMemory()
  const settings = { ...given, memory }
  const start = (from: Situation, key?: string, left?: Left): Place => ({ situation: from, world: createWorld(from, settings, left, key) })
  let shared = start(situation)
  /** In the order of their last use: a Map keeps the order of insertion. */
  const sandboxes = new Map<string, Place>()
  const watchers: ((key: string) => void)[] = []
  const tell = (key: string) => {
    for (const watcher of watchers) watcher(key)
  }
  memory.bytes = measure([shared])

  const sandboxKey = (key: string | undefined) => (hasSandboxes ? key : undefined)
  const find = (key: string | undefined) => (sandboxKey(key) === undefined ? shared : sandboxes.get(key as string))
  /** The place of a key, or what it would be. */
  const look = (key: string | undefined) => find(key) ?? start(shared.situation, key)
  const others = (key: string | undefined) => [shared, ...sandboxes.values()].filter((place) => place !== find(key))

  /** Puts a world in the place of a key, as the one that was used last. */
  function put(key: string | undefined, next: Place): World {
    const name = sandboxKey(key)
    const before = find(key)
    if (name === undefined) shared = next
    else {
      sandboxes.delete(name)
      sandboxes.set(name, next)
    }
    if (before === next) return next.world
    before?.world.journal.close()
    if (sandboxes.size > MAX_SANDBOXES) remove(sandboxes.keys().next().value as string)
    memory.bytes = measure([shared, ...sandboxes.values()])
    if (!before && name !== undefined) tell(name)
    return next.world
  }

  function remove(key: string): boolean {
    const place = sandboxes.get(key)
    if (!place) return false
    sandboxes.delete(key)
    place.world.journal.close()
    memory.bytes = measure([shared, ...sandboxes.values()])
    tell(key)
    return true
  }

  return {
    hasSandboxes,
    of: (key) => (sandboxKey(key) === undefined ? shared.world : put(key, look(key))),
    peek: (key) => look(key).world,
    situation: (key) => (find(key) ?? shared).situation,
    change(key, run) {
      const here = look(key)
      const result = run(here.world)
      put(key, here)
      return result
    },
    load(next, key) {
      const free = memory.maxBytes - measure(others(key), next)
      if (free < 0) {
        throw new UsageError(
          `scenario: too large: ${-free} bytes more than the ${memory.maxBytes} that all animals of a mock may take`,
          507,
        )
      }
      put(key, start(next, sandboxKey(key)))
    },
    resume: (from, left, key) => void put(key, start(from, sandboxKey(key), left)),
    reset: (key) => void put(key, start((find(key) ?? shared).situation, sandboxKey(key))),
    all: () => [[undefined, shared.world], ...[...sandboxes].map(([key, { world }]) => [key, world] as const)],
    keys: () => [...sandboxes.keys()],
    remove,
    watch: (listener) => void watchers.push(listener),
  }
}

/** Roughly the memory that worlds take: a situation counts once, however many worlds start from it. */
function measure(places: readonly Place[], ...more: Situation[]): number {
  let bytes = 0
  for (const { world } of places) bytes += world.catalogue.ownBytes()
  for (const situation of new Set([...places.map((place) => place.situation), ...more])) bytes += situation.bytes
  return bytes
}
