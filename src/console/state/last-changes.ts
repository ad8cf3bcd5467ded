// Whether what this page did to a world is still the last thing that happened to it. The mock takes back the last change of a world,
// whoever made it, so an offer to undo one is over as soon as another follows.
import type { Change, MockEvent } from '../../control/control.ts'

/** The key of a sandbox; null for the shared world. */
type World = string | null

export interface LastChanges {
  /** What the mock tells of. */
  note(event: MockEvent): void
  /** Events may have been missed: nothing is known to be the last change any more. */
  forget(): void
  /** Replaces or empties something in these worlds; resolves to the result, and to whether that is still the last change of them. */
  make<T>(worlds: readonly World[], run: () => Promise<T>): Promise<readonly [result: T, isLast: () => boolean]>
  /** Whether these worlds are still the same ones as now; their contents may differ. */
  watch(worlds: readonly World[]): () => boolean
}

/** What `undo` takes back, and `undo` itself. */
const REPLACING: readonly Change[] = ['load', 'reset', 'requests', 'undo']

export function createLastChanges(): LastChanges {
  /** How many changes of each world were heard of, and how many there should be after what this page has done. */
  let heard = new Map<World, number>()
  let expected = new Map<World, number>()
  let epoch = 0

  const count = (counts: Map<World, number>, world: World) => counts.get(world) ?? 0
  const toExpected = (world: World) => Math.max(count(expected, world), count(heard, world))

  function watch(worlds: readonly World[]): () => boolean {
    const here = epoch
    const limits = worlds.map((world) => [world, toExpected(world)] as const)
    return () => here === epoch && limits.every(([world, limit]) => count(heard, world) <= limit)
  }

  return {
    note(event) {
      if (event.type === 'change' && REPLACING.includes(event.what)) heard.set(event.sandbox, count(heard, event.sandbox) + 1)
    },
    forget() {
      epoch++
      heard = new Map()
      expected = new Map()
    },
    async make(worlds, run) {
      // Its own event may come before the response or after it.
      for (const world of worlds) expected.set(world, toExpected(world) + 1)
      const isLast = watch(worlds)
      try {
        return [await run(), isLast]
      } catch (error) {
        for (const world of worlds) expected.set(world, count(expected, world) - 1)
        throw error
      }
    },
    watch,
  }
}
