// The log: one line for each exchange, for people or for programs.
import { escapeUnsafe } from '../client/escape.ts'
import { hasColour, toChangeLine, toPrettyLine } from '../client/log-line.ts'
import type { Mock } from '../mock/mock.ts'
import type { LogEntry } from '../world/log-entry.ts'

/** What may wait for a reader that is slower than the mock; beyond it lines are left out, and counted. */
const BACKLOG_BYTES = 8 * 2 ** 20

/** The messages stay in the request log, and the name of a sandbox is a key. */
const OMITTED: readonly (keyof LogEntry)[] = ['request', 'response', 'sandbox']

/** Logs to the stream from now on; returns what ends it. */
export function startLog({ control }: Mock, style: 'pretty' | 'json', stream: NodeJS.WriteStream): () => void {
  const writer = createLineWriter(stream)
  const colour = hasColour(stream, process.env)
  const unsubscribe = control.subscribe((event) => {
    if (event.type === 'request') writer.add(() => (style === 'json' ? toJsonLine(event.entry) : toPrettyLine(event.entry, colour)))
    else if (event.type === 'change' && style === 'pretty') writer.add(() => toChangeLine(event.row, colour))
  })
  process.once('exit', writer.flush)
  return () => {
    unsubscribe()
    writer.flush()
    process.off('exit', writer.flush)
  }
}

/** One write per turn of the event loop, so that the log does not slow down the server. */
export function createLineWriter(stream: NodeJS.WriteStream) {
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
    if (stream.writableLength > BACKLOG_BYTES) {
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

/** The entry as JSON. Reading an omitted field would redact it, for nothing. */
export function toJsonLine(entry: LogEntry): string {
  const names = (Object.keys(entry) as (keyof LogEntry)[]).filter((name) => !OMITTED.includes(name))
  const fields = Object.fromEntries(names.map((name) => [name, entry[name]]))
  return escapeUnsafe(JSON.stringify({ ...fields, durationMs: Math.round(entry.durationMs * 1000) / 1000 }))
}
