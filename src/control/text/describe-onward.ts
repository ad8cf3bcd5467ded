// What if onward in words: the rows that would differ, and the state at the end.
import { cutLine } from '../../contract/escape.ts'
import { count } from '../../contract/problem.ts'
import type { Onward, OnwardRequest, OnwardRow } from '../control.ts'
import { listDifferences } from '../describe-differences.ts'
import { printStatus } from '../print-status.ts'

/** A line for each of its rows, and for each difference at the end. */
export function describeOnward(found: Onward): string[] {
  const { rows, considered, differing, stoppedAt, after, note } = found
  const lines = [`${differing} of ${count(considered, 'response')} would differ`]
  for (const row of rows) lines.push(describeRow(row))
  if (stoppedAt !== null) lines.push(`stopped before row ${stoppedAt}`)
  for (const [, text] of listDifferences(after)) lines.push(`at the end: ${text}`)
  return [...lines, note].map((line) => cutLine(line))
}

function describeRow(row: OnwardRow): string {
  const note = row.note === null ? '' : `: ${row.note}`
  if (row.type === 'change') return `#${row.id} ${row.text}${note}`
  return `#${row.id} ${row.method} ${row.target} ${describeResult(row)}${note}`
}

function describeResult({ was, would, differs }: OnwardRequest): string {
  const sent = printStatus(was.status)
  if (!would) return `${sent} → unknown`
  if (!differs) return sent
  if (differs.status !== null) return `${sent} → ${printStatus(would.status)}`
  return `${sent}, ${differs.body ? 'another body' : 'other header fields'}`
}
