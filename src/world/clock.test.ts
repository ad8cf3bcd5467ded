import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parsePeriod } from '../settings/duration.ts'
import { createClock, createSteadyTime, parseInstant, passTime } from './clock.ts'

const OUT_OF_RANGE = ['1969-12-31', '1969-12-31T23:59:59.999Z', '1970-01-01T00:30+01:00', '9999-12-31T23:59:59-01:00', '0000-01-01']
const START = Date.parse('2026-11-15T10:00:00Z')

describe('the clock', () => {
  it.each(['Asia/Tokyo', 'America/New_York'])('takes a date without a zone for UTC, on a machine in %s', (zone) => {
    vi.stubEnv('TZ', zone)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(new Date(2026, 0, 1).getTimezoneOffset()).not.toBe(0)
    expect(parseInstant('2030-12-06')).toBe(Date.UTC(2030, 11, 6))
    expect(parseInstant('2030-12-06T08:30')).toBe(Date.UTC(2030, 11, 6, 8, 30))
    expect(parseInstant('2030-12-06T08:30:00+01:00')).toBe(Date.UTC(2030, 11, 6, 7, 30))
  })

  it.each([
    ['P1D', '2026-11-16T10:00:00.000Z'],
    ['-P1D', '2026-11-14T10:00:00.000Z'],
    ['P1Y2M3DT4H5M6S', '2028-01-18T14:05:06.000Z'],
  ])('advances by %s', (duration, expected) => {
    const clock = createClock(() => START, { frozen: true })
    clock.advance(parsePeriod(duration))
    expect(new Date(clock.now()).toISOString()).toBe(expected)
  })

  it('runs on from where it was set, also when it is turned, or stands where it was frozen', () => {
    let real = START
    const [running, frozen] = [createClock(() => real, { now: '2030-01-01' }), createClock(() => real, { frozen: true })]
    real += 1_000
    running.advance(parsePeriod('PT1M'))
    real += 1_000
    expect(running.setting()).toEqual({ now: '2030-01-01T00:01:02.000Z' })
    expect(frozen.setting()).toEqual({ now: '2026-11-15T10:00:00.000Z', frozen: true })
  })

  it.each(OUT_OF_RANGE)('does not start at %s, or go there', (now) => {
    expect(() => createClock(() => START, { now })).toThrow(/^expected a date from 1970 to 9999, like/)
    const clock = createClock(() => START, { frozen: true })
    expect(() => clock.set(now)).toThrow(/^now: expected a date from 1970 to 9999, like/)
    expect(clock.now()).toBe(START)
  })

  it('does not go beyond 1970 or 9999 by a duration', () => {
    const clock = createClock(() => START, { now: '1970-01-01', frozen: true })
    expect(() => clock.advance(parsePeriod('-PT0.001S'))).toThrow('clock: expected a time from 1970 to 9999')
    clock.set('9999-12-31T23:59:59.999Z')
    expect(() => clock.advance(parsePeriod('PT0.001S'))).toThrow('clock: expected a time from 1970 to 9999')
  })

  it('stands still at the end of year 9999, at a time that it accepts', () => {
    let real = START
    const clock = createClock(() => real, { now: '9999-12-31T23:59:59Z' })
    real += 86_400_000
    expect(clock.date()).toBe('Fri, 31 Dec 9999 23:59:59 GMT')
    expect(clock.setting()).toEqual({ now: '9999-12-31T23:59:59.999Z' })
    expect(createClock(() => real, clock.setting()).now()).toBe(clock.now())
    clock.freeze(true)
    expect(clock.setting()).toEqual({ now: '9999-12-31T23:59:59.999Z', frozen: true })
  })

  it.each([
    ['2027-01-31', 'P1M', '2027-02-28T00:00:00.000Z'],
    ['2028-02-29', 'P1Y', '2029-02-28T00:00:00.000Z'],
    ['2030-03-31', '-P1M', '2030-02-28T00:00:00.000Z'],
  ])('takes the last day of a shorter month: %s and %s', (now, duration, expected) => {
    const clock = createClock(() => START, { now, frozen: true })
    clock.advance(parsePeriod(duration))
    expect(clock.setting().now).toBe(expected)
  })
})

it.each([
  [{}, {}],
  [{ now: '2030-01-01T00:00:00.000Z' }, { now: '2030-01-01T00:00:05.000Z' }],
  [
    { now: '2030-01-01', frozen: true },
    { now: '2030-01-01', frozen: true },
  ],
])('a clock set to %j is at %j after five seconds', (setting, later) => expect(passTime(setting, 5_000)).toStrictEqual(later))

it('steady time goes on while a test fakes the time, and afterwards', () => {
  const steadyTime = createSteadyTime()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  vi.advanceTimersByTime(1_000_000)
  expect(steadyTime()).toBeCloseTo(1_000_000, -3)
  vi.advanceTimersByTime(1_000_000)
  expect(steadyTime()).toBeCloseTo(2_000_000, -3)
  vi.useRealTimers()
  expect(steadyTime()).toBeCloseTo(2_000_000, -3)
})

describe('parseInstant', () => {
  it.each([
    ['2030-12-06', '2030-12-06T00:00:00.000Z'],
    ['2030-12-06T08:30', '2030-12-06T08:30:00.000Z'],
    ['2030-12-06 08:30:15', '2030-12-06T08:30:15.000Z'],
    ['2030-12-06T08:30:15.25Z', '2030-12-06T08:30:15.250Z'],
    ['2030-12-06T08:30:00+02:00', '2030-12-06T06:30:00.000Z'],
    ['2030-12-06t08:30:00-03:30', '2030-12-06T12:00:00.000Z'],
    ['2030-12-06T24:00', '2030-12-07T00:00:00.000Z'],
    ['1970-01-01', '1970-01-01T00:00:00.000Z'],
    ['1969-12-31T23:30-00:30', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s the same on every machine', (text, expected) => expect(new Date(parseInstant(text)).toISOString()).toBe(expected))

  it.each([
    ...'2030 2030-13-01 2030-02-29 06.12.2030 2030-12-06T25:00 now 2030-12-06T08 20301206 2030-12-06T x2030-12-06'.split(' '),
    '',
    ...OUT_OF_RANGE,
  ])('refuses %j', (text) => {
    expect(() => parseInstant(text)).toThrow('expected a date from 1970 to 9999, like')
  })
})
