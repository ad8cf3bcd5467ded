// What all requests in flight may take together: those that wait for their turn, bodies that are still arriving, delayed responses.
export type Budget = ReturnType<typeof createBudget>

export function createBudget(maxBytes: number) {
  let taken = 0
  return {
    /** Takes the bytes in any case, until they are given back; returns whether they fit. */
    take(bytes: number): boolean {
      taken += bytes
      return taken <= maxBytes
    },
    give(bytes: number): void {
      taken -= bytes
    },
  }
}
