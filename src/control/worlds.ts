// The worlds of one mock: the shared one, and with sandboxes one for each API key, forked on first use.
import { UsageError } from '../contract/errors.ts'
import type { Situation } from '../world/scenario.ts'
import { createWorld, type World, type WorldSettings } from '../world/world.ts'

export interface Worlds {
  readonly hasSandboxes: boolean
  /** The world of a key; without sandboxes, or without a key, the shared one. */
  of(key?: string): World
  /** Starts a world from a situation; without a key, the shared one, and sandboxes that exist already keep theirs. */
  load(situation: Situation, key?: string): void
  /** Starts a world again from the situation that it was loaded with. */
  reset(key?: string): void
  /** The keys that have a sandbox, the longest idle first. */
  keys(): string[]
  /** Whether the key had one. */
  remove(key: string): boolean
}

/** A world beside the situation that a reset brings back. */
interface Place {
  readonly situation: Situation
  readonly world: World
}

const SANDBOX_LIMIT = 256

export function createWorlds(situation: Situation, hasSandboxes: boolean, settings: WorldSettings): Worlds {
  const start = (from: Situation): Place => ({ situation: from, world: createWorld(from, settings) })
  let shared = start(situation)
  /** In the order of their last use: a Map keeps the order of insertion. */
  const sandboxes = new Map<string, Place>()

  function put(key: string, place: Place): Place {
    sandboxes.delete(key)
    sandboxes.set(key, place)
    if (sandboxes.size > SANDBOX_LIMIT) sandboxes.delete(sandboxes.keys().next().value as string)
    return place
  }

  function place(key: string | undefined): Place {
    if (key === undefined || !hasSandboxes) return shared
    return put(key, sandboxes.get(key) ?? start(shared.situation))
  }

  function replace(key: string | undefined, next: Place): void {
    if (key === undefined) shared = next
    else if (hasSandboxes) put(key, next)
    else throw new UsageError('there are no sandboxes: start the mock with --sandbox (or sandbox: true)')
  }

  return {
    hasSandboxes,
    of: (key) => place(key).world,
    load: (next, key) => replace(key, start(next)),
    reset: (key) => replace(key, start(place(key).situation)),
    keys: () => [...sandboxes.keys()],
    remove: (key) => sandboxes.delete(key),
  }
}
