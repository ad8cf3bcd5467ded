// The failures that you have not seen yet. What you have seen stays seen across reloads.
import { isFailure } from '../../control/rows/reasons.ts'
import { isRequest, type TimelineRow } from '../../world/row.ts'
import { findLeftBehind } from './arrange.ts'
import { mockUrl } from './connection.ts'
import { tryStorage } from './drafts.ts'

const KEPT = `animal-store-mock.seen ${mockUrl}`

/** When the newest row that you have seen came. */
let seenAt = tryStorage(() => sessionStorage.getItem(KEPT)) ?? ''

export function see(rows: readonly TimelineRow[]): void {
  const newest = rows[0]?.realAt ?? ''
  if (newest <= seenAt) return
  seenAt = newest
  tryStorage(() => sessionStorage.setItem(KEPT, newest))
}

/** What a rewind has left behind does not count. */
export function countNewFailures(rows: readonly TimelineRow[]): number {
  const failures = rows.filter((row) => row.realAt > seenAt && isRequest(row) && isFailure(row))
  if (failures.length === 0) return 0
  const left = findLeftBehind(rows)
  return failures.filter((row) => !left.has(row)).length
}
