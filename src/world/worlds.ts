// The worlds of one mock: the shared one, and with sandboxes one for each API key, forked on first use.
import { UsageError } from '../contract/errors.ts'
import { MAX_SANDBOXES } from '../limits.ts'
import { createMemory } from './catalogue.ts'
import type { Start } from './start.ts'
import { createWorld, type SavedWorld, type Surroundings, type World } from './world.ts'

export type Worlds = ReturnType<typeof createWorlds>

/** A world with the start that a reset brings back. */
interface Slot {
  readonly start: Start
  readonly world: World
}

export function createWorlds(first: Start, hasSandboxes: boolean, given: Surroundings) {
  const memory = given.memory ?? createMemory()
  const surroundings = { ...given, memory }
  const createSlot = (start: Start, key?: string, saved?: SavedWorld): Slot => ({
    start,
    world: createWorld(start, surroundings, saved, key),
  })
  let shared = createSlot(first)
  /** In the order of their last use: a Map keeps the order of insertion. */
  const sandboxes = new Map<string, Slot>()
  let onSandbox = (_key: string) => {}
  memory.bytes = measure([shared])

  const sandboxKey = (key: string | undefined) => (hasSandboxes ? key : undefined)
  const find = (key: string | undefined) => (sandboxKey(key) === undefined ? shared : sandboxes.get(key as string))
  const startOf = (key?: string): Start => (find(key) ?? shared).start
  /** The slot of a key, or what it would be. */
  const look = (key: string | undefined) => find(key) ?? createSlot(shared.start, key)
  const others = (key: string | undefined) => [shared, ...sandboxes.values()].filter((slot) => slot !== find(key))

  /** Puts a world in the slot of a key, as the one that was used last. */
  function put(key: string | undefined, next: Slot): World {
    const name = sandboxKey(key)
    const before = find(key)
    if (name === undefined) shared = next
    else {
      sandboxes.delete(name)
      sandboxes.set(name, next)
    }
    if (before === next) return next.world
    before?.world.requestLog.close()
    if (sandboxes.size > MAX_SANDBOXES) remove(sandboxes.keys().next().value as string)
    memory.bytes = measure([shared, ...sandboxes.values()])
    if (!before && name !== undefined) onSandbox(name)
    return next.world
  }

  function remove(key: string): boolean {
    const slot = sandboxes.get(key)
    if (!slot) return false
    sandboxes.delete(key)
    slot.world.requestLog.close()
    memory.bytes = measure([shared, ...sandboxes.values()])
    onSandbox(key)
    return true
  }

  return {
    hasSandboxes,
    /** The world of a key; without sandboxes, or without a key, the shared one. */
    of: (key?: string): World => (sandboxKey(key) === undefined ? shared.world : put(key, look(key))),
    /** The same for reading: a sandbox that does not exist yet is shown as it would start. */
    peek: (key?: string): World => look(key).world,
    /** The start that a reset of that world brings back. */
    start: startOf,
    /** Changes the world of a key; a sandbox that does not exist yet is created only if the change succeeds. */
    change<T>(key: string | undefined, run: (world: World) => T): T {
      const here = look(key)
      const result = run(here.world)
      put(key, here)
      return result
    },
    /** Starts a world; a UsageError if it does not fit. Loading the shared one does not affect existing sandboxes. */
    load(next: Start, key?: string): void {
      const free = memory.maxBytes - measure(others(key), next)
      if (free < 0) throw new UsageError(`scenario: ${-free} bytes too large; all animals of a mock may take ${memory.maxBytes}`, 507)
      put(key, createSlot(next, sandboxKey(key)))
    },
    /** A world goes on as it was saved, or starts; a reset brings the start back. */
    resume: (start: Start, saved: SavedWorld | undefined, key?: string) => void put(key, createSlot(start, sandboxKey(key), saved)),
    reset: (key?: string) => void put(key, createSlot(startOf(key), sandboxKey(key))),
    /** The shared world, without a key, and that of every sandbox. */
    all: (): (readonly [key: string | undefined, world: World])[] => [
      [undefined, shared.world],
      ...[...sandboxes].map(([key, { world }]) => [key, world] as const),
    ],
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

/** Roughly the memory that worlds take: a start counts once, however many worlds it has. */
function measure(slots: readonly Slot[], ...more: Start[]): number {
  let bytes = 0
  for (const { world } of slots) bytes += world.catalogue.ownBytes()
  for (const start of new Set([...slots.map((slot) => slot.start), ...more])) bytes += start.shelf.bytes
  return bytes
}
