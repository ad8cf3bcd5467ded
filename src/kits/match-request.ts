// Whether a request of the journal is the one that a test expects: in part, exact at int64, and if it is not, in which fields.
import { cutText, isObject } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { parseJson, toJson } from '../contract/int64-json.ts'
import { integerBetween, type OptionRules, objectLike } from '../contract/options.ts'
import { MAX_JOURNAL_BODY_CHARACTERS } from '../limits.ts'
import type { JournalEntry } from '../world/journal-entry.ts'

/** What a request must have been; fields that are not named may be anything. */
export interface ExpectedRequest {
  /** Parameters of the query, compared as text; `undefined` for one that must be absent. */
  readonly query?: Readonly<Record<string, unknown>>
  /** The JSON body: of objects the named fields, of lists every item. Asymmetric matchers such as `expect.any(String)` work too. */
  readonly body?: unknown
  /** The status of the response; 0 for a dropped connection. */
  readonly status?: number
}

interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
  toAsymmetricMatcher?(): string
}

const MAX_VALUE_CHARACTERS = 100
const KEPT = `the first ${MAX_JOURNAL_BODY_CHARACTERS.toLocaleString('en')} characters`

export const expectedRules: OptionRules<ExpectedRequest> = {
  query: objectLike('{ limit: 5 }'),
  body: { expected: 'anything', fits: () => true },
  status: integerBetween(0, 599),
}

/** Whether a request is the expected one: why it is not, and why nobody can say, one line each. It is if there are neither. */
export interface Match {
  readonly differences: readonly string[]
  readonly doubts: readonly string[]
}

export function matchRequest(entry: JournalEntry, { query = {}, body, status }: ExpectedRequest): Match {
  const sent = new URLSearchParams(entry.target.slice(entry.target.indexOf('?') + 1 || entry.target.length))
  const differences = Object.entries(query).flatMap(([name, value]) => {
    const values = sent.getAll(name)
    return compare(`query.${name}`, toText(value), values.length > 1 ? values : values[0])
  })
  const doubts: string[] = []
  const text = entry.request.body
  const actual = readBody(text)
  if (body !== undefined) {
    // Cut, by its end, which no JSON has: secrets are redacted after the cut, so that its length says nothing.
    if (actual === text && text.endsWith('…')) doubts.push(`body: expected ${show(body)}, but the journal has only ${KEPT} of it`)
    else differences.push(...compare('body', body, actual))
  }
  if (status !== undefined) {
    if (entry.outcome === 'waiting') doubts.push(`status: expected ${status}, but the response is still held back`)
    else differences.push(...compare('status', status, entry.status))
  }
  return { differences, doubts }
}

function compare(path: string, expected: unknown, actual: unknown): string[] {
  if (typeof expected === 'number' && Number.isInteger(expected) && !Number.isSafeInteger(expected)) {
    throw new UsageError(`${path}: ${expected} is not exact as a number; write it as a bigint`)
  }
  if (isObject(expected) && isObject(actual) && !isAsymmetric(expected)) {
    return Object.keys(expected).flatMap((key) =>
      compare(`${path}.${key}`, expected[key], Object.hasOwn(actual, key) ? actual[key] : undefined),
    )
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => compare(`${path}[${index}]`, item, actual[index]))
  }
  return isSame(expected, actual) ? [] : [`${path}: expected ${show(expected)}, got ${show(actual)}`]
}

function isSame(expected: unknown, actual: unknown): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual)
  // 5 and 5n are the same int64.
  return expected === actual || (isNumeric(expected) && isNumeric(actual) && String(expected) === String(actual))
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return isObject(value) && typeof value.asymmetricMatch === 'function'
}

function toText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toText)
  return isNumeric(value) || typeof value === 'boolean' ? String(value) : value
}

/** The body as a value; what is no JSON, or was cut by the journal, stays text. */
function readBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/** A value in as many words as a line has room for. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const printable = toPrintable(value)
  return cutText(isAsymmetric(value) ? String(printable) : toJson(printable), MAX_VALUE_CHARACTERS)
}

function toPrintable(value: unknown): unknown {
  if (isAsymmetric(value)) return value.toAsymmetricMatcher?.() ?? String(value)
  if (Array.isArray(value)) return value.map(toPrintable)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPrintable(item)])) : value
}
