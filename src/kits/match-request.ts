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
import { apiKeySchema } from '../scenario/settings/rows.ts'
import type { RequestRow } from '../world/row.ts'

/** What a request must have been; fields that are not named may be anything. */
export interface ExpectedRequest {
  /** Query parameters, compared as text; `undefined` for one that must be absent. @default any */
  readonly query?: Values
  /** The id in the path. @default any */
  readonly petId?: Int64 | undefined
  /**
   * Header fields, by their names in any case; `undefined` for one that must be absent. @default
   * any
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

export function findDifferences(row: RequestRow, expected: Expectation, hasKey: boolean): string[] {
  const { operation, query = {}, petId, headers = {}, body, apiKey, status } = expected
  const { json = row.request.body || undefined } = row
  if (operation && row.operation !== operation)
    return compare('operation', operation, row.operation ?? undefined)
  const queryTexts = Object.entries(query).map(([name, value]) => [name, toText(value)])
  const headerTexts = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    toText(value),
  ])
  return [
    ...(petId === undefined ? [] : compare('petId', petId, row.petId ?? undefined)),
    ...compare('query', Object.fromEntries(queryTexts), row.query),
    ...compare('headers', Object.fromEntries(headerTexts), row.request.headers),
    ...(body === undefined ? [] : compare('body', body, json)),
    ...(apiKey === undefined || hasKey
      ? []
      : [`apiKey: expected ${describeKey(apiKey)}, got ${row.key ?? 'nothing'}`]),
    ...(status === undefined
      ? []
      : compare('status', status, row.outcome === 'waiting' ? undefined : row.status)),
  ]
}

/** What is sent as text is compared as text; matchers stay what they are. */
function toText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toText)
  return value === undefined || isObject(value) ? value : String(value)
}

function compare(path: string, expected: unknown, actual: unknown): string[] {
  const isRounded = Number.isInteger(expected) && !Number.isSafeInteger(expected)
  if (isRounded) throw misuse(path, `${expected} is not exact as a number; write it as a bigint`)
  if (isObject(expected) && isObject(actual) && !isMatcher(expected) && !isRegExp(expected)) {
    return Object.keys(expected).flatMap((key) =>
      compare(`${path}.${key}`, expected[key], readOwn(actual, key)),
    )
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => compare(`${path}[${index}]`, item, actual[index]))
  }
  return isSame(expected, actual)
    ? []
    : [`${path}: expected ${showValue(expected)}, got ${showValue(actual)}`]
}

function isSame(expected: unknown, actual: unknown): boolean {
  if (isMatcher(expected)) return expected.asymmetricMatch(actual)
  if (isRegExp(expected)) return typeof actual === 'string' && actual.search(expected) >= 0
  const isNumeric = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'
  // 5 and 5n are the same int64.
  return (
    expected === actual ||
    (isNumeric(expected) && isNumeric(actual) && String(expected) === String(actual))
  )
}

const isMatcher = (value: unknown): value is Matcher =>
  isObject(value) && typeof value.asymmetricMatch === 'function'

/** Of any realm: Jest runs tests in another one. */
const isRegExp = (value: unknown): value is RegExp =>
  Object.prototype.toString.call(value) === '[object RegExp]'

function printPattern(value: unknown): string | undefined {
  if (isMatcher(value))
    return cutText(String(value.toAsymmetricMatcher?.() ?? value), MAX_VALUE_CHARACTERS)
  return isRegExp(value) ? String(value) : undefined
}

export function showValue(value: unknown): string {
  const shown = value === undefined ? 'nothing' : printPattern(value)
  if (shown !== undefined) return shown
  const printPart = (_: string, part: unknown) =>
    printPattern(part) ?? (typeof part === 'bigint' ? `${part}n` : part)
  const text = JSON.stringify(value, printPart)
  return cutText(text.replace(/"(-?\d+)n"/g, '$1'), MAX_VALUE_CHARACTERS)
}
