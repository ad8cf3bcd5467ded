// The mock's own time: it starts where you set it, runs or is frozen, and decides `Date` and the
// removal of getPet.
import { mismatch } from '../contract/errors.ts'
import type { Problem } from '../contract/problem.ts'
import { describeValue } from '../contract/values.ts'

export type ClockSetting = Readonly<{ now?: string; frozen?: boolean }>

export const DAY_MS = 86_400_000
/** The last instant that HTTP dates and ISO strings both write with a four-digit year. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

export interface Course {
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
const REAL_TIME: Course = { frozenAt: undefined, start: undefined }

export const startClock = ({ now, frozen = false }: ClockSetting, times: Times): Course =>
  setClock(REAL_TIME, now ?? null, frozen, times)

/** For another steady time, since that of a process means nothing to the next one. */
export function shiftClock({ frozenAt, start }: Course, milliseconds: number): Course {
  return { frozenAt, start: start && { ...start, at: start.at + milliseconds } }
}

/** Whether someone has set it since its scenario started it. Merely running on does not count. */
export const isTurned = (
  { frozenAt, start }: Course,
  { now, frozen = false }: ClockSetting,
): boolean =>
  start?.instant !== (now === undefined ? undefined : parseInstant(now)) ||
  (frozenAt !== undefined) !== frozen

/**
 * Milliseconds since the epoch, to the end of the year 9999. `real` is the real time, if that is
 * known already.
 */
export const readClock = ({ frozenAt, start }: Course, times: Times, real?: number): number =>
  toRange(frozenAt ?? (start ? start.instant + times.steady() - start.at : (real ?? times.real())))

/**
 * With null it follows real time again. `frozen`: whether it then stands still; by default as
 * before; with null no.
 */
export function setClock(
  course: Course,
  instant: string | null,
  frozen: boolean | undefined,
  times: Times,
): Course {
  if (instant !== null)
    return putAt(parseInstant(instant), frozen ?? course.frozenAt !== undefined, times)
  return frozen ? { ...REAL_TIME, frozenAt: toRange(times.real()) } : REAL_TIME
}

export const advanceClock = (
  course: Course,
  milliseconds: number,
  frozen: boolean | undefined,
  times: Times,
): Course =>
  putAt(readClock(course, times) + milliseconds, frozen ?? course.frozenAt !== undefined, times)

export const freezeClock = (course: Course, frozen: boolean, times: Times): Course =>
  frozen === (course.frozenAt !== undefined)
    ? course
    : putAt(readClock(course, times), frozen, times)

export function describeClock({ frozenAt, start }: Course, now: number): ClockSetting {
  if (frozenAt !== undefined) return { now: printInstant(now), frozen: true }
  return start ? { now: printInstant(now) } : {}
}

export const printInstant = (instant: number): string => new Date(instant).toISOString()

export function putAt(instant: number, frozen: boolean, { steady }: Times): Course {
  if (!isInRange(instant)) throw mismatch('clock', 'a time from 1970 to 9999')
  return { frozenAt: frozen ? instant : undefined, start: { instant, at: steady() } }
}

const toRange = (instant: number) => Math.min(Math.max(Math.floor(instant), 0), LAST_INSTANT)
const isInRange = (instant: number) => instant >= 0 && instant <= LAST_INSTANT

/**
 * A date, or a date and time. Without a zone it is UTC: it means the same on every machine. NaN for
 * any other text.
 */
export function parseInstant(text: string): number {
  const form =
    /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:\d{2})?)?$/
  const [, day = '', time = '00:00', zone = 'Z'] = form.exec(text) ?? []
  const isReal = new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(8))
  return isReal ? Date.parse(`${day}T${time}${zone.toUpperCase()}`) : Number.NaN
}

export function findInstantProblems(got: unknown, path: string): Problem[] {
  const expected = 'a date from 1970 to 9999, like 2030-12-06 or 2030-12-06T08:30:00Z'
  const isRight = typeof got !== 'string' || isInRange(parseInstant(got))
  return isRight ? [] : [{ kind: 'mismatch', path, expected, got: describeValue(got) }]
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
    if (performance.now === source) passed += Math.max(reading - last, 0)
    else if (performance.now !== platformTime) passed += reading
    source = performance.now
    last = reading
    return passed
  }
}
