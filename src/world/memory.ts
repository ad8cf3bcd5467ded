// Roughly the memory of a mock's animals and faults, in one counter.
import { MAX_PAST_BYTES, MAX_PETS_BYTES } from '../contract/limits.ts'
import { compareCatalogues, findPetText, sizeOfPet } from './catalogue.ts'
import { sizeOfFault } from './faults.ts'
import { CHUNK_SIZE } from './sorted.ts'
import { baseOf, type Origin, type State } from './state.ts'

export type Memory = ReturnType<typeof createMemory>

/** Copies of the chunks of an animal that was changed or removed, in up to three lists. */
const COPY_BYTES = 3 * 16 * CHUNK_SIZE

// Roughly the memory of a mock's animals and faults, in one counter. What two states do not share
// counts as soon as the present one has it, until the row that removed it gives up the state before
// it. An origin counts once.
export function createMemory(maxBytes = MAX_PETS_BYTES) {
  let bytes = 0
  const uses = new Map<Origin, number>()

  function use(origin: Origin, change: 1 | -1): void {
    const before = uses.get(origin) ?? 0
    uses.set(origin, before + change)
    if (before === 0) bytes += origin.bytes
    if (before + change > 0) return
    bytes -= origin.bytes
    uses.delete(origin)
  }

  return {
    maxBytes,
    get bytes(): number {
      return bytes
    },
    /** Whether `to` fits after `from`; without `keeps`, in its place. */
    fits(to: State, from: State | undefined, keeps: boolean): boolean {
      const isOther = to.origin !== from?.origin
      const more = sizeOfOwn(to, from) + (uses.has(to.origin) ? 0 : to.origin.bytes)
      if (keeps || !from) return bytes + more <= maxBytes
      const less =
        sizeOfOwn(from, to) + (isOther && uses.get(from.origin) === 1 ? from.origin.bytes : 0)
      return more <= less || bytes + more - less <= maxBytes
    },
    /** Whether the rows must give up states, with this one as the present. */
    isOver: ({ origin }: State): boolean =>
      bytes > Math.min(maxBytes, origin.bytes + MAX_PAST_BYTES),
    take(to: State, from?: State): void {
      if (to === from) return
      bytes += sizeOfOwn(to, from)
      if (to.origin !== from?.origin) use(to.origin, 1)
    },
    /** Gives back what only a dropped state took, or the last state of a removed world. */
    release(from: State, to?: State): void {
      if (to === from) return
      bytes -= sizeOfOwn(from, to)
      if (to?.origin !== from.origin) use(from.origin, -1)
    },
  }
}

/**
 * The animals and faults of a state that neither its origin has, nor another state of the same
 * origin.
 */
function sizeOfOwn({ origin, catalogue, faults }: State, other?: State): number {
  const rest = baseOf(origin, other)
  // The service adds animals behind the last one, which copies nothing.
  let size = rest !== origin && catalogue.all.chunks !== rest.catalogue.all.chunks ? COPY_BYTES : 0
  for (const { key, after } of compareCatalogues(rest.catalogue, catalogue)) {
    if (after !== undefined && findPetText(origin.catalogue, key) !== after)
      size += sizeOfPet(after)
  }
  if (faults === rest.faults) return size
  const known = new Set([...rest.faults, ...origin.faults].map(({ fault }) => fault))
  for (const { fault } of faults) if (!known.has(fault)) size += sizeOfFault(fault)
  return size
}
