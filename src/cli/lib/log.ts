// The log of a running mock: one line per request or change, for people or for programs.

import { escapeUnsafe } from '../../contract/escape.ts'
import { rowOf } from '../../control/events.ts'
import { groupRepeats } from '../../control/text/repeats.ts'
import { hasColour, renderLines } from '../../control/text/row-line.ts'
import type { Mock } from '../../mock/mock.ts'
import { isRequest, type RequestRow, type TimelineRow } from '../../world/row.ts'

/** The messages stay in the request log, and the name of a sandbox is a key. */
const OMITTED: readonly (keyof RequestRow)[] = ['type', 'request', 'response', 'sandbox', 'lacks']

/**
 * Writes the lines of one turn of the event loop at once, after the responses, so that it does not
 * slow them down.
 */
export function startLog(
  { control }: Pick<Mock, 'control'>,
  style: 'pretty' | 'json',
  stream: NodeJS.WriteStream,
) {
  const colour = hasColour(stream, process.env)
  const rows: TimelineRow[] = []
  // The reader has gone (`| head -1`); the mock keeps serving.
  stream.on('error', () => {})

  function flush(): void {
    const batch = rows.splice(0)
    const lines =
      style === 'json'
        ? batch.filter(isRequest).map(toJsonLine)
        : renderLines(groupRepeats(batch), { colour })
    if (lines.length > 0) stream.write(`${lines.join('\n')}\n`)
  }

  const unsubscribe = control.subscribe((event) => {
    const row = rowOf(event)
    if (row && rows.length === 0) setImmediate(flush)
    if (row) rows.push(row)
  })
  process.once('exit', flush)
  return () => {
    unsubscribe()
    flush()
    process.off('exit', flush)
  }
}

/** Reads only the fields that it prints, since reading a message redacts it. */
export function toJsonLine(row: RequestRow): string {
  const names = (Object.keys(row) as (keyof RequestRow)[]).filter((name) => !OMITTED.includes(name))
  const fields = Object.fromEntries(names.map((name) => [name, row[name]]))
  return escapeUnsafe(
    JSON.stringify({ ...fields, durationMs: Math.round(row.durationMs * 1000) / 1000 }),
  )
}
