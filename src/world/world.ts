// A world: the present state of one key, and its timeline.
import type { Times } from './clock.ts'
import type { KeptRow } from './kept-row.ts'
import { createFullError, findOwned, type Memory } from './memory.ts'
import { createPages } from './pages.ts'
import type { State } from './state.ts'
import type { Timelines } from './timeline.ts'
import { createWaiting } from './waiting.ts'

export type World = ReturnType<typeof createWorld>

/** What the worlds of a mock share. */
export type WorldDependencies = Readonly<{ times: Times; timelines: Timelines; memory: Memory }>

/**
 * A world that starts with this state; with a key, that of a sandbox. Its memory counts from
 * `enter` on.
 */
export function createWorld(first: State, { timelines, memory }: WorldDependencies, key?: string) {
  let state = first
  let isCounted = false
  /**
   * The id of the last row that `resume` or `leave` has removed. A delayed response may still end
   * one of them.
   */
  let lastRemoved = 0
  const timeline = timelines.create(() => state)
  const waiting = createWaiting()

  function removeRows(): void {
    waiting.dropHeld('its state was removed')
    lastRemoved = timeline.lastId
    timeline.empty()
  }

  return {
    get state(): State {
      return state
    },
    sandbox: key ?? null,
    /** What a recording calls this sandbox; never used again. */
    number: 0,
    timeline,
    hasRemoved: (row: Pick<KeptRow, 'id'>): boolean => row.id <= lastRemoved,
    pages: createPages(),
    waiting,
    /**
     * Makes room for a next state: the oldest rows of all worlds give up theirs. Throws if that is
     * not enough.
     */
    checkRoom(next: State): void {
      const present = isCounted ? state : undefined
      while (!memory.fits(next, present, true)) {
        const hasForgotten = timelines.forgetOldestState()
        if (hasForgotten) continue
        if (memory.fits(next, present, false)) return
        throw createFullError(memory)
      }
    },
    /** The next state becomes the present one; the row keeps the one before. */
    advance(row: KeptRow, next: State): void {
      const before = state
      const owned = memory.take(next, before)
      state = next
      timeline.add(row, before, owned)
      while (memory.isOver(next)) {
        const hasForgotten = timelines.forgetOldestState()
        if (!hasForgotten) return
      }
    },
    /** Goes on from another state, with an empty timeline. */
    resume(next: State): void {
      removeRows()
      const owned = memory.take(next, state)
      memory.release(owned)
      state = next
    },
    enter(): void {
      memory.take(state)
      isCounted = true
    },
    leave(): void {
      removeRows()
      memory.release(findOwned(state))
    },
  }
}
