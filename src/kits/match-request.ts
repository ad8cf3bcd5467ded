// Compares a logged request with the one that a test expects: in part, exact at int64, field by
// field.
import { misuse } from '../contract/errors.ts'
import type { Int64, OperationId } from '../contract/generated/contract.ts'
import { MAX_DELAY_MS } from '../contract/limits.ts'
import {
  CHECKED_LATER,
  COUNT,
  INT64,
  LOGGED_STATUS,
  OBJECT,
  type OptionSchemas,
} from '../contract/options.ts'
import { cutText, describeKey, isObject, readOwn } from '../contract/values.ts'
import { apiKeySchema } from '../scenario/settings/access.ts'
import type { RequestRow } from '../world/row.ts'

/** What a request must have been; fields that are not named may be anything. */
export interface ExpectedRequest {
  /** Query parameters, compared as text; `undefined` for one that must be absent. @default any */
  readonly query?: Values
  /** The id in the path. @default any */
  readonly petId?: Int64 | undefined
  /**
   * Header fields, by their names in any case; `undefined` for one that must be absent.
   * @default any
   */
  readonly headers?: Values
  /**
   * The JSON body: for objects the named fields, for lists every item; `expect.any(String)` works
   * too. @default any
   */
  readonly body?: unknown
  /** The API key that it was sent with. @default any */
  readonly apiKey?: string
  /** The status of the response; 0 for no response. @default any */
  readonly status?: number
  /** Exactly how many must match; not with `.not`. @default one or more */
  readonly times?: number
  /** How long to wait for the request, in milliseconds. @default that of the store, else 1000 */
  readonly timeout?: number
}

export type Expectation = ExpectedRequest & { readonly operation?: OperationId | undefined }
type Values = Readonly<Record<string, unknown>>
type Matcher = { asymmetricMatch(value: unknown): boolean; toAsymmetricMatcher?(): string }
const MAX_VALUE_CHARACTERS = 100

export const expectedSchemas: OptionSchemas<ExpectedRequest> = {
  query: OBJECT,
  petId: INT64,
  headers: OBJECT,
  body: CHECKED_LATER,
  apiKey: apiKeySchema,
  status: LOGGED_STATUS,
  times: COUNT,
  timeout: { ...COUNT, maximum: MAX_DELAY_MS },
}

/** What differs from the expected request, one line each. `hasKey`: it came with that API key. */
export function findDifferences(row: RequestRow, expected: Expectation, hasKey: boolean): string[] {
  const { operation, petId, body, apiKey, status } = expected
  if (operation && row.operation !== operation)
    return compare('operation', operation, row.operation ?? undefined)
  const found: string[] = []
  if (petId !== undefined) found.push(...compare('petId', petId, row.petId ?? undefined))
  found.push(...compare('query', toTexts(expected.query), row.query))
  found.push(...compare('headers', lowerNames(toTexts(expected.headers)), row.request.headers))
  if (body !== undefined) found.push(...compare('body', body, readSentBody(row)))
  if (apiKey !== undefined && !hasKey)
    found.push(`apiKey: expected ${describeKey(apiKey)}, got ${row.key ?? 'nothing'}`)
  if (status !== undefined) {
    const actual = row.outcome === 'waiting' ? undefined : row.status
    found.push(...compare('status', status, actual))
  }
  return found
}

const readSentBody = (row: RequestRow): unknown =>
  row.json === undefined ? row.request.body || undefined : row.json

const toTexts = (values: Values = {}): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toText(value)]))

const lowerNames = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]))

/** What is sent as text is compared as text; matchers stay what they are. */
function toText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toText)
  return value === undefined || isObject(value) ? value : String(value)
}

function compare(path: string, expected: unknown, actual: unknown): string[] {
  if (Number.isInteger(expected) && !Number.isSafeInteger(expected))
    throw misuse(path, `${expected} is not exact as a number; write it as a bigint`)
  if (isPattern(expected))
    return isMatch(expected, actual) ? [] : [describe(path, expected, actual)]
  if (isObject(expected) && isObject(actual))
    return Object.keys(expected).flatMap((key) =>
      compare(`${path}.${key}`, expected[key], readOwn(actual, key)),
    )
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return expected.flatMap((item, index) => compare(`${path}[${index}]`, item, actual[index]))
  return isSame(expected, actual) ? [] : [describe(path, expected, actual)]
}

const describe = (path: string, expected: unknown, actual: unknown): string =>
  `${path}: expected ${showValue(expected)}, got ${showValue(actual)}`

/** 5 and 5n are the same int64. */
function isSame(expected: unknown, actual: unknown): boolean {
  if (isNumeric(expected) && isNumeric(actual)) return String(expected) === String(actual)
  return expected === actual
}

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'bigint'

const isPattern = (value: unknown): value is Matcher | RegExp => isMatcher(value) || isRegExp(value)

function isMatch(pattern: Matcher | RegExp, actual: unknown): boolean {
  if (isMatcher(pattern)) return pattern.asymmetricMatch(actual)
  return typeof actual === 'string' && actual.search(pattern) >= 0
}

const isMatcher = (value: unknown): value is Matcher =>
  isObject(value) && typeof value.asymmetricMatch === 'function'

/** Of any realm: Jest runs tests in another one. */
const isRegExp = (value: unknown): value is RegExp =>
  Object.prototype.toString.call(value) === '[object RegExp]'

export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (isPattern(value)) return showPattern(value)
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (isPattern(part)) return showPattern(part)
    // Marked, or a text such as "5n" would look like it.
    return typeof part === 'bigint' ? `\0${part}` : part
  })
  return cutText(text.replace(/"\\u0000(-?\d+)"/g, '$1'), MAX_VALUE_CHARACTERS)
}

function showPattern(pattern: Matcher | RegExp): string {
  if (!isMatcher(pattern)) return String(pattern)
  const text = pattern.toAsymmetricMatcher?.() ?? pattern
  return cutText(String(text), MAX_VALUE_CHARACTERS)
}
