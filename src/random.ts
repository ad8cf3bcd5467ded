// A small seeded generator of random numbers, so that a run with faults or surprises repeats exactly.

export type Random = ReturnType<typeof createRandom>

/** A Weyl sequence through a mixing function: 32 bits of state, the same numbers on every machine. */
export function createRandom(seed: number) {
  let state = seed | 0
  return {
    /** The next number in [0, 1). */
    next(): number {
      state = (state + 0x9e3779b9) | 0
      return mix(state) / 2 ** 32
    },
    /** `createRandom(state())` continues from there. */
    state: () => state,
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
  for (let index = 0; index < text.length; index++) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193)
  return mix(bits)
}
