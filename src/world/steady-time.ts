// Time that passes without ever jumping, for a clock that has been set.

/** The platform's own, to tell it from the one of a test runner's fake timers. */
const platformTime = globalThis.performance.now

/**
 * Milliseconds since it was created. Fake timers put their own `performance.now` in place of the platform's, which starts at zero: its
 * time counts from there, and when they are gone the platform's goes on from where it is.
 */
export function createSteadyTime(): () => number {
  let source = performance.now
  let last = performance.now()
  let passed = 0
  return () => {
    const reading = performance.now()
    if (performance.now === source) passed += Math.max(reading - last, 0)
    else {
      source = performance.now
      if (source !== platformTime) passed += reading
    }
    last = reading
    return passed
  }
}
