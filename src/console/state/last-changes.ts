// Whether a state is still the one that this page changed: an offer to undo a change by hand is over once the state was loaded, reset or
// cleared.
import type { Change, MockEvent } from '../../control/control.ts'

/** The key of a sandbox; null for the shared state. */
type World = string | null

export interface LastChanges {
  note(event: MockEvent): void
  /** Events may have been missed, so nothing is known any more. */
  forget(): void
  /** Whether these states are still the same ones as now; their contents may differ. */
  watch(worlds: readonly World[]): () => boolean
}

const REPLACING: readonly Change[] = ['load', 'reset', 'requests']

export function createLastChanges(): LastChanges {
  let heard = new Map<World, number>()
  const count = (world: World) => heard.get(world) ?? 0
  return {
    note(event) {
      if (event.type === 'change' && REPLACING.includes(event.what)) heard.set(event.sandbox, count(event.sandbox) + 1)
    },
    forget() {
      heard = new Map()
    },
    watch(worlds) {
      const then = heard
      const counts = worlds.map(count)
      return () => then === heard && worlds.every((world, index) => count(world) === counts[index])
    },
  }
}
