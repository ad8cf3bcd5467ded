// The mock's own time: it starts where you set it, runs or is frozen, and decides `Date` and the removal of getPet.
import { describeValue } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { createChangeLog } from './change-log.ts'

/** Where a clock starts: real time unless `now` is given. */
export interface ClockSetting {
  readonly now?: string
  readonly frozen?: boolean
}

/** A time span, forwards or back; months go by the calendar. */
export interface Period {
  readonly months: number
  readonly milliseconds: number
}

/** The last instant that HTTP dates and ISO strings both write with a four-digit year. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** How a clock runs. */
export interface Course {
  readonly frozenAt?: number | undefined
  /** Where it was set, and the steady time of that moment; undefined for a clock that follows real time. */
  readonly start?: { readonly instant: number; readonly at: number } | undefined
  readonly wasTurned: boolean
}

/** Follows `realTime` until it is set or frozen; from then on it runs by `steadyTime`. */
export function createClock(
  realTime: () => number,
  setting: ClockSetting = {},
  steadyTime = realTime,
  wasTurned = false,
  changeLog = createChangeLog(),
) {
  let dated = Number.NaN
  let text = ''
  /** Frozen first: real time would move on between setting and stopping. */
  const frozenAt = setting.frozen ? toRange(realTime()) : undefined
  const course = changeLog.cell<Course>(
    'clock',
    setting.now === undefined ? { frozenAt, wasTurned } : { ...putAt(parseInstant(setting.now), frozenAt !== undefined), wasTurned },
  )

  // At the end of year 9999 it stops: beyond, it would report a time that it does not accept.
  function now(real?: number): number {
    const { frozenAt, start } = course.value
    return frozenAt ?? toRange(start ? start.instant + steadyTime() - start.at : (real ?? realTime()))
  }

  function putAt(instant: number, frozen: boolean) {
    if (!isInRange(instant)) throw new UsageError('clock: expected a time from 1970 to 9999')
    return { frozenAt: frozen ? instant : undefined, start: { instant, at: steadyTime() } }
  }

  function turn(instant: number, frozen = course.value.frozenAt !== undefined): void {
    course.set({ ...putAt(instant, frozen), wasTurned: true })
  }

  return {
    /** Milliseconds since the epoch, by the mock's time; `real` is the real time, if that is known already. */
    now,
    /** Whether it was set, moved, stopped or started since it began. */
    get wasTurned(): boolean {
      return course.value.wasTurned
    },
    /** An instant, by default the present one, as an HTTP date. */
    date(instant = now()): string {
      const second = Math.floor(instant / 1000)
      if (second !== dated) {
        dated = second
        text = new Date(second * 1000).toUTCString()
      }
      return text
    },
    /** `frozen` stops or starts it at that very instant; without it, it goes on as it was. With null it follows real time again. */
    set(instant: string | null, frozen?: boolean): void {
      if (instant === null) course.set({ frozenAt: frozen ? toRange(realTime()) : undefined, wasTurned: true })
      else turn(parseInstant(instant, 'now: '), frozen)
    },
    advance: (period: Period, frozen?: boolean) => turn(addPeriod(now(), period), frozen),
    freeze(frozen: boolean): void {
      if (frozen !== (course.value.frozenAt !== undefined)) turn(now(), frozen)
    },
    /** The setting as a scenario has it; empty for a clock that follows real time. */
    setting(): ClockSetting {
      const { frozenAt, start } = course.value
      return {
        ...(start || frozenAt !== undefined ? { now: new Date(now()).toISOString() } : {}),
        ...(frozenAt === undefined ? {} : { frozen: true }),
      }
    },
  }
}

/** The setting after this many milliseconds; frozen and real-time clocks do not change. */
export function passTime(setting: ClockSetting, milliseconds: number): ClockSetting {
  const { now, frozen } = setting
  return now === undefined || frozen ? setting : { now: new Date(toRange(Date.parse(now) + milliseconds)).toISOString() }
}

/** In whole milliseconds. */
function toRange(instant: number): number {
  return Math.min(Math.max(Math.floor(instant), 0), LAST_INSTANT)
}

function isInRange(instant: number): boolean {
  return instant >= 0 && instant <= LAST_INSTANT
}

/** A date, or a date and time; without a zone it is UTC, so that it means the same on every machine. Messages begin with `name`. */
export function parseInstant(text: string, name = ''): number {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:\d{2})?)?$/.exec(text)
  const instant = match ? Date.parse(`${match[1]}T${match[2] ?? '00:00'}${(match[3] ?? 'Z').toUpperCase()}`) : Number.NaN
  const real = match && new Date(`${match[1]}T00:00Z`).getUTCDate() === Number((match[1] as string).slice(8))
  if (!real || !isInRange(instant)) {
    throw new UsageError(`${name}expected a date from 1970 to 9999, like 2030-12-06 or 2030-12-06T08:30:00Z, got ${describeValue(text)}`)
  }
  return instant
}

/** The instant after a period. */
function addPeriod(from: number, { months, milliseconds }: Period): number {
  const date = new Date(from)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  // The 31st a month on is that month's last day, not the first of the one after.
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime() + milliseconds
}

/** The platform's own, to tell it from the one of a test runner's fake timers. */
const platformTime = globalThis.performance.now

/**
 * Milliseconds since it was created. Fake timers put their own `performance.now` in place of the platform's, which starts at zero: its
 * time counts from there, and when they are gone the platform's goes on from where it is.
 */
export function createSteadyTime(): () => number {
  let source = performance.now
  let last = performance.now()
  let passed = 0
  return () => {
    const reading = performance.now()
    if (performance.now === source) passed += Math.max(reading - last, 0)
    else {
      source = performance.now
      if (source !== platformTime) passed += reading
    }
    last = reading
    return passed
  }
}
