// The worlds of one mock: the shared one, and with sandboxes one for each API key, forked on first use.
import { UsageError } from '../contract/errors.ts'
import { MAX_SANDBOXES } from '../limits.ts'
import { createMemory } from './catalogue.ts'
import type { Start } from './start.ts'
import { createWorld, lookBack, type SavedWorld, type Surroundings, type World } from './world.ts'

export type Worlds = ReturnType<typeof createWorlds>

/** A world with the start that a reset brings back. */
interface Slot {
  readonly start: Start
  readonly world: World
  /** The worlds of the same key that were replaced, by the id of the row that did it. Shared by all of them. */
  readonly past: Map<number, Slot>
}

/** Worlds that a load or a reset replaced, for each key. */
const MAX_PAST_WORLDS = 3

export function createWorlds(first: Start, hasSandboxes: boolean, given: Surroundings) {
  const memory = given.memory ?? createMemory()
  const surroundings = { ...given, memory }
  memory.giveWay = dropOldest
  const createSlot = (start: Start, key?: string, saved?: SavedWorld): Slot => ({
    start,
    world: createWorld(start, surroundings, saved, key),
    past: find(key)?.past ?? new Map(),
  })
  let shared: Slot = { start: first, world: createWorld(first, surroundings), past: new Map() }
  /** In the order of their last use: a Map keeps the order of insertion. */
  const sandboxes = new Map<string, Slot>()
  let onSandbox = (_key: string) => {}
  memory.bytes = measure(all())

  const sandboxKey = (key: string | undefined) => (hasSandboxes ? key : undefined)
  const find = (key: string | undefined) => (sandboxKey(key) === undefined ? shared : sandboxes.get(key as string))
  const startOf = (key?: string): Start => (find(key) ?? shared).start
  /** The slot of a key, or what it would be. */
  const look = (key: string | undefined) => find(key) ?? createSlot(shared.start, key)

  /** Every world that takes memory. */
  function all(): Slot[] {
    return [shared, ...sandboxes.values()].flatMap((slot) => [slot, ...slot.past.values()])
  }

  /** Puts a world in the slot of a key, as the one that was used last; keeps the one before it if it can be brought back. */
  function put(key: string | undefined, next: Slot, keeps = false): World {
    const name = sandboxKey(key)
    const before = find(key)
    if (name === undefined) shared = next
    else {
      sandboxes.delete(name)
      sandboxes.set(name, next)
    }
    if (before === next) return next.world
    // The row of this change comes next.
    if (before && keeps) before.past.set(before.world.requestLog.lastId + 1, before)
    else if (before) forget(before)
    if (next.past.size > MAX_PAST_WORLDS) drop(next.past)
    if (sandboxes.size > MAX_SANDBOXES) remove(sandboxes.keys().next().value as string)
    memory.bytes = measure(all())
    if (!before) onSandbox(key as string)
    return next.world
  }

  function remove(key: string): boolean {
    const slot = sandboxes.get(key)
    if (!slot) return false
    sandboxes.delete(key)
    forget(slot)
    memory.bytes = measure(all())
    onSandbox(key)
    return true
  }

  const close = ({ world }: Slot) => world.requestLog.close()

  function forget(slot: Slot): void {
    for (const one of [slot, ...slot.past.values()]) close(one)
    slot.past.clear()
  }

  /** Drops the oldest of the worlds that were replaced. */
  function drop(past: Slot['past']): void {
    const [id, slot] = past.entries().next().value as [number, Slot]
    past.delete(id)
    close(slot)
    memory.bytes = measure(all())
  }

  /** Makes room by a world that was replaced; returns false if there is none. */
  function dropOldest(): boolean {
    const oldest = [shared, ...sandboxes.values()]
      .map(({ past }) => past)
      .filter((past) => past.size > 0)
      .sort((one, other) => Math.min(...one.keys()) - Math.min(...other.keys()))[0]
    if (oldest) drop(oldest)
    return oldest !== undefined
  }

  return {
    hasSandboxes,
    realTime: given.realTime,
    has: (key?: string): boolean => find(key) !== undefined,
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
    /**
     * Starts a world; a UsageError if it does not fit. Loading the shared one does not affect existing sandboxes. With `keeps`, the one
     * before it can be brought back by the id of the next row, if there is room for both.
     */
    load(next: Start, key?: string, keeps = false): void {
      const before = find(key)
      const without = (gone?: Slot) =>
        measure(
          all().filter((slot) => slot !== gone),
          next,
        )
      while (without() > memory.maxBytes && dropOldest());
      const free = memory.maxBytes - without(before)
      if (free < 0) throw new UsageError(`scenario: ${-free} bytes too large; all animals of a mock may take ${memory.maxBytes}`, 507)
      // A new sandbox starts as it would without the load: the undo brings that world back.
      put(key, look(key))
      put(key, createSlot(next, sandboxKey(key)), keeps && without() <= memory.maxBytes)
    },
    /** Brings back the world that the row of this id replaced; returns false if it is no longer kept. */
    bringBack(id: number, key?: string): boolean {
      const slot = find(key)?.past.get(id)
      slot?.past.delete(id)
      if (slot) put(key, slot, true)
      return slot !== undefined
    },
    /** The worlds of a key that were replaced, by the id of the row that did it. */
    past: (key?: string): ReadonlyMap<number, Pick<Slot, 'start' | 'world'>> => find(key)?.past ?? new Map(),
    /** A copy of a world as it was at a revision, to look at. */
    lookBack: (world: World, start: Start, revision: number): World => lookBack(world, start, surroundings, revision),
    /** A world goes on as it was saved, or starts; a reset brings the start back. */
    resume: (start: Start, saved: SavedWorld | undefined, key?: string) => void put(key, createSlot(start, sandboxKey(key), saved)),
    reset: (key?: string) => void put(key, createSlot(startOf(key), sandboxKey(key)), true),
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
