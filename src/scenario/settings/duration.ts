// Time spans as people write them, in flags, bindings, scenarios, the control and the console.
import { MAX_DELAY_MS, MAX_HOLD_MS } from '../../contract/limits.ts'
import { BOOLEAN, checkValue } from '../../contract/options.ts'
import type { Problem } from '../../contract/problem.ts'
import { findViolations, type Schema } from '../../contract/schema.ts'
import { describeValue, freezeCopy } from '../../contract/values.ts'
import { DAY_MS } from '../../world/clock.ts'
import type { Delay, DelayMs, Duration } from '../../world/faults.ts'

const NUMBER = '\\d{1,12}(?:\\.\\d{1,9})?'
const part = (unit: string, number = '\\d{1,12}') => `(?:${number}${unit})?`
const TIME = `T(?=\\d)${part('H')}${part('M')}${part('S', NUMBER)}`
/**
 * ISO 8601 without years and months, which differ in length: at least one part after the P, and
 * after the T.
 */
const ISO = `P(?=T?\\d)${part('W')}${part('D')}(?:${TIME})?`
const ONE = `(?:${NUMBER}(?:ms|[smhdw])?|${ISO})`
const RANGE = new RegExp(`^(${ONE})(?:-(${ONE}))?$`)
const PARTS = /([\d.]+)(ms|[smhdw])/gi
const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS }

/** `200`, `1.5s`, `-1d`, `PT30M`, in milliseconds. Like all readers here, it expects valid text. */
export function parseDuration(given: Duration): number {
  if (typeof given === 'number') return Math.round(given)
  const withUnit = given.replace(/^[+-]?[\d.]+$/, '$&ms')
  let total = 0
  for (const [, amount, unit = ''] of withUnit.matchAll(PARTS)) {
    total += Number(amount) * UNITS_MS[unit.toLowerCase() as keyof typeof UNITS_MS]
  }
  const rounded = Math.round(total)
  // A subtraction, since the negative of zero would be minus zero.
  return given.startsWith('-') ? 0 - rounded : rounded
}

/** Also back in time. */
export const durationSchema: Schema = {
  oneOf: [{ type: 'string', pattern: `^[+-]?${ONE}$` }, { type: 'number' }],
  title: 'a duration such as 30s, -1d or PT30M',
}

const milliseconds: Schema = { type: 'number', minimum: 0, maximum: MAX_DELAY_MS }
const written: Schema = {
  type: 'string',
  pattern: `^${ONE}$`,
  title: 'a duration such as 200ms, 1.5s, 2m, 1d, 1w or P1D',
}
const pair: Schema = {
  type: 'array',
  items: { oneOf: [milliseconds, written] },
  minItems: 2,
  maxItems: 2,
}

const delays: readonly Schema[] = [milliseconds, { type: 'string', pattern: RANGE.source }, pair]
const AT_MOST = `at most ${MAX_DELAY_MS / UNITS_MS.s}s`
const DELAY = `a delay such as 200, 1.5s or 200-800, ${AT_MOST}`

/** `findDelayProblems` also checks the maximum of a text, and the order of a range. */
export const delaySchema: Schema = { oneOf: delays, title: DELAY }
export const latencySchema: Schema = {
  oneOf: [...delays, { enum: ['off', null] }],
  title: `${DELAY}; or off`,
}

/**
 * `200`, `1.5s`, `200-800`, `200ms-1.5s`, or a list of two; in `1-2s` both are seconds. Equal ends
 * give a number.
 */
export function parseDelay(given: Delay): DelayMs {
  const [shortest, longest] = readRange(given)
  return shortest === longest ? shortest : [shortest, longest]
}

/** None is null: `off` and 0 say the same. */
export function parseLatency(given: Delay | null): DelayMs | null {
  if (given === null || given === 'off') return null
  const delay = parseDelay(given)
  return delay === 0 ? null : freezeCopy(delay)
}

export const checkDuration = (text: string): number => parseDuration(checkValue(written, text))
/** For a flag, where `off` means none: commander turns null into an empty text. */
export function checkLatency(text: string): Delay {
  return checkValue(latencySchema, text, '', findDelayProblems)
}

export function findDelayProblems(delay: unknown, path: string): Problem[] {
  // The schema's violations are already reported.
  if (findViolations(delaySchema, delay).length > 0) return []
  const [shortest, longest] = readRange(delay as Delay)
  const text = Array.isArray(delay) ? delay.join('-') : String(delay)
  const got = describeValue(text)
  if (Math.max(shortest, longest) > MAX_DELAY_MS) {
    return [{ kind: 'mismatch', path, expected: AT_MOST, got }]
  }
  if (shortest <= longest) return []
  return [{ kind: 'mismatch', path, expected: 'the shorter time first', got }]
}

/** `findHoldProblems` also checks the bounds of a text. */
export const holdSchema: Schema = {
  oneOf: [BOOLEAN, { ...milliseconds, minimum: 1, maximum: MAX_HOLD_MS }, written],
  title: `true, or a duration such as 5m, at most ${MAX_HOLD_MS / UNITS_MS.h}h`,
}

export function findHoldProblems(hold: unknown, path: string): Problem[] {
  if (typeof hold !== 'string' || findViolations(written, hold).length > 0) return []
  const duration = parseDuration(hold)
  if (duration > 0 && duration <= MAX_HOLD_MS) return []
  const { title: expected = '' } = holdSchema
  return [{ kind: 'mismatch', path, expected, got: describeValue(hold) }]
}

function readRange(given: Delay): readonly [shortest: number, longest: number] {
  const [first, last] = splitRange(given)
  return [parseDuration(first), parseDuration(last)]
}

function splitRange(given: Delay): readonly [first: Duration, last: Duration] {
  if (typeof given === 'number') return [given, given]
  if (typeof given !== 'string') return given
  const [, first = given, last] = RANGE.exec(given) ?? []
  if (last === undefined) return [first, first]
  const [unit = ''] = /[a-z]+$/.exec(last) ?? []
  const hasUnit = !/^[\d.]+$/.test(first)
  return [hasUnit ? first : first + unit, last]
}
