// The log of a running mock: one line per request or change, for people or for programs.
import { escapeUnsafe } from '../../contract/escape.ts'
import { rowOf } from '../../control/events.ts'
import { hasColour } from '../../control/rows/has-colour.ts'
import { groupRepeats } from '../../control/rows/repeats.ts'
import { renderRowLines } from '../../control/rows/row-line.ts'
import { createOwners } from '../../control/rows/row-owners.ts'
import type { Mock } from '../../mock/mock.ts'
import { isRequest, type RequestRow, type TimelineRow } from '../../world/row.ts'

/** The messages stay in the request log, and the name of a sandbox may be a key. */
const OMITTED: readonly (keyof RequestRow)[] = ['type', 'request', 'response', 'sandbox', 'lacks']

/**
 * Writes the lines of one turn of the event loop at once, after the responses, so that it does not
 * slow them down.
 */
export function startLog(
  mock: Pick<Mock, 'control'>,
  style: 'pretty' | 'json',
  stream: NodeJS.WriteStream,
) {
  const colour = hasColour(stream, process.env)
  const findOwner = createOwners()
  const rows: TimelineRow[] = []
  // The reader has gone (`| head -1`); the mock keeps serving.
  stream.on('error', () => {})

  function flush(): void {
    const lines = render(rows.splice(0))
    if (lines.length > 0) stream.write(`${lines.join('\n')}\n`)
  }

  function render(batch: readonly TimelineRow[]): string[] {
    if (style === 'json')
      return batch.filter(isRequest).map((row) => toJsonLine(row, findOwner(row)))
    return renderRowLines(groupRepeats(batch), { colour, findOwner })
  }

  const unsubscribe = mock.control.subscribe((event) => {
    const row = rowOf(event)
    if (!row) return
    if (rows.length === 0) setImmediate(flush)
    rows.push(row)
  })
  process.once('exit', flush)
  return () => {
    unsubscribe()
    flush()
    process.off('exit', flush)
  }
}

/** Reads only the fields that it prints, since reading a message redacts it. */
export function toJsonLine(row: RequestRow, owner: string | null = null): string {
  const fields: Record<string, unknown> = {}
  for (const name of Object.keys(row) as (keyof RequestRow)[]) {
    if (!OMITTED.includes(name)) fields[name] = row[name]
  }
  if (owner !== null) fields.sandbox = owner
  fields.durationMs = Math.round(row.durationMs * 1000) / 1000
  return escapeUnsafe(JSON.stringify(fields))
}
