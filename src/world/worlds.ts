// The worlds of one mock: the shared one, and with sandboxes one for each API key.
import { MAX_SANDBOXES } from '../contract/limits.ts'
import { createFullError, createMemory } from './memory.ts'
import { beginState, type Origin, type State } from './state.ts'
import { createWorld, type World, type WorldDependencies } from './world.ts'

/** The recording that a mock shows, the version that made it, and when. */
export type RecordingSource = {
  readonly file: string
  readonly version: string
  readonly madeAt: string
}

export type Worlds = ReturnType<typeof createWorlds>

/** The worlds of a mock, as one value that can be replaced as a whole. */
export interface Held {
  readonly dependencies: WorldDependencies
  readonly shared: World
  /** In the order of their last use: a Map keeps the order of insertion. */
  readonly sandboxes: Map<string, World>
  /** The highest number of a sandbox so far: no number is used again. */
  lastNumber: number
  readonly recording: RecordingSource | undefined
}

const NEW: Pick<Held, 'lastNumber' | 'recording'> = { lastNumber: 0, recording: undefined }

export function createWorlds(
  first: Origin,
  hasSandboxes: boolean,
  dependencies: WorldDependencies,
  begun = NEW,
) {
  const { times } = dependencies
  const shared = createWorld(beginState(first, times), dependencies)
  shared.enter()
  let held: Held = { ...begun, dependencies, shared, sandboxes: new Map() }
  let onSandbox = (_key: string) => {}

  function find(key: string | undefined): World | undefined {
    return hasSandboxes && key !== undefined ? held.sandboxes.get(key) : held.shared
  }

  function peek(key?: string): World {
    const known = find(key)
    if (known) return known
    const state = beginState(held.shared.state.origin, times)
    return createWorld(state, held.dependencies, key)
  }

  function keep(world: World, number = held.lastNumber + 1): World {
    const { sandboxes } = held
    const { sandbox: key } = world
    if (key === null) return world
    const isNew = !sandboxes.has(key)
    // Deleted first, so that it becomes the last one.
    sandboxes.delete(key)
    sandboxes.set(key, world)
    if (!isNew) return world
    world.enter()
    world.number = number
    held.lastNumber = Math.max(held.lastNumber, number)
    if (sandboxes.size > MAX_SANDBOXES) removeOldest()
    onSandbox(key)
    return world
  }

  function removeOldest(): void {
    const [oldest] = held.sandboxes.keys()
    if (oldest !== undefined) remove(oldest)
  }

  function remove(key: string): boolean {
    const world = held.sandboxes.get(key)
    if (!world) return false
    world.leave()
    held.sandboxes.delete(key)
    onSandbox(key)
    return true
  }

  function all(): World[] {
    return [held.shared, ...held.sandboxes.values()]
  }

  function keys(): string[] {
    return [...held.sandboxes.keys()]
  }

  /** Takes over everything that other worlds hold. */
  function replaceBy(next: { readonly held: Held }): void {
    const old = all()
    held = next.held
    // A delayed response of the old worlds may still end: its row counts as removed.
    for (const world of old) world.leave()
    const changedKeys = [...old, ...held.sandboxes.values()].map(({ sandbox }) => sandbox)
    for (const key of new Set(changedKeys)) {
      if (key !== null) onSandbox(key)
    }
  }

  return {
    get held(): Held {
      return held
    },
    get recording(): RecordingSource | undefined {
      return held.recording
    },
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
    all,
    keys,
    remove,
    replaceBy,
    watch(listener: (key: string) => void): void {
      onSandbox = listener
    },
  }
}

/** Throws if they take too much, without the earlier states that their rows could give up. */
export function checkRoomOf(worlds: Worlds): void {
  const { memory } = worlds.held.dependencies
  if (memory.bytes > memory.maxBytes) throw createFullError(memory)
}

/** Worlds with the limits of others, for a recording. The ids of rows and sandboxes count on. */
export function prepareWorlds(worlds: Worlds, recording: RecordingSource): Worlds {
  const { dependencies, shared, lastNumber } = worlds.held
  const { times } = dependencies
  const memory = createMemory(dependencies.memory.maxBytes)
  const timelines = dependencies.timelines.prepare(memory)
  const begun = { lastNumber, recording }
  const { origin } = shared.state
  return createWorlds(origin, worlds.hasSandboxes, { times, memory, timelines }, begun)
}
