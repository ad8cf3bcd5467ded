// Long work in turns, so that others are served in between. A task is a generator that yields where
// it can pause.

export type Task<T> = Generator<void, T>

/** How long the others wait, unless one step of a task takes longer. */
const TURN_MS = 20

// Taken at load: a test's fake timers must not stop a task.
const { setTimeout } = globalThis

export function doAtOnce<T>(task: Task<T>): T {
  let step = task.next()
  while (!step.done) step = task.next()
  return step.value
}

export async function doInTurns<T>(task: Task<T>): Promise<T> {
  let end = performance.now() + TURN_MS
  let step = task.next()
  while (!step.done) {
    if (performance.now() >= end) {
      await new Promise<void>((resolve) => setTimeout(resolve))
      end = performance.now() + TURN_MS
    }
    step = task.next()
  }
  return step.value
}
