// The worlds of one mock: the shared one, and with sandboxes one for each API key, forked on first use.
import { UsageError } from '../contract/errors.ts'
import { MAX_SANDBOXES, MAX_WORLD_BYTES } from '../limits.ts'
import type { Situation } from '../world/situation.ts'
import { createStorage } from '../world/storage.ts'
import { createWorld, type Left, type World, type WorldSettings } from '../world/world.ts'

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
  /** Empties the journal of a world. */
  clearRequests(key?: string): void
  /** The shared world, without a key, and that of every sandbox. */
  all(): (readonly [key: string | undefined, world: World])[]
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

export function createWorlds(situation: Situation, hasSandboxes: boolean, given: WorldSettings): Worlds {
  const storage = given.storage ?? createStorage()
  const settings = { ...given, storage }
  const start = (from: Situation): Place => ({ situation: from, world: createWorld(from, settings) })
  let shared = start(situation)
  storage.hold(situation)
  /** In the order of their last use: a Map keeps the order of insertion. */
  const sandboxes = new Map<string, Place>()
  const watchers: ((key: string) => void)[] = []
  const tell = (key: string) => {
    for (const watcher of watchers) watcher(key)
  }

  /** A change puts the same world back. */
  function exchange(before: Place | undefined, after: Place): void {
    if (before === after) return
    storage.hold(after.situation)
    if (before) close(before)
  }

  function close({ situation, world }: Place): void {
    world.journal.close()
    world.catalogue.close()
    storage.release(situation)
  }

  function checkFit({ shelf, bytes }: Situation, key: string | undefined): void {
    const { maxBytes = MAX_WORLD_BYTES } = settings
    if (shelf.bytes > maxBytes) throw toTooLarge(`its animals take ${shelf.bytes} bytes, and a world may hold ${maxBytes}`)
    checkFree(bytes, key)
  }

  function checkFree(bytes: number, key: string | undefined): void {
    const before = find(key)
    const freed = before ? before.world.catalogue.addedBytes() + storage.releasable(before.situation) : 0
    const free = storage.free() + freed
    if (bytes > free)
      throw toTooLarge(`it takes ${bytes} bytes, and of the ${storage.maxBytes} for all worlds together ${Math.max(free, 0)} are free`)
  }

  function put(key: string, place: Place): Place {
    const before = sandboxes.get(key)
    const isNew = !sandboxes.delete(key)
    sandboxes.set(key, place)
    exchange(before, place)
    if (isNew) {
      if (sandboxes.size > MAX_SANDBOXES) remove(sandboxes.keys().next().value as string)
      tell(key)
    }
    return place
  }

  function remove(key: string): boolean {
    const place = sandboxes.get(key)
    if (!place) return false
    sandboxes.delete(key)
    close(place)
    tell(key)
    return true
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
      exchange(shared, next)
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
    load(next, key) {
      checkFit(next, key)
      replace(key, start(next))
    },
    resume: (from, left, key) => replace(key, { situation: from, world: createWorld(from, settings, left) }),
    reset: (key) => replace(key, start((find(key) ?? shared).situation)),
    clearRequests(key) {
      const here = find(key) ?? start(shared.situation)
      replace(key, here)
      here.world.journal.clear()
    },
    all: () => [[undefined, shared.world], ...[...sandboxes].map(([key, { world }]) => [key, world] as const)],
    keys: () => [...sandboxes.keys()],
    remove,
    watch: (listener) => void watchers.push(listener),
  }
}

function toTooLarge(reason: string): UsageError {
  return new UsageError(`scenario: too large: ${reason}; --max-world-size and maxWorldBytes raise the limit`, 507)
}
