// Finds the row of a request that was just sent.
import type { RequestRow } from '../../world/row.ts'
import { nameRow } from '../rows/name-row.ts'

/** `known` are the names of the rows before it was sent. */
export type Sending = Readonly<{ known: ReadonlySet<string>; method: string; target: string }>

export function findSent(rows: readonly RequestRow[], sending: Sending): RequestRow | undefined {
  return rows.find((row) => {
    const isNew = !sending.known.has(nameRow(row))
    return isNew && row.method === sending.method && isTarget(row.target, sending.target)
  })
}

/** The log hides secrets in a query. */
function isTarget(shown: string, target: string): boolean {
  if (shown === target) return true
  const start = target.replace(/\?.*/s, '?')
  return shown.includes('…') && shown.startsWith(start)
}
