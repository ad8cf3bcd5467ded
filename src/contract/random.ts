// A small seeded generator of random numbers, so that a run with faults or surprises repeats
// exactly.

export type Random = ReturnType<typeof createRandom>

/** A Weyl sequence through a mixing function: the same numbers on every machine. */
export function createRandom(seed: number) {
  let state = seed | 0
  function next(): number {
    state = (state + 0x9e3779b9) | 0
    return mix(state) / 2 ** 32
  }
  return {
    next,
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
    /** `createRandom(state())` continues from there. */
    state: () => state,
    /** Goes on as if it had been created with this seed. */
    reseed(seed: number): void {
      state = seed | 0
    },
  }
}

/** Spreads an integer over 32 bits; neighbours come out far apart. */
export function mix(value: number): number {
  let bits = value ^ (value >>> 16)
  bits = Math.imul(bits, 0x21f0aaad)
  bits ^= bits >>> 15
  bits = Math.imul(bits, 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}

/** FNV-1a, then spread: integers of 32 bits, the same on every machine. */
export function hash(text: string): number {
  let bits = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193)
  return mix(bits)
}
