// Time spans as people write them, in flags, bindings, scenarios, the control and the console.
import { describeValue } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import type { Problem } from '../contract/problem.ts'
import { findViolations, type Schema } from '../contract/schema.ts'
import { MAX_DELAY_MS } from '../limits.ts'
import type { Period } from '../world/clock.ts'
import type { Delay, DelayMs, Duration } from '../world/faults.ts'

const NUMBER = '\\d{1,12}(?:\\.\\d{1,9})?'
const part = (unit: string, number = '\\d{1,12}') => `(?:${number}${unit})?`
const TIME = `T(?=\\d)${part('H')}${part('M')}${part('S', NUMBER)}`
/** ISO 8601: at least one part after the P, and after the T. */
const ISO = `P(?=T?\\d)${part('Y')}${part('M')}${part('W')}${part('D')}(?:${TIME})?`
const ONE = `(?:${NUMBER}(?:ms|[smhd])?|${ISO})`
const PERIOD = new RegExp(`^[+-]?${ONE}$`)
const RANGE = new RegExp(`^(${ONE})(?:-(${ONE}))?$`)
const PARTS = /([\d.]+)(ms|[smhdw])/gi
const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `200`, `1.5s`, `-1d`, `P1M`. Years and months go by the calendar, so they are separate. */
export function parsePeriod(given: Duration, name = ''): Period {
  const text = typeof given === 'number' ? String(given) : given
  if (typeof text !== 'string' || !PERIOD.test(text))
    throw new UsageError(`${name}expected a duration such as 200ms, 1.5s, 2m, 1d or P1D, got ${describeValue(given)}`)
  const signed = (amount: number) => (text.startsWith('-') ? 0 - amount : amount)
  const [, years = 0, months = 0] = /P(?:(\d+)Y)?(?:(\d+)M)?/.exec(text) ?? []
  const rest = text.replace(/P(?:\d+Y)?(?:\d+M)?/, '').replace(/^[+-]?[\d.]+$/, '$&ms')
  const units = [...rest.matchAll(PARTS)].map(([, amount, unit = '']) => Number(amount) * UNITS_MS[unit.toLowerCase() as 'ms'])
  const milliseconds = units.reduce((sum, one) => sum + one, 0)
  return { months: signed(Number(years) * 12 + Number(months)), milliseconds: signed(Math.round(milliseconds)) }
}

/** In milliseconds; a month has 30 days. */
export function parseDuration(given: Duration): number {
  const { months, milliseconds } = parsePeriod(given)
  const total = months * 30 * UNITS_MS.d + milliseconds
  if (total < 0) throw new UsageError(`expected a duration such as 30s, got ${describeValue(given)}`)
  return total
}

const milliseconds: Schema = { type: 'integer', minimum: 0, maximum: MAX_DELAY_MS }
const duration: Schema = { oneOf: [milliseconds, { type: 'string', pattern: `^${ONE}$` }] }

/** `parseDelay` also checks the maximum of a text, and the order of a range. */
export const delaySchema: Schema = {
  oneOf: [milliseconds, { type: 'string', pattern: RANGE.source }, { type: 'array', items: duration, minItems: 2, maxItems: 2 }],
  title: `a delay such as 200, 1.5s or 200-800, at most ${MAX_DELAY_MS / UNITS_MS.s}s`,
}

/** `200`, `1.5s`, `200-800`, `200ms-1.5s`, or a list of two; in `1-2s` both are seconds. */
export function parseDelay(given: Delay): DelayMs {
  const { shortest, longest, expected, got } = readRange(given)
  if (expected !== undefined) throw new UsageError(`expected ${expected}, got ${got}`)
  return longest === undefined ? shortest : [shortest, longest]
}

export function findDelayProblems(delay: unknown, path: string): Problem[] {
  // The schema's violations are already reported.
  if (findViolations(delaySchema, delay).length > 0) return []
  const { expected, got } = readRange(delay as Delay)
  return expected === undefined ? [] : [{ kind: 'mismatch', path, expected, got }]
}

function readRange(given: Delay) {
  const [first, last] = typeof given === 'string' ? splitRange(given) : [given].flat()
  const shortest = parseDuration(first as Duration)
  const longest = last === undefined ? undefined : parseDuration(last)
  const isLong = Math.max(shortest, longest ?? 0) > MAX_DELAY_MS
  const order = shortest > (longest ?? shortest) ? 'the shorter time first' : undefined
  const expected = isLong ? `at most ${MAX_DELAY_MS / UNITS_MS.s}s` : order
  return { shortest, longest, expected, got: describeValue(typeof given === 'object' ? given.join('-') : given) }
}

function splitRange(text: string): (Duration | undefined)[] {
  const [, first = text, last] = RANGE.exec(text) ?? []
  const [unit = ''] = /[a-z]+$/.exec(last ?? '') ?? []
  return [/^[\d.]+$/.test(first) ? first + unit : first, last]
}
