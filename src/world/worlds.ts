// The worlds of one mock: the shared one, and with sandboxes one for each API key. A world is a
// state and its rows.
import { UsageError } from '../contract/errors.ts'
import { MAX_SANDBOXES } from '../contract/limits.ts'
import { createPages } from './catalogue.ts'
import type { Times } from './clock.ts'
import type { KeptRow } from './row.ts'
import { beginState, type Origin, type State } from './state.ts'
import type { Memory, Timelines } from './timeline.ts'

export type World = ReturnType<typeof createWorld>

export type Surroundings = Readonly<{ times: Times; timelines: Timelines; memory: Memory }>

/**
 * A world that starts with this state; with a key, that of a sandbox. Its memory counts from
 * `enter` on.
 */
export function createWorld(first: State, { timelines, memory }: Surroundings, key?: string) {
  let state = first
  let isCounted = false
  /**
   * The id of the last row that `resume` or `leave` has removed. A delayed response may still end
   * one of them.
   */
  let lastRemoved = 0
  const timeline = timelines.create(() => state)

  return {
    get state(): State {
      return state
    },
    sandbox: key ?? null,
    /** What a recording calls this sandbox; never used again. */
    number: 0,
    timeline,
    hasRemoved: ({ id }: Pick<KeptRow, 'id'>): boolean => id <= lastRemoved,
    pages: createPages(),
    /**
     * Makes room for a next state: the oldest rows of all worlds give up theirs. Refuses it if that
     * is not enough.
     */
    checkRoom(next: State): void {
      const present = isCounted ? state : undefined
      while (!memory.fits(next, present, true)) {
        if (timelines.forgetOldestState()) continue
        if (memory.fits(next, present, false)) return
        throw new UsageError(`The mock is full: its animals may take ${memory.maxBytes} bytes`, 507)
      }
    },
    advance(row: KeptRow, next: State): void {
      const before = state
      memory.take(next, before)
      state = next
      timeline.add(row, before)
      while (memory.isOver(next) && timelines.forgetOldestState());
    },
    /** Goes on from another state, with an empty timeline. */
    resume(next: State): void {
      lastRemoved = timeline.lastId
      timeline.empty()
      memory.take(next, state)
      memory.release(state, next)
      state = next
    },
    enter(): void {
      memory.take(state)
      isCounted = true
    },
    leave(): void {
      lastRemoved = timeline.lastId
      timeline.empty()
      memory.release(state)
    },
  }
}

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

  const find = (key: string | undefined) =>
    hasSandboxes && key !== undefined ? sandboxes.get(key) : shared
  const look = (key?: string) =>
    find(key) ?? createWorld(beginState(shared.state.origin, times), surroundings, key)

  function keep(world: World, number = lastNumber + 1): World {
    const { sandbox: key } = world
    if (key === null) return world
    const isNew = !sandboxes.delete(key)
    sandboxes.set(key, world)
    if (!isNew) return world
    world.enter()
    world.number = number
    lastNumber = Math.max(lastNumber, number)
    if (sandboxes.size > MAX_SANDBOXES) remove(sandboxes.keys().next().value as string)
    onSandbox(key)
    return world
  }

  function remove(key: string): boolean {
    const world = sandboxes.get(key)
    world?.leave()
    if (sandboxes.delete(key)) onSandbox(key)
    return world !== undefined
  }

  return {
    recording: undefined as RecordingSource | undefined,
    isSaved: false,
    hasSandboxes,
    times,
    has: (key?: string): boolean => find(key) !== undefined,
    /** The world of a key; without sandboxes, or without a key, the shared one. */
    of: (key?: string): World => keep(look(key)),
    /** The same for reading: a sandbox that does not exist yet is shown as it would start. */
    peek: look,
    /** Keeps a world that `peek` has shown, once something has happened in it. */
    keep,
    resume(state: State, key?: string, number?: number): World {
      const world = keep(look(key), number)
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
