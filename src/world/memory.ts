// Roughly the memory of the animals and faults that a mock keeps, in one counter. What two states do not share counts when it becomes
// part of the present one, and is given back when the row that took it out gives up the state before it. An origin counts once.
import { MAX_ANIMALS_BYTES } from '../limits.ts'
import { type Catalogue, compareCatalogues, findPet, sizeOfPet } from './catalogue.ts'
import { sizeOfFault } from './faults.ts'
import { CHUNK_SIZE } from './sorted.ts'
import { baseOf, type Origin, type State, sum } from './state.ts'

export type Memory = ReturnType<typeof createMemory>

/** Copies of the chunks of an animal that was changed or removed, in up to three lists. */
const COPY_BYTES = 3 * 16 * CHUNK_SIZE

export function createMemory(maxBytes = MAX_ANIMALS_BYTES) {
  let bytes = 0
  const uses = new Map<Origin, number>()

  function use(origin: Origin, change: 1 | -1): void {
    const before = uses.get(origin) ?? 0
    const now = before + change
    if (before === 0) bytes += origin.bytes
    if (now === 0) {
      bytes -= origin.bytes
      uses.delete(origin)
    } else uses.set(origin, now)
  }

  return {
    maxBytes,
    get bytes(): number {
      return bytes
    },
    /** Whether `to` fits after `from`; without `keeps`, in its place. */
    fits(to: State, from: State | undefined, keeps: boolean): boolean {
      const isOther = to.origin !== from?.origin
      const more = sizeOfOwn(to, from) + (isOther && !uses.has(to.origin) ? to.origin.bytes : 0)
      if (keeps || !from) return bytes + more <= maxBytes
      const less = sizeOfOwn(from, to) + (isOther && uses.get(from.origin) === 1 ? from.origin.bytes : 0)
      return more <= less || bytes + more - less <= maxBytes
    },
    get isOver(): boolean {
      return bytes > maxBytes
    },
    take(to: State, from?: State): void {
      if (to === from) return
      bytes += sizeOfOwn(to, from)
      if (to.origin !== from?.origin) use(to.origin, 1)
    },
    /** A superseded state is dropped, or its world removed. */
    release(from: State, to?: State): void {
      if (to === from) return
      bytes -= sizeOfOwn(from, to)
      if (to?.origin !== from.origin) use(from.origin, -1)
    },
  }
}

/** The animals and faults of a state that neither its origin has, nor another state of the same origin. */
function sizeOfOwn({ origin, catalogue, faults }: State, other?: State): number {
  const rest = baseOf(origin, other)
  const pets = compareCatalogues(rest.catalogue, catalogue).map(({ key, after }) =>
    after === undefined || (rest !== origin && findPet(origin.catalogue, key) === after) ? 0 : sizeOfPet(after),
  )
  const copies = rest !== origin && isCopied(catalogue, rest.catalogue) ? COPY_BYTES : 0
  return sum(pets) + copies + sizeOfFaults(faults, rest.faults, origin)
}

/** The service adds animals behind the last one, which copies nothing. */
function isCopied({ all: one }: Catalogue, { all: other }: Catalogue): boolean {
  return one.chunks !== other.chunks
}

function sizeOfFaults(faults: State['faults'], rest: State['faults'], origin: Origin): number {
  if (faults === rest) return 0
  const known = new Set([...rest, ...origin.faults].map(({ fault }) => fault))
  return sum(faults.map(({ fault }) => (known.has(fault) ? 0 : sizeOfFault(fault))))
}
