// Roughly the memory that a mock's animals and faults take, in one counter, and whether more fits.
import { MAX_PAST_BYTES, MAX_PETS_BYTES } from '../contract/limits.ts'
import { compareCatalogues, findPetText, sizeOfPet } from './catalogue.ts'
import { sizeOfFault } from './faults.ts'
import { CHUNK_SIZE } from './sorted.ts'
import { baseOf, type Origin, type State } from './state.ts'

export type Memory = ReturnType<typeof createMemory>

/**
 * The difference between two states counts as soon as the later one is the present state, until the
 * row between them gives up the earlier one. An origin counts once for all states that start from
 * it.
 */
export function createMemory(maxBytes = MAX_PETS_BYTES) {
  let bytes = 0
  const uses = new Map<Origin, number>()

  function addUse(origin: Origin): void {
    const count = uses.get(origin) ?? 0
    if (count === 0) bytes += origin.bytes
    uses.set(origin, count + 1)
  }

  function removeUse(origin: Origin): void {
    const count = uses.get(origin) ?? 0
    if (count > 1) {
      uses.set(origin, count - 1)
    } else {
      uses.delete(origin)
      bytes -= origin.bytes
    }
  }

  return {
    maxBytes,
    get bytes(): number {
      return bytes
    },
    /** Whether `to` fits after `from`; without `keeps`, in its place. */
    fits(to: State, from: State | undefined, keeps: boolean): boolean {
      let added = sizeOfOwn(to, from)
      if (!uses.has(to.origin)) added += to.origin.bytes
      if (keeps || !from) return bytes + added <= maxBytes
      let freed = sizeOfOwn(from, to)
      const isLastUse = to.origin !== from.origin && uses.get(from.origin) === 1
      if (isLastUse) freed += from.origin.bytes
      return added <= freed || bytes + added - freed <= maxBytes
    },
    /** Whether rows must give up their states, with this one as the present. */
    isOver(present: State): boolean {
      return bytes > Math.min(maxBytes, present.origin.bytes + MAX_PAST_BYTES)
    },
    /** Counts a state that becomes the present one after `from`, or the first of a world. */
    take(to: State, from?: State): void {
      if (to === from) return
      bytes += sizeOfOwn(to, from)
      if (to.origin !== from?.origin) addUse(to.origin)
    },
    /** Gives back what only a dropped state took, or the last state of a removed world. */
    release(from: State, to?: State): void {
      if (to === from) return
      bytes -= sizeOfOwn(from, to)
      if (to?.origin !== from.origin) removeUse(from.origin)
    },
  }
}

/** Copies of the chunks of an animal that was changed or removed, in up to three lists. */
const COPY_BYTES = 3 * 16 * CHUNK_SIZE

/**
 * The animals and faults of a state that neither its origin has, nor another state of the same
 * origin.
 */
function sizeOfOwn(state: State, other?: State): number {
  const { origin, catalogue, faults } = state
  const base = baseOf(origin, other)
  let size = 0
  // The service adds animals behind the last one, which copies nothing.
  const isCopied = base !== origin && catalogue.all.chunks !== base.catalogue.all.chunks
  if (isCopied) size += COPY_BYTES
  for (const { key, after } of compareCatalogues(base.catalogue, catalogue)) {
    const isOwn = after !== undefined && findPetText(origin.catalogue, key) !== after
    if (isOwn) size += sizeOfPet(after)
  }
  if (faults === base.faults) return size
  const known = new Set([...base.faults, ...origin.faults].map(({ fault }) => fault))
  for (const { fault } of faults) {
    if (!known.has(fault)) size += sizeOfFault(fault)
  }
  return size
}
