// The memory that all worlds of a mock take together: the situations that they start from, each counted once however many worlds
// share it, and what was added to each world since.
import { MAX_WORLDS_BYTES } from '../limits.ts'

/** What several worlds start from. */
interface Shared {
  readonly bytes: number
}

export interface Storage {
  readonly maxBytes: number
  /** How much is left; less than nothing if the mock started with more than fits. */
  free(): number
  take(bytes: number): void
  giveBack(bytes: number): void
  /** For a world that starts from the situation. */
  hold(situation: Shared): void
  /** For a world that is given up. */
  release(situation: Shared): void
  /** How much `release` would give back. */
  releasable(situation: Shared): number
}

export function createStorage(maxBytes = MAX_WORLDS_BYTES): Storage {
  let taken = 0
  const holders = new Map<Shared, number>()
  const count = (situation: Shared) => holders.get(situation) ?? 0

  return {
    maxBytes,
    free: () => maxBytes - taken,
    take(bytes) {
      taken += bytes
    },
    giveBack(bytes) {
      taken -= bytes
    },
    hold(situation) {
      if (count(situation) === 0) taken += situation.bytes
      holders.set(situation, count(situation) + 1)
    },
    release(situation) {
      holders.set(situation, count(situation) - 1)
      if (count(situation) > 0) return
      holders.delete(situation)
      taken -= situation.bytes
    },
    releasable: (situation) => (count(situation) === 1 ? situation.bytes : 0),
  }
}
