// Whether the requests of a store are what a test expects, and if not, what it should know of them.
import { count } from '../contract/problem.ts'
import { describeRequest } from '../control/text/describe-request.ts'
import type { RequestRow } from '../world/row.ts'
import { type Expectation, findDifferences } from './match-request.ts'

interface Compared {
  readonly row: RequestRow
  readonly differences: readonly string[]
}

export type Verdict = ReturnType<typeof judge>

const MAX_SHOWN = 3

/** `keyed` has the ids of the requests with the expected API key. */
export function judge(
  rows: readonly RequestRow[],
  expected: Expectation,
  keyed: ReadonlySet<number>,
) {
  const { status, ...withoutStatus } = expected
  const { times } = expected
  const compare = (row: RequestRow, wanted: Expectation) =>
    findDifferences(row, wanted, keyed.has(row.id))
  const compared: Compared[] = rows.map((row) => ({ row, differences: compare(row, expected) }))
  compared.sort((one, other) => one.differences.length - other.differences.length)
  const matching = compared.filter((one) => one.differences.length === 0)
  const found = matching.length
  // The status of a delayed response is not known yet.
  const isOpen =
    status !== undefined &&
    rows.some((row) => row.outcome === 'waiting' && compare(row, withoutStatus).length === 0)
  const isTooMany = times !== undefined && found > times
  const hasAny = times === undefined && found > 0
  return {
    expected,
    pass: hasAny || (found === times && !isOpen),
    /** No later request can change it. */
    isFinal: hasAny || isTooMany,
    isTooMany,
    /** A response that may still match is delayed. */
    isOpen,
    matching,
    /** The nearest first. */
    others: compared.slice(found),
  }
}

export function explainVerdict(verdict: Verdict, within: string, hint: string): string[] {
  const { isTooMany, isOpen, matching, others } = verdict
  const { operation, times } = verdict.expected
  const found = matching.length
  if (found + others.length === 0) return [`Received ${count(0, 'request')}${within}.`, hint]
  const requests = count(found, operation ? `matching ${operation} request` : 'request')
  const title = `Received ${requests}${times ? ` (expected ${times})` : ''}`
  if (isTooMany) return [`${title}:`, ...describeFirst(matching)]
  const start = `${title}${within}${isOpen ? '; a response is still delayed' : ''}`
  const ofOperation = others.filter((one) => one.row.operation === operation)
  const nearest = describeFirst(ofOperation.length > 0 ? ofOperation : others)
  if (found === 0) return [`${start}. The nearest:`, ...nearest]
  const lines = [`${start}:`, ...describeFirst(matching)]
  return others.length > 0 ? [...lines, 'The nearest:', ...nearest] : lines
}

const describeFirst = (compared: readonly Compared[]): string[] =>
  compared.slice(0, MAX_SHOWN).flatMap((one) => describeRequest(one.row, one.differences))
