// Writes lines to a stream, one write per turn of the event loop, so that the log does not slow down the server.

/** What is needed of a stream like process.stdout. */
export interface LineStream {
  readonly writableLength: number
  write(text: string): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** What may wait for a reader that is slower than the mock; beyond it lines are left out, and counted. */
const BACKLOG = 8 * 2 ** 20

export function createLineWriter(stream: LineStream) {
  let waiting: (() => string)[] = []
  let leftOut = 0
  let isBroken = false
  // The reader has gone (`| head -1`). The mock goes on serving.
  stream.on('error', () => {
    isBroken = true
  })

  function flush(): void {
    const lines = waiting
    waiting = []
    if (isBroken || lines.length === 0) return
    if (stream.writableLength > BACKLOG) {
      leftOut += lines.length
      return
    }
    const gap = leftOut > 0 ? `… ${leftOut} lines left out: the log is read more slowly than it is written\n` : ''
    leftOut = 0
    stream.write(`${gap}${lines.map((toLine) => toLine()).join('\n')}\n`)
  }

  return {
    /** The line is made when it is written, after the response has gone out. */
    add(toLine: () => string): void {
      if (isBroken) return
      if (waiting.length === 0) setImmediate(flush)
      waiting.push(toLine)
    },
    /** Writes what is still waiting. */
    flush,
  }
}
