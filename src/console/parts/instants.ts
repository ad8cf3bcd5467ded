// Instants and durations in words. Everything is in UTC: the mock's clock means the same on every machine.

const DAY = 86_400_000
const UNITS = [
  { name: 'day', length: DAY },
  { name: 'hour', length: 3_600_000 },
  { name: 'minute', length: 60_000 },
] as const

/** As in `2030-12-05 08:30:00`. */
export function toDateTime(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ')
}

/** Whether an instant is so far from real time that a person should know. */
export function isOff(instant: number, realNow = Date.now()): boolean {
  return Math.abs(instant - realNow) > 60_000
}

/** As in `08:30:00.123`. */
export function toTime(iso: string): string {
  return iso.slice(11, 23)
}

/** As in `5 Dec 2030`. */
export function toDate(instant: number): string {
  return new Date(instant).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
}

/** The time between two instants in its two largest units, as in `4 years 20 days`. */
export function toDistance(from: number, to: number): string {
  const [earlier, later] = from < to ? [from, to] : [to, from]
  const years = countYears(earlier, later)
  let rest = later - addYears(earlier, years)
  const parts = years === 0 ? [] : [toCount(years, 'year')]
  for (const { name, length } of UNITS) {
    const count = Math.floor(rest / length)
    rest -= count * length
    if (count > 0 && parts.length < 2) parts.push(toCount(count, name))
    else if (parts.length > 0) break
  }
  return parts.length === 0 ? 'less than a minute' : parts.join(' ')
}

/** Whole years by the calendar: from a date to the same date of a later year. */
function countYears(earlier: number, later: number): number {
  const years = new Date(later).getUTCFullYear() - new Date(earlier).getUTCFullYear()
  return addYears(earlier, years) > later ? years - 1 : years
}

function addYears(instant: number, years: number): number {
  const date = new Date(instant)
  return date.setUTCFullYear(date.getUTCFullYear() + years)
}

function toCount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** As in `0.4 ms`, `120 ms` or `2.1 s`. */
export function toDuration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`
  return milliseconds >= 10 ? `${Math.round(milliseconds)} ms` : `${milliseconds.toFixed(1)} ms`
}

/** The start of the removal date, the moment of removal as chosen, and a moment past it under either reading. */
export function toRemoval(sunset: string, isFromStart: boolean): { day: number; at: number; past: number } {
  const day = Date.parse(sunset)
  return { day, at: isFromStart ? day : day + DAY, past: day + DAY }
}
