// The log of a running mock: one line per request or change, for people or for programs.
import type { MockEvent } from '../control/control.ts'
import type { Mock } from '../mock/mock.ts'
import { escapeUnsafe } from '../render/escape.ts'
import { describeTimes, hasColour, isRepeat, type Repeats, toLine } from '../render/rows.ts'
import { isRequest, type RequestRow, type TimelineRow } from '../world/row.ts'

const REPEATS_MS = 1_000
/** The messages stay in the request log, and the name of a sandbox is a key. */
const OMITTED: readonly (keyof RequestRow)[] = ['type', 'request', 'response', 'sandbox']

/** The row that an event completes, if any. */
export function rowOf(event: MockEvent): TimelineRow | undefined {
  return event.type === 'request' || event.type === 'change' ? event.row : undefined
}

export function startLog({ control }: Mock, style: 'pretty' | 'json', stream: NodeJS.WriteStream): () => void {
  const writer = createLineWriter(stream)
  const repeats = createRepeatFilter(hasColour(stream, process.env), writer.add)
  const unsubscribe = control.subscribe((event) => {
    const row = rowOf(event)
    if (row && style === 'pretty') writer.add(() => repeats.show(row))
    else if (row && isRequest(row)) writer.add(() => toJsonLine(row))
  })
  const end = () => {
    writer.add(repeats.release)
    writer.flush()
  }
  process.once('exit', end)
  return () => {
    unsubscribe()
    end()
    process.off('exit', end)
  }
}

/** Shows a request at once. Identical requests after it wait for another row or for a second, and share one line. */
export function createRepeatFilter(colour: boolean, add: (toLine: () => string | undefined) => void) {
  let first: TimelineRow | undefined
  let held: Repeats<TimelineRow> | undefined
  let timer: NodeJS.Timeout | undefined

  function release(): string | undefined {
    clearTimeout(timer)
    const line = held && toLine(held.row, { colour, times: describeTimes(held) })
    held = undefined
    return line
  }

  return {
    release,
    show(row: TimelineRow): string | undefined {
      if (first && isRepeat(first, row)) {
        if (!held) timer = setTimeout(() => add(release), REPEATS_MS).unref()
        held = { row, first, times: (held?.times ?? 1) + 1 }
        return undefined
      }
      const before = release()
      first = row
      return [before ?? [], toLine(row, { colour })].flat().join('\n')
    },
  }
}

/** One write per turn of the event loop, so that the log does not slow down the server. */
export function createLineWriter(stream: NodeJS.WriteStream) {
  let waiting: (() => string | undefined)[] = []
  let isBroken = false
  // The reader has gone (`| head -1`); the mock keeps serving.
  stream.on('error', () => {
    isBroken = true
  })

  function flush(): void {
    const lines = waiting
    waiting = []
    const text = isBroken ? '' : lines.flatMap((toLine) => toLine() ?? []).join('\n')
    if (text !== '') stream.write(`${text}\n`)
  }

  return {
    /** Lines are made when they are written, after the response has gone out. */
    add(toLine: () => string | undefined): void {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push(toLine)
    },
    flush,
  }
}

/** Reads only the fields that it prints, since reading a message redacts it. */
export function toJsonLine(entry: RequestRow): string {
  const names = (Object.keys(entry) as (keyof RequestRow)[]).filter((name) => !OMITTED.includes(name))
  const fields = Object.fromEntries(names.map((name) => [name, entry[name]]))
  return escapeUnsafe(JSON.stringify({ ...fields, durationMs: Math.round(entry.durationMs * 1000) / 1000 }))
}
