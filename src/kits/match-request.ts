// What a test expects of a request: the same as `verify`, and patterns, which only code can write.
import { toJson } from '../contract/int64-json.ts'
import { MAX_DELAY_MS } from '../contract/limits.ts'
import { COUNT, type OptionSchemas } from '../contract/options.ts'
import { cutText, isObject } from '../contract/values.ts'
import { describeExpectation } from '../control/method-inputs.ts'
import type { ExpectedRequests } from '../control/rows/verdict.ts'

/** What a request must have been; fields that are not named may be anything. */
export interface ExpectedRequest extends ExpectedRequests {
  /** How long to wait for the request, in milliseconds. @default that of the store, else 1000 */
  readonly timeout?: number | undefined
}

type Matcher = { asymmetricMatch(value: unknown): boolean; toAsymmetricMatcher?(): string }
const MAX_VALUE_CHARACTERS = 100

const { operation, ...schemas } = describeExpectation()
export const expectedSchemas: OptionSchemas<ExpectedRequest> = {
  ...schemas,
  timeout: { ...COUNT, maximum: MAX_DELAY_MS },
}

/** Regular expressions, and matchers such as `expect.any(String)`; undefined for plain data. */
export function matchPattern(expected: unknown, actual: unknown): boolean | undefined {
  if (isMatcher(expected)) return expected.asymmetricMatch(actual)
  if (isRegExp(expected)) return typeof actual === 'string' && actual.search(expected) >= 0
  return undefined
}

function isPattern(value: unknown): value is Matcher | RegExp {
  return isMatcher(value) || isRegExp(value)
}

function isMatcher(value: unknown): value is Matcher {
  return isObject(value) && typeof value.asymmetricMatch === 'function'
}

/** Of any realm: Jest runs tests in another one. */
function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]'
}

export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (isPattern(value)) return showPattern(value)
  return cutText(toJson(withoutPatterns(value)), MAX_VALUE_CHARACTERS)
}

/** A copy with the text of each pattern in its place. */
function withoutPatterns(value: unknown): unknown {
  if (isPattern(value)) return showPattern(value)
  if (Array.isArray(value)) return value.map(withoutPatterns)
  // For example a date, which has its own text.
  if (!isObject(value) || typeof value.toJSON === 'function') return value
  const fields = Object.entries(value).map(([name, part]) => [name, withoutPatterns(part)])
  return Object.fromEntries(fields)
}

function showPattern(pattern: Matcher | RegExp): string {
  if (!isMatcher(pattern)) return String(pattern)
  const text = pattern.toAsymmetricMatcher?.() ?? pattern
  return cutText(String(text), MAX_VALUE_CHARACTERS)
}
