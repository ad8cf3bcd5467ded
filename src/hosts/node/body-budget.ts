// One budget for all bodies in flight: requests that are still arriving, and responses that clients do not read.

export interface BodyBudget {
  /** Takes the bytes in any case; returns whether they fit. */
  take(bytes: number): boolean
  release(bytes: number): void
}

export function createBodyBudget(maxBytes: number): BodyBudget {
  let held = 0
  return {
    take(bytes) {
      held += bytes
      return held <= maxBytes
    },
    release(bytes) {
      held -= bytes
    },
  }
}
