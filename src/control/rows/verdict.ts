// Whether the requests of a mock are what a tester expects, and if not, what they should know.
import type { Int64, OperationId } from '../../contract/generated/contract.ts'
import { count } from '../../contract/problem.ts'
import { doAtOnce, type Task } from '../../contract/turns.ts'
import { describeKey } from '../../contract/values.ts'
import {
  checkExact,
  compare,
  findMismatches,
  type MatchSpecial,
  type Mismatch,
  type RequestPattern,
  type SentParts,
} from '../../world/match-request.ts'
import { isWaiting, type RequestRow } from '../../world/row.ts'
import { describeRequest } from './describe-request.ts'

/** What a request must be, and how many there must be. */
export interface ExpectedRequests extends RequestPattern {
  /** The id in the path. @default any */
  readonly petId?: Int64 | undefined
  /** The API key that it was sent with. @default any */
  readonly apiKey?: string | undefined
  /** The status of the response; 0 for no response. @default any */
  readonly status?: number | undefined
  /** Exactly how many must match. @default one or more */
  readonly times?: number | undefined
  /** At least this many must match. @default 1, or 0 with `atMost` */
  readonly atLeast?: number | undefined
  /** At most this many may match. @default any number */
  readonly atMost?: number | undefined
}

export type Expectation = ExpectedRequests & { readonly operation?: OperationId | undefined }

/** A request that differs from the expected one, with what differs. */
export interface Compared {
  readonly row: RequestRow
  readonly differences: readonly Mismatch[]
}

/** How an expected value, or what came instead, reads in a sentence. */
type ShowValue = (value: unknown) => string

type Range = Readonly<{ least: number; most: number }>

export type Verdict = ResultOf<ReturnType<typeof takeVerdict>>
type ResultOf<Taken> = Taken extends Task<infer Result> ? Result : never

const MAX_SHOWN = 3

/** `keyed` are those of the rows that came with the expected API key. */
export function judge(
  rows: readonly RequestRow[],
  expected: Expectation,
  keyed: readonly Pick<RequestRow, 'id'>[],
  match?: MatchSpecial,
): Verdict {
  return doAtOnce(takeVerdict(rows, expected, keyed, match))
}

/** The task of judging. It pauses after each request: its body may be long. */
export function* takeVerdict(
  rows: readonly RequestRow[],
  expected: Expectation,
  keyed: readonly Pick<RequestRow, 'id'>[],
  match?: MatchSpecial,
) {
  checkExact('petId', expected.petId)
  checkExact('body', expected.body)
  const { status, ...withoutStatus } = expected
  const { least, most } = rangeOf(expected)
  const keyedIds = new Set(keyed.map((row) => row.id))
  const compareWith = (row: RequestRow, wanted: Expectation) =>
    findDifferences(row, wanted, keyedIds.has(row.id), match)
  const compared: Compared[] = []
  for (const row of rows) {
    compared.push({ row, differences: compareWith(row, expected) })
    yield
  }
  compared.sort((one, other) => one.differences.length - other.differences.length)
  const matching = compared.filter((one) => one.differences.length === 0)
  const found = matching.length
  // The status of a delayed response is not known yet.
  const mayMatch = (row: RequestRow) =>
    isWaiting(row) && compareWith(row, withoutStatus).length === 0
  const isOpen = status !== undefined && rows.some(mayMatch)
  const isEnough = found >= least
  const isTooMany = found > most
  const isUnlimited = most === Number.POSITIVE_INFINITY
  return {
    expected,
    pass: isEnough && !isTooMany && (isUnlimited || !isOpen),
    /** No later request can change it. */
    isFinal: isTooMany || (isEnough && isUnlimited),
    isTooMany,
    /** A response that may still match is delayed. */
    isOpen,
    matching,
    /** The nearest first. */
    others: compared.slice(found),
  }
}

