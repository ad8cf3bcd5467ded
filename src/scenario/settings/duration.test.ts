import { describe, expect, it } from 'vitest'
import { UsageError } from '../../contract/errors.ts'
import { findViolations } from '../../contract/schema.ts'
import type { Delay } from '../../world/faults.ts'
import {
  checkDuration,
  delaySchema,
  findDelayProblems,
  parseDelay,
  parseDuration,
} from './duration.ts'

const DAY = 86_400_000

describe('a duration', () => {
  it.each<[string | number, number]>([
    [200, 200],
    ['200', 200],
    ['200ms', 200],
    ['1.5s', 1_500],
    ['2m', 120_000],
    ['3h', 10_800_000],
    ['1d', DAY],
    ['P1D', DAY],
    ['1w', 7 * DAY],
    ['P1W', 7 * DAY],
    ['PT30M', 1_800_000],
    ['PT0.5S', 500],
    ['P1DT1H', DAY + 3_600_000],
  ])('%j is %d ms', (given, milliseconds) => expect(parseDuration(given)).toBe(milliseconds))

  it.each([
    ...'soon +2m 1S 1W 1,5s .5s 1. 1e3 P PT P1H p1d -1s P1 P1.5D P1DT -P P-1D P1D1W P1M P1Y PT1.S xP1D P1Dx'.split(
      ' ',
    ),
    '',
    '1 s',
    ' 5',
    '9'.repeat(30),
  ])('cannot be %j', (text) => expect(() => checkDuration(text)).toThrow(UsageError))

  it('may be negative for a clock', () => {
    expect([parseDuration('-1d'), parseDuration('+2m')]).toEqual([-DAY, 120_000])
    expect(parseDuration('-P2DT5M')).toBe(-2 * DAY - 300_000)
    expect(parseDuration(-1)).toBe(-1)
  })
})

describe('a delay', () => {
  it.each<[Delay, unknown]>([
    ['200-800', [200, 800]],
    ['200ms-1.5s', [200, 1_500]],
    ['1-2s', [1_000, 2_000]],
    ['200-800ms', [200, 800]],
    ['PT1S-PT2S', [1_000, 2_000]],
    ['1.5', 2],
    [1.5, 2],
    ['1s-1000', 1_000],
    [60_000, 60_000],
    ['1m', 60_000],
    [
      ['200ms', '1.5s'],
      [200, 1_500],
    ],
    [
      [20, '1s'],
      [20, 1_000],
    ],
  ])('%j is %j', (delay, milliseconds) => {
    expect(findViolations(delaySchema, delay)).toEqual([])
    expect(parseDelay(delay)).toEqual(milliseconds)
  })

  it.each<Delay>([
    '61s',
    '1d',
    '2s-1s',
    '200-1.5s',
    '5-',
    '-5',
    '5-6-7',
    [9, 1],
    ['1s', '61s'],
    '1-P1D',
  ])('cannot be %j', (delay) =>
    expect(
      findViolations(delaySchema, delay).length + findDelayProblems(delay, '').length,
    ).toBeGreaterThan(0),
  )
})
