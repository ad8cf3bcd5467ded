// The name of a row, such as `12` or `12.my-key`.
import type { TimelineRow } from '../../world/row.ts'

/** Unique: a host may count the rows of each sandbox by themselves. */
export function nameRow(row: Pick<TimelineRow, 'id' | 'sandbox'>): string {
  return row.sandbox === null ? String(row.id) : `${row.id}.${row.sandbox}`
}
