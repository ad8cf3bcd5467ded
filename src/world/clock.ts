// The mock's own time. It starts where you set it, runs or is frozen, and decides `Date` and the
// removal of getPet.
import { mismatch } from '../contract/errors.ts'
import type { Problem } from '../contract/problem.ts'
import { describeValue } from '../contract/values.ts'

export type ClockSetting = Readonly<{ now?: string; frozen?: boolean }>

export const DAY_MS = 86_400_000
/** The last instant that HTTP dates and ISO strings both write with a four-digit year. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A clock: how to tell the mock's time from real or steady time. */
export interface Clock {
  readonly frozenAt: number | undefined
  /**
   * Where it was set, and the steady time of that moment; undefined for a clock that follows real
   * time.
   */
  readonly start: { readonly instant: number; readonly at: number } | undefined
}

export interface Times {
  real(): number
  /** Never jumps: clocks that have been set run by it. */
  steady(): number
}

/** One value, so that setting it again changes nothing. */
const REAL_TIME: Clock = { frozenAt: undefined, start: undefined }

export function startClock(setting: ClockSetting, times: Times): Clock {
  const { now = null, frozen = false } = setting
  return setClock(REAL_TIME, now, frozen, times)
}

/** For another steady time, since that of a process means nothing to the next one. */
export function shiftClock(clock: Clock, milliseconds: number): Clock {
  const { frozenAt, start } = clock
  return { frozenAt, start: start && { ...start, at: start.at + milliseconds } }
}

const isFrozen = (clock: Clock): boolean => clock.frozenAt !== undefined

/** Whether someone has set it since its scenario started it. Merely running on does not count. */
export function wasChanged(clock: Clock, setting: ClockSetting): boolean {
  const { now, frozen = false } = setting
  const instant = now === undefined ? undefined : parseInstant(now)
  return clock.start?.instant !== instant || isFrozen(clock) !== frozen
}

/**
 * Milliseconds since the epoch, to the end of the year 9999. `real` is the real time, if that is
 * known already.
 */
export function readClock(clock: Clock, times: Times, real?: number): number {
  const { frozenAt, start } = clock
  if (frozenAt !== undefined) return clampInstant(frozenAt)
  if (start) return clampInstant(start.instant + times.steady() - start.at)
  return clampInstant(real ?? times.real())
}

/**
 * With null it follows real time again. `frozen` is whether it then stands still; by default as
 * before, but with null it runs.
 */
export function setClock(
  clock: Clock,
  instant: string | null,
  frozen: boolean | undefined,
  times: Times,
): Clock {
  if (instant !== null) return putAt(parseInstant(instant), frozen ?? isFrozen(clock), times)
  return frozen ? { frozenAt: clampInstant(times.real()), start: undefined } : REAL_TIME
}

export function advanceClock(
  clock: Clock,
  milliseconds: number,
  frozen: boolean | undefined,
  times: Times,
): Clock {
  const instant = readClock(clock, times) + milliseconds
  return putAt(instant, frozen ?? isFrozen(clock), times)
}

/** The same clock, but so much ahead. Unlike `advanceClock`, it stays within the range. */
export function shiftInstant(clock: Clock, milliseconds: number, times: Times): Clock {
  if (milliseconds === 0) return clock
  const instant = readClock(clock, times) + milliseconds
  return putAt(clampInstant(instant), isFrozen(clock), times)
}

export function freezeClock(clock: Clock, frozen: boolean, times: Times): Clock {
  if (frozen === isFrozen(clock)) return clock
  return putAt(readClock(clock, times), frozen, times)
}

/** As a setting that would start it again; empty for a clock that follows real time. */
export function describeClock(clock: Clock, now: number): ClockSetting {
  if (isFrozen(clock)) return { now: printInstant(now), frozen: true }
  return clock.start ? { now: printInstant(now) } : {}
}

export const printInstant = (instant: number): string => new Date(instant).toISOString()

export function putAt(instant: number, frozen: boolean, times: Times): Clock {
  if (!isInRange(instant)) throw mismatch('clock', 'a time from 1970 to 9999')
  const frozenAt = frozen ? instant : undefined
  return { frozenAt, start: { instant, at: times.steady() } }
}

export const clampInstant = (instant: number) =>
  Math.min(Math.max(Math.floor(instant), 0), LAST_INSTANT)
const isInRange = (instant: number) => instant >= 0 && instant <= LAST_INSTANT

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:\d{2})?)?$/

/**
 * A date, or a date and time. Without a zone it is UTC: it means the same on every machine. NaN for
 * any other text.
 */
export function parseInstant(text: string): number {
  const [, day = '', time = '00:00', zone = 'Z'] = INSTANT.exec(text) ?? []
  // Some engines take 2030-02-30 for the 2nd of March.
  const isReal = new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(8))
  return isReal ? Date.parse(`${day}T${time}${zone.toUpperCase()}`) : Number.NaN
}

/** What is wrong with the text of an instant; other values are for a schema to refuse. */
export function findInstantProblems(got: unknown, path: string): Problem[] {
  if (typeof got !== 'string' || isInRange(parseInstant(got))) return []
  const expected = 'a date from 1970 to 9999, like 2030-12-06 or 2030-12-06T08:30:00Z'
  return [{ kind: 'mismatch', path, expected, got: describeValue(got) }]
}

const platformTime = globalThis.performance.now

/**
 * Milliseconds since it was created. Fake timers replace `performance.now` for a while by one that
 * starts at zero.
 */
export function createSteadyTime(): () => number {
  let source = performance.now
  let last = performance.now()
  let passed = 0
  return () => {
    const reading = performance.now()
    const isSameSource = performance.now === source
    const isFake = performance.now !== platformTime
    if (isSameSource) passed += Math.max(reading - last, 0)
    else if (isFake) passed += reading
    source = performance.now
    last = reading
    return passed
  }
}
