// How far a long command is: one line of a terminal, which the result replaces.
import { inform } from './output.ts'

const MIN_MS_BETWEEN = 100

/** Shows nothing where nobody looks: in a file, a pipe, or CI. */
export function createProgress(what: string) {
  const isShown = process.stderr.isTTY === true && !process.env.CI
  let last = 0

  return {
    show(done: number, total: number): void {
      const now = performance.now()
      const isDue = done === total || now - last >= MIN_MS_BETWEEN
      if (!isShown || !isDue) return
      last = now
      inform(`\r${what} ${done} of ${total}`)
    },
    end(): void {
      // Back to the beginning of the line, and erase it.
      if (isShown) inform('\r\u001b[K')
    },
  }
}
