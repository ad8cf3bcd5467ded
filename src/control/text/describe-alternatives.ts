// The alternatives of a request in words.
import { escapeUnsafe } from '../../contract/escape.ts'
import type { RequestRow } from '../../world/row.ts'
import type { Alternative } from '../control.ts'
import { describeWhatIfChange } from '../describe-what-if-change.ts'
import { printStatus } from '../print-status.ts'

/** `with invalid-query=clamp: 200`. */
export function describeAlternatives(alternatives: readonly Alternative[]): string[] {
  return alternatives.map(({ change, status, error }) => {
    const result = status === null ? 'unknown' : printStatus(status)
    const reason = error === null ? '' : ` (${error})`
    return escapeUnsafe(`${describeWhatIfChange(change)}: ${result}${reason}`)
  })
}

/** How a failed request could have succeeded; empty if no alternative does. */
export function describeWayOut(row: RequestRow, alternatives: readonly Alternative[]): string {
  const found = alternatives.find((one) => one.status && one.status < 400)
  if (!found) return ''
  const result = `${row.method} ${row.target} got ${printStatus(row.status)}`
  const instead = `${describeWhatIfChange(found.change)} it would get ${found.status}`
  return escapeUnsafe(`${result}; ${instead}`)
}
