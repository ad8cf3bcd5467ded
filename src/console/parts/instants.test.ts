import { describe, expect, it } from 'vitest'
import { toDate, toDateTime, toDistance, toDuration, toRemoval } from './instants.ts'

const at = (text: string) => Date.parse(text)

describe('toDistance', () => {
  it.each([
    ['2026-11-15T08:30Z', '2030-12-06T00:00Z', '4 years 20 days'],
    ['2030-12-05T22:30Z', '2030-12-06T00:00Z', '1 hour 30 minutes'],
    ['2030-12-07T00:00Z', '2030-12-06T00:00Z', '1 day'],
    ['2030-12-05T23:59:30Z', '2030-12-06T00:00Z', 'less than a minute'],
    ['2030-12-04T00:00Z', '2030-12-06T00:05Z', '2 days'],
    ['2030-12-06T00:00Z', '2031-12-06T00:00Z', '1 year'],
    ['2031-12-06T00:00Z', '2030-12-06T00:00Z', '1 year'],
    ['2030-12-06T00:00Z', '2031-12-05T23:59Z', '364 days 23 hours'],
    ['2028-02-29T00:00Z', '2029-03-01T00:00Z', '1 year'],
    ['2030-12-06T00:00Z', '2034-12-06T01:00Z', '4 years'],
  ])('%s to %s', (from, to, words) => {
    expect(toDistance(at(from), at(to))).toBe(words)
  })
})

it.each([
  [0.04, '0.0 ms'],
  [9.94, '9.9 ms'],
  [12.4, '12 ms'],
  [999, '999 ms'],
  [2149, '2.1 s'],
])('%f milliseconds are %s', (milliseconds, text) => {
  expect(toDuration(milliseconds)).toBe(text)
})

it('writes instants in UTC', () => {
  expect(toDateTime(at('2030-12-05T23:59:59.999Z'))).toBe('2030-12-05 23:59:59')
  expect(toDate(at('2030-12-05T23:59:59.999Z'))).toBe('5 Dec 2030')
})

it('toRemoval goes by the reading of the date that is chosen, and is past it by either', () => {
  expect(toRemoval('2030-12-05', false)).toEqual({ day: at('2030-12-05'), at: at('2030-12-06'), past: at('2030-12-06') })
  expect(toRemoval('2030-12-05', true)).toEqual({ day: at('2030-12-05'), at: at('2030-12-05'), past: at('2030-12-06') })
})
