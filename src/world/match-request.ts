// Whether a request is the expected one: in part, exact at int64, field by field. Faults with a
// condition and `verify` expect plain data; the kits add patterns such as regular expressions.
import { misuse } from '../contract/errors.ts'
import { isObject, isPlainObject, readOwn } from '../contract/values.ts'

type Values = Readonly<Record<string, unknown>>

/** What a request must be. Fields that are not named may be anything. */
export interface RequestPattern {
  /** Query parameters, compared as text; null for one that must be absent. @default any */
  readonly query?: Values | undefined
  /** Header fields by their names in any case; null for one that must be absent. @default any */
  readonly headers?: Values | undefined
  /** The JSON body: for objects the named fields, for lists every item. @default any */
  readonly body?: unknown
}

/** The parts of a request that a pattern is about. Header fields have lower-case names. */
export interface SentParts {
  readonly query: Values
  readonly headers: Values
  readonly body: unknown
}

/** One thing that differs. */
export interface Mismatch {
  /** Where it is, such as `body.name`. */
  readonly path: string
  readonly expected: unknown
  readonly got: unknown
}

/** Compares what is not plain data; undefined for plain data. */
export type MatchSpecial = (expected: unknown, actual: unknown) => boolean | undefined

const MATCH_PLAIN: MatchSpecial = () => undefined

export function findMismatches(
  pattern: RequestPattern,
  sent: SentParts,
  matchSpecial: MatchSpecial = MATCH_PLAIN,
): Mismatch[] {
  const found: Mismatch[] = []
  const { query, headers, body } = pattern
  if (query) found.push(...compareTexts('query', query, sent.query, matchSpecial))
  if (headers) {
    const named = lowerNames(headers)
    found.push(...compareTexts('headers', named, sent.headers, matchSpecial))
  }
  if (body !== undefined) found.push(...compare('body', body, sent.body, matchSpecial))
  return found
}

/** What is sent as text is compared as text. */
function compareTexts(
  path: string,
  expected: Values,
  actual: Values,
  matchSpecial: MatchSpecial,
): Mismatch[] {
  const found: Mismatch[] = []
  for (const [name, value] of Object.entries(expected)) {
    const text = toText(value)
    found.push(...compare(`${path}.${name}`, text, readOwn(actual, name), matchSpecial))
  }
  return found
}

function lowerNames(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => [name.toLowerCase(), value])
  return Object.fromEntries(entries)
}

function toText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toText)
  if (value === null || value === undefined) return undefined
  return isObject(value) ? value : String(value)
}

export function compare(
  path: string,
  expected: unknown,
  actual: unknown,
  matchSpecial: MatchSpecial = MATCH_PLAIN,
): Mismatch[] {
  const mismatch = { path, expected, got: actual }
  const special = matchSpecial(expected, actual)
  if (special !== undefined) return special ? [] : [mismatch]
  if (isObject(expected) && isObject(actual)) {
    return Object.keys(expected).flatMap((key) => {
      return compare(`${path}.${key}`, expected[key], readOwn(actual, key), matchSpecial)
    })
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => {
      return compare(`${path}[${index}]`, item, actual[index], matchSpecial)
    })
  }
  return isSame(expected, actual) ? [] : [mismatch]
}

/** Refuses numbers that have lost digits before they came here. */
export function checkExact(path: string, expected: unknown): void {
  if (Array.isArray(expected)) {
    for (const [index, item] of expected.entries()) checkExact(`${path}[${index}]`, item)
  } else if (isPlainObject(expected)) {
    for (const [name, value] of Object.entries(expected)) checkExact(`${path}.${name}`, value)
  } else if (Number.isInteger(expected) && !Number.isSafeInteger(expected)) {
    throw misuse(path, `${expected} is not exact as a number; write it as a bigint`)
  }
}

/** 5 and 5n are the same int64. */
function isSame(expected: unknown, actual: unknown): boolean {
  if (isNumeric(expected) && isNumeric(actual)) return String(expected) === String(actual)
  return expected === actual
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}
