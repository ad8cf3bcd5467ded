// A limit on the bytes that the requests of one mock may hold in memory together.
export type Budget = ReturnType<typeof createBudget>

export function createBudget(maxBytes: number) {
  let taken = 0
  return {
    /** Always reserves the bytes, until they are given back; returns whether they fit. */
    take(bytes: number): boolean {
      taken += bytes
      return taken <= maxBytes
    },
    give(bytes: number): void {
      taken -= bytes
    },
  }
}