function rangeOf({ times, atLeast, atMost }: Expectation): Range {
  if (times !== undefined) return { least: times, most: times }
  const usualLeast = atMost === undefined ? 1 : 0
  return { least: atLeast ?? usualLeast, most: atMost ?? Number.POSITIVE_INFINITY }
}

/** `hasKey`: the request came with the expected API key. */
function findDifferences(
  row: RequestRow,
  expected: Expectation,
  hasKey: boolean,
  match?: MatchSpecial,
): Mismatch[] {
  const { operation, petId, apiKey, status } = expected
  if (operation && row.operation !== operation)
    return compare('operation', operation, row.operation ?? undefined)
  const found: Mismatch[] = []
  if (petId !== undefined) found.push(...compare('petId', petId, row.petId ?? undefined))
  found.push(...findMismatches(expected, readSent(row), match))
  if (apiKey !== undefined && !hasKey)
    found.push({ path: 'apiKey', expected: describeKey(apiKey), got: row.key ?? undefined })
  if (status !== undefined) {
    const actual = isWaiting(row) ? undefined : row.status
    found.push(...compare('status', status, actual))
  }
  return found
}

/** Read when it is compared: to hide secrets in a body and to parse it takes time. */
function readSent(row: RequestRow): SentParts {
  return {
    query: row.query,
    get headers() {
      return row.request.headers
    },
    get body() {
      const { json } = row
      return json === undefined ? row.request.body || undefined : json
    },
  }
}

export function explainVerdict(verdict: Verdict, within: string, show: ShowValue): string[] {
  const { pass, isTooMany, isOpen, matching, others } = verdict
  const { operation } = verdict.expected
  const found = matching.length
  if (found + others.length === 0) return [`Received ${count(0, 'request')}${within}.`]
  const describe = (compared: readonly Compared[]) => describeFirst(compared, show)
  const requests = count(found, operation ? `matching ${operation} request` : 'request')
  const title = `Received ${requests}${describeExpected(verdict.expected)}`
  if (pass && found === 0) return [`${title}.`]
  if (pass || isTooMany) return [`${title}:`, ...describe(matching)]
  const start = `${title}${within}${isOpen ? '; a response is still delayed' : ''}`
  const nearest = describe(nearestOf(verdict))
  if (found === 0) return [`${start}. The nearest:`, ...nearest]
  const lines = [`${start}:`, ...describe(matching)]
  return others.length > 0 ? [...lines, 'The nearest:', ...nearest] : lines
}

/** The requests that differ least; those of the expected operation if there are any. */
export function nearestOf({ expected, others }: Verdict): readonly Compared[] {
  const ofOperation = others.filter((one) => one.row.operation === expected.operation)
  return (ofOperation.length > 0 ? ofOperation : others).slice(0, MAX_SHOWN)
}

/** `one or more` needs no words. */
function describeExpected({ times, atLeast, atMost }: Expectation): string {
  if (times !== undefined) return times === 0 ? '' : ` (expected ${times})`
  const bounds: string[] = []
  if (atLeast !== undefined) bounds.push(`at least ${atLeast}`)
  if (atMost !== undefined) bounds.push(`at most ${atMost}`)
  return bounds.length === 0 ? '' : ` (expected ${bounds.join(' and ')})`
}

function describeFirst(compared: readonly Compared[], show: ShowValue): string[] {
  const lines: string[] = []
  for (const { row, differences } of compared.slice(0, MAX_SHOWN)) {
    const texts = differences.map((one) => sayMismatch(one, show))
    lines.push(...describeRequest(row, texts))
  }
  if (compared.length > MAX_SHOWN) lines.push(`… and ${compared.length - MAX_SHOWN} more`)
  return lines
}

function sayMismatch(mismatch: Mismatch, show: ShowValue): string {
  const { path, expected, got } = mismatch
  // A key is shown by its end, without quotes.
  if (path === 'apiKey') return `apiKey: expected ${expected}, got ${got ?? 'nothing'}`
  return `${path}: expected ${show(expected)}, got ${show(got)}`
}
