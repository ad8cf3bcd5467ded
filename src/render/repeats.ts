// Identical requests in a row within a second, as one: that is how a retry loop or a double click looks.
import { type ChangeRow, isChange } from '../world/change.ts'
import type { LogEntry } from '../world/log-entry.ts'

type Row = LogEntry | ChangeRow

/** The last of some identical requests, how many there were, and the first of them. */
export interface Repeats<T> {
  readonly row: T
  readonly times: number
  readonly first: T
}

const WITHIN_MS = 1_000
const SAME = ['method', 'target', 'status', 'outcome', 'key', 'sandbox', 'error', 'faults', 'surprises'] as const

/** Whether a row is the same request as the first of those before it, with the same result, soon after it. */
export function isRepeat(first: Row, row: Row): boolean {
  if (isChange(first) || isChange(row)) return false
  const isSame = SAME.every((name) => String(first[name]) === String(row[name]))
  return isSame && Date.parse(row.realAt) - Date.parse(first.realAt) < WITHIN_MS && first.request.body === row.request.body
}

export function groupRepeats<T extends Row>(rows: readonly T[]): Repeats<T>[] {
  const groups: Repeats<T>[] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last && isRepeat(last.first, row)) groups[groups.length - 1] = { ...last, row, times: last.times + 1 }
    else groups.push({ row, times: 1, first: row })
  }
  return groups
}

/** `3 times since #2`; empty for a single request. */
export function describeTimes({ times, first }: Repeats<Row>): string {
  return times === 1 ? '' : `${times} times since #${first.id}`
}
