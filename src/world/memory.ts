// Roughly the memory that the states of a mock take, in one counter, and whether more fits.
import { UsageError } from '../contract/errors.ts'
import { MAX_PAST_BYTES, MAX_PETS_BYTES } from '../contract/limits.ts'
import { sizeOfOwnPets } from './catalogue.ts'
import { sizeOfOwnFaults } from './faults.ts'
import { CHUNK_BYTES } from './sorted.ts'
import { baseOf, type Origin, type State } from './state.ts'

export type Memory = ReturnType<typeof createMemory>

/** What one state holds and another one does not. */
export interface Owned {
  readonly bytes: number
  /** Undefined if the other state has the same one. */
  readonly origin: Origin | undefined
}

export const NOTHING: Owned = { bytes: 0, origin: undefined }

/**
 * A state counts as soon as it is the present one. What only the state before it has goes on
 * counting until the row between them gives that up. An origin counts once for all states that
 * start from it.
 */
export function createMemory(maxBytes = MAX_PETS_BYTES) {
  let bytes = 0
  const uses = new Map<Origin, number>()

  /** Its origin counts only if nothing uses it yet. */
  function weighAdded({ bytes, origin }: Owned): number {
    const isFirstUse = origin !== undefined && !uses.has(origin)
    return isFirstUse ? bytes + origin.bytes : bytes
  }

  /** Its origin counts only if nothing else uses it. */
  function weighFreed({ bytes, origin }: Owned): number {
    const isLastUse = origin !== undefined && uses.get(origin) === 1
    return isLastUse ? bytes + origin.bytes : bytes
  }

  function count(origin: Origin | undefined, added: number): void {
    if (!origin) return
    const useCount = (uses.get(origin) ?? 0) + added
    if (useCount > 0) uses.set(origin, useCount)
    else uses.delete(origin)
  }

  return {
    maxBytes,
    get bytes(): number {
      return bytes
    },
    /** Whether `to` fits after `from`; without `keeps`, in its place. */
    fits(to: State, from: State | undefined, keeps: boolean): boolean {
      const added = weighAdded(findOwned(to, from))
      const freed = keeps || !from ? 0 : weighFreed(findOwned(from, to))
      const isWithinLimit = bytes + added - freed <= maxBytes
      const takesNoMore = added <= freed
      return isWithinLimit || takesNoMore
    },
    /** Whether rows must give up their states, with this one as the present. */
    isOver(present: State): boolean {
      return bytes > Math.min(maxBytes, present.origin.bytes + MAX_PAST_BYTES)
    },
    /**
     * Counts a state that becomes the present one after `from`, or the first of a world. Returns
     * what only `from` has, to release it once nothing keeps that state.
     */
    take(to: State, from?: State): Owned {
      const taken = findOwned(to, from)
      bytes += weighAdded(taken)
      count(taken.origin, 1)
      return from ? findOwned(from, to) : NOTHING
    },
    release(owned: Owned): void {
      bytes -= weighFreed(owned)
      count(owned.origin, -1)
    },
  }
}

/** What a state has and the other one has not; without another one, all that it has. */
export function findOwned(state: State, other?: State): Owned {
  if (state === other) return NOTHING
  const bytes = sizeOfOwn(state, other)
  const origin = state.origin === other?.origin ? undefined : state.origin
  return bytes === 0 && origin === undefined ? NOTHING : { bytes, origin }
}

export function createFullError({ maxBytes }: Pick<Memory, 'maxBytes'>): UsageError {
  return new UsageError(`The mock is full: its animals may take ${maxBytes} bytes`, 507)
}

/** A counted call, a key, or a fault with its counts takes about this, without its texts. */
const ITEM_BYTES = 64

/** What a state holds that neither its origin nor another state of that origin does. */
function sizeOfOwn(state: State, other: State | undefined): number {
  const { origin, catalogue, faults, calls, apiKeys } = state
  const base = baseOf(origin, other)
  let bytes = base === origin ? 0 : sizeOfCopies(state, base)
  bytes += sizeOfOwnPets(catalogue, base.catalogue, origin.catalogue)
  bytes += sizeOfOwnFaults(faults, base.faults, origin.faults)
  if (calls !== base.calls && calls !== origin.calls) bytes += 2 * ITEM_BYTES * calls.size
  if (apiKeys !== base.apiKeys && apiKeys !== origin.apiKeys) {
    for (const key of apiKeys) bytes += ITEM_BYTES + 2 * key.length
  }
  return bytes
}

type Copied = Pick<State, 'catalogue' | 'faults'>

/** The lists of two kept states that hold nearly the same. */
function sizeOfCopies(one: Copied, other: Copied): number {
  let bytes = 0
  // Chunks of an animal that was changed or removed, in up to three lists.
  if (one.catalogue.all.chunks !== other.catalogue.all.chunks) bytes += 3 * CHUNK_BYTES
  if (one.faults !== other.faults) {
    bytes += ITEM_BYTES * Math.max(one.faults.length, other.faults.length)
  }
  return bytes
}
