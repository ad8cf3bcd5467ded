// Finds the row of a request that was just sent.
import type { RequestRow, TimelineRow } from '../../world/row.ts'

/** `known` are the names of the rows before it was sent. */
export type Sending = Readonly<{ known: ReadonlySet<string>; method: string; target: string }>

/** Unique: a host may count the rows of each sandbox by themselves. */
export function nameOf(row: Pick<TimelineRow, 'id' | 'sandbox'>): string {
  return row.sandbox === null ? String(row.id) : `${row.id}.${row.sandbox}`
}

export function findSent(rows: readonly RequestRow[], sending: Sending): RequestRow | undefined {
  return rows.find((row) => {
    const isNew = !sending.known.has(nameOf(row))
    return isNew && row.method === sending.method && isTarget(row.target, sending.target)
  })
}

/** The log hides secrets in a query. */
function isTarget(shown: string, target: string): boolean {
  if (shown === target) return true
  const start = target.replace(/\?.*/s, '?')
  return shown.includes('…') && shown.startsWith(start)
}
