// The log of a running mock: one line per request or change, for people or for programs.
import type { Mock } from '../mock/mock.ts'
import { escapeUnsafe } from '../render/escape.ts'
import { describeTimes, hasColour, isSameRequest, type Repeats, rowOf, toLine } from '../render/rows.ts'
import { isRequest, type RequestRow, type TimelineRow } from '../world/row.ts'

/** The messages stay in the request log, and the name of a sandbox is a key. */
const OMITTED: readonly (keyof RequestRow)[] = ['type', 'request', 'response', 'sandbox', 'lacks']
const SHARED_LINE_MS = 1_000

/** Writes the lines of one turn of the event loop at once, after the responses, so that it does not slow down the server. */
export function startLog({ control }: Pick<Mock, 'control'>, style: 'pretty' | 'json', stream: NodeJS.WriteStream): () => void {
  const colour = hasColour(stream, process.env)
  const rows: TimelineRow[] = []
  let last: Repeats<TimelineRow> | undefined
  /** Runs while the last row waits for equal ones, to share a line with them. */
  let timer: NodeJS.Timeout | undefined
  // The reader has gone (`| head -1`); the mock keeps serving.
  stream.on('error', () => {})

  function write(lines: readonly string[]): void {
    if (lines.length > 0) stream.write(`${lines.join('\n')}\n`)
  }

  function release(): string[] {
    if (!last || !timer) return []
    clearTimeout(timer)
    timer = undefined
    return [toLine(last.row, { colour, times: describeTimes(last) })]
  }

  function show(row: TimelineRow): string[] {
    if (style === 'json') return isRequest(row) ? [toJsonLine(row)] : []
    const run = last && isSameRequest(last.row, row) ? last : undefined
    const before = run ? [] : release()
    last = { row, first: run?.first ?? row, times: (run?.times ?? 0) + 1 }
    const isSoon = run && (timer || Date.parse(row.realAt) - Date.parse(run.row.realAt) < SHARED_LINE_MS)
    if (!isSoon) return [...before, toLine(row, { colour, times: describeTimes(last) })]
    timer ??= setTimeout(() => write(release()), SHARED_LINE_MS).unref()
    return []
  }

  const flush = () => write(rows.splice(0).flatMap(show))
  const unsubscribe = control.subscribe((event) => {
    const row = rowOf(event)
    if (row && rows.length === 0) setImmediate(flush)
    if (row) rows.push(row)
  })
  const end = () => {
    flush()
    write(release())
  }
  process.once('exit', end)
  return () => {
    unsubscribe()
    end()
    process.off('exit', end)
  }
}

/** Reads only the fields that it prints, since reading a message redacts it. */
export function toJsonLine(row: RequestRow): string {
  const names = (Object.keys(row) as (keyof RequestRow)[]).filter((name) => !OMITTED.includes(name))
  const fields = Object.fromEntries(names.map((name) => [name, row[name]]))
  return escapeUnsafe(JSON.stringify({ ...fields, durationMs: Math.round(row.durationMs * 1000) / 1000 }))
}
