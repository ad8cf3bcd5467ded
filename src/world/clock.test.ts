import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseDuration } from '../scenario/settings/duration.ts'
import * as clocks from './clock.ts'

const { createSteadyTime, parseInstant, readClock, setClock, startClock } = clocks
const OUT_OF_RANGE = [
  '1969-12-31',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:30+01:00',
  '9999-12-31T23:59:59-01:00',
  '0000-01-01',
]
const START = Date.parse('2026-11-15T10:00:00Z')
const still = { real: () => START, steady: () => 7 }
const frozen = (now?: string) =>
  startClock({ frozen: true, ...(now !== undefined && { now }) }, still)
const advance = (clock: clocks.Clock, by: string, isFrozen?: boolean, times = still) =>
  clocks.advanceClock(clock, parseDuration(by), isFrozen, times)
const show = (clock: clocks.Clock, times = still) =>
  JSON.stringify(clocks.describeClock(clock, readClock(clock, times)))

describe('the clock', () => {
  it.each(['Asia/Tokyo', 'America/New_York'])(
    'takes a date without a zone for UTC, on a machine in %s',
    (zone) => {
      vi.stubEnv('TZ', zone)
      onTestFinished(() => void vi.unstubAllEnvs())
      expect(new Date(2026, 0, 1).getTimezoneOffset()).not.toBe(0)
      expect(parseInstant('2030-12-06')).toBe(Date.UTC(2030, 11, 6))
      expect(parseInstant('2030-12-06T08:30')).toBe(Date.UTC(2030, 11, 6, 8, 30))
      expect(parseInstant('2030-12-06T08:30:00+01:00')).toBe(Date.UTC(2030, 11, 6, 7, 30))
    },
  )

  it.each([
    ['P1D', '2026-11-16T10:00:00.000Z'],
    ['-P1D', '2026-11-14T10:00:00.000Z'],
    ['P1W3DT4H5M6S', '2026-11-25T14:05:06.000Z'],
  ])('advances by %s', (duration, expected) => {
    expect(new Date(readClock(advance(frozen(), duration), still)).toISOString()).toBe(expected)
  })

  it('follows real time until it is set, and then runs on by steady time, or stands where it was frozen', () => {
    const now = { real: START, steady: 0 }
    const times = { real: () => now.real, steady: () => now.steady }
    const start = (setting: clocks.ClockSetting) => startClock(setting, times)
    const [real, running, stopped] = [
      start({}),
      start({ now: '2030-01-01' }),
      start({ frozen: true }),
    ]
    Object.assign(now, { real: START + 5_000, steady: 1_000 })
    const turned = advance(running, 'PT1M', undefined, times)
    now.steady += 1_000.7
    expect(show(real, times)).toBe('{}')
    expect(show(turned, times)).toBe('{"now":"2030-01-01T00:01:02.000Z"}')
    expect(show(stopped, times)).toBe('{"now":"2026-11-15T10:00:00.000Z","frozen":true}')
    expect([
      readClock(real, times),
      readClock(real, times, 42),
      readClock(stopped, times, 42),
    ]).toEqual([START + 5_000, 42, START])
    expect(show(setClock(stopped, '2031-01-01', undefined, times), times)).toBe(
      '{"now":"2031-01-01T00:00:00.000Z","frozen":true}',
    )
    expect(show(setClock(stopped, '2031-01-01', false, times), times)).toBe(
      '{"now":"2031-01-01T00:00:00.000Z"}',
    )
    expect(show(setClock(stopped, null, undefined, times), times)).toBe('{}')
    expect(setClock(running, null, true, times)).toEqual({
      frozenAt: START + 5_000,
      start: undefined,
    })
  })

  it('is the same one if it is to stop where it stands, or to run where it runs', () => {
    const [stopped, running, freeze] = [frozen(), startClock({}, still), clocks.freezeClock]
    expect([
      freeze(stopped, true, still) === stopped,
      freeze(running, false, still) === running,
    ]).toEqual([true, true])
    expect([freeze(running, true, still).frozenAt, freeze(stopped, false, still).start]).toEqual([
      START,
      { instant: START, at: 7 },
    ])
    expect([
      advance(running, 'PT1S', true).frozenAt,
      advance(stopped, 'PT1S', false).frozenAt,
    ]).toEqual([START + 1_000, undefined])
  })

  it('does not go beyond 1970 or 9999 by a duration', () => {
    expect(() => advance(frozen('1970-01-01'), '-PT0.001S')).toThrow(
      'clock: expected a time from 1970 to 9999',
    )
    expect(() => advance(frozen('9999-12-31T23:59:59.999Z'), 'PT0.001S')).toThrow(
      'clock: expected a time from 1970 to 9999',
    )
  })

  it('stands still at the end of year 9999, at a time that it accepts', () => {
    const later = { ...still, steady: () => 86_400_000 }
    const clock = startClock({ now: '9999-12-31T23:59:59Z' }, still)
    expect(show(clock, later)).toBe('{"now":"9999-12-31T23:59:59.999Z"}')
    expect(show(startClock({ now: '9999-12-31T23:59:59.999Z' }, later), later)).toBe(
      show(clock, later),
    )
    expect(clocks.freezeClock(clock, true, later).frozenAt).toBe(readClock(clock, later))
  })
})

it.each<clocks.ClockSetting>([
  {},
  { now: '2030-01-01' },
  { now: '2030-01-01', frozen: true },
  { frozen: true },
])(
  'a clock that starts as %j runs on in another process, and is turned if it is set, stopped or released',
  (setting) => {
    const [first, second] = [
      { real: () => START, steady: () => 5_000 },
      { real: () => START, steady: () => 100 },
    ]
    const clock = startClock(setting, still)
    const resumed = clocks.shiftClock(clocks.shiftClock(clock, -first.steady()), second.steady())
    expect(show(resumed, second)).toBe(show(clock, first))
    const others = [
      advance(clock, 'PT1S'),
      clocks.freezeClock(clock, setting.frozen !== true, still),
    ]
    expect([clock, resumed, ...others].map((one) => clocks.wasChanged(one, setting))).toEqual([
      false,
      false,
      true,
      true,
    ])
  },
)

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
  ])('reads %s the same on every machine', (text, expected) =>
    expect(new Date(parseInstant(text)).toISOString()).toBe(expected),
  )

  it.each([
    ...'2030 2030-13-01 2030-02-29 06.12.2030 2030-12-06T25:00 now 2030-12-06T08 20301206 2030-12-06T x2030-12-06'.split(
      ' ',
    ),
    '',
    ...OUT_OF_RANGE,
  ])('is not for %j', (text) =>
    expect(clocks.findInstantProblems(text, 'now')).toMatchObject([{ path: 'now' }]),
  )
})
