// The log: one line for each exchange, for people, with colour if the terminal has it, or for programs. An entry may come from another server.
import { escapeUnsafe } from '../client/escape.ts'
import type { Mock } from '../mock/mock.ts'
import type { LogEntry } from '../world/log-entry.ts'

/** What is needed of a stream like process.stdout. */
export interface LogStream {
  readonly isTTY?: boolean | undefined
  readonly writableLength: number
  write(text: string): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** What may wait for a reader that is slower than the mock; beyond it lines are left out, and counted. */
const BACKLOG_BYTES = 8 * 2 ** 20

const DIM = 2
const RED = 31
const GREEN = 32
const YELLOW = 33
const MAGENTA = 35
const CYAN = 36

const TARGET_WIDTH = 24
const TARGET_LIMIT = 300

/** Colour belongs on a terminal that wants it (no-color.org). */
export function hasColour(stream: Pick<LogStream, 'isTTY'>, environment: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'
}

/** Not the messages, which stay in the request log, nor the sandbox, whose name is a key. */
const LOGGED_FIELDS = [
  'id',
  'at',
  'realAt',
  'method',
  'target',
  'operation',
  'status',
  'assumptions',
  'faults',
  'surprises',
  'error',
  'problems',
  'notes',
  'outcome',
  'durationMs',
  'key',
] as const satisfies readonly (keyof LogEntry)[]

/** Logs to the stream from now on; returns what ends it. */
export function startLog({ control }: Mock, style: 'pretty' | 'json', stream: LogStream): () => void {
  const writer = createLineWriter(stream)
  const colour = hasColour(stream, process.env)
  const unsubscribe = control.subscribe((event) => {
    if (event.type === 'request') writer.add(() => (style === 'json' ? toJsonLine(event.entry) : toPrettyLine(event.entry, colour)))
  })
  process.once('exit', writer.flush)
  return () => {
    unsubscribe()
    writer.flush()
    process.off('exit', writer.flush)
  }
}

/** One write per turn of the event loop, so that the log does not slow down the server. */
export function createLineWriter(stream: LogStream) {
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

/** `10:02:03.125Z GET  /v1/pets?limit=5         200 0.4 ms listPets …-key`, and what is worth knowing after it. */
export function toPrettyLine(entry: LogEntry, colour: boolean, showsSandbox = false): string {
  const paint = (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const line = [
    paint(DIM, escapeUnsafe(entry.at.slice(11))),
    escapeUnsafe(entry.method).padEnd(4),
    escapeUnsafe(shorten(entry.target)).padEnd(TARGET_WIDTH),
    paint(colourOf(entry.status), entry.outcome === 'sent' ? String(entry.status) : escapeUnsafe(entry.outcome)),
    `${entry.durationMs.toFixed(entry.durationMs < 10 ? 1 : 0)} ms`,
    escapeUnsafe(entry.operation ?? '-'),
    paint(DIM, escapeUnsafe((showsSandbox ? entry.sandbox : null) ?? entry.key ?? '-')),
  ]
  const { error } = entry
  const reasons: string[] = []
  if (error !== null) reasons.push(paint(colourOf(entry.status), escapeUnsafe(error)))
  if (entry.assumptions.length > 0) reasons.push(paint(YELLOW, `assumes ${escapeUnsafe(entry.assumptions.join(', '))}`))
  if (entry.faults.length > 0) reasons.push(paint(MAGENTA, `fault ${escapeUnsafe(entry.faults.join(', '))}`))
  if (entry.surprises.length > 0) reasons.push(paint(CYAN, `surprise ${escapeUnsafe(entry.surprises.join(', '))}`))
  // A near miss is told as the error already.
  const notes = entry.notes.filter((note) => note !== error)
  if (notes.length > 0) reasons.push(paint(CYAN, escapeUnsafe(notes.join('; '))))
  if (reasons.length > 0) line.push(reasons.join(' · '))
  return line.join(' ')
}

/** The entry as JSON. Only the fields that are printed are read, since reading others would redact them. */
export function toJsonLine(entry: LogEntry): string {
  const fields = Object.fromEntries(LOGGED_FIELDS.map((name) => [name, entry[name]]))
  return escapeUnsafe(JSON.stringify({ ...fields, durationMs: Math.round(entry.durationMs * 1000) / 1000 }))
}

function shorten(target: string): string {
  return target.length <= TARGET_LIMIT ? target : `${target.slice(0, TARGET_LIMIT)}…`
}

function colourOf(status: number): number {
  if (status === 0) return MAGENTA
  if (status >= 500) return RED
  return status >= 400 ? YELLOW : GREEN
}
