// Faults and settings in words, for people.
import { count } from '../contract/problem.ts'
import { describeCondition } from './fault-condition.ts'
import { FAULT_BODIES, hasOutcome, isUsedUp } from './fault-outcome.ts'
import type { Delay, TimedFault } from './faults.ts'
import type { SomeChoices } from './scenario.ts'
import type { Surprise } from './surprise.ts'

/**
 * `createPet fails with 503, twice`; after it has struck once, `createPet fails with 503, 1 of 2`.
 */
export function describeFault(fault: TimedFault): string {
  const { operation, petId, rate, after } = fault
  const subject = operation === '*' ? 'every operation' : operation
  const condition = describeCondition(fault.when)
  const parts = [`${subject}${condition} ${describeEffect(fault)}`]
  if (petId !== undefined) parts.push(`only animal ${petId}`)
  if (rate !== undefined) parts.push(`${Number((rate * 100).toPrecision(3))}% of the time`)
  if (fault.times !== undefined) parts.push(describeTimes(fault.times, fault.applied))
  if (after) parts.push(`skipping ${count(after, 'call')} first`)
  return parts.join(', ')
}

function describeEffect(fault: TimedFault): string {
  const { status, drop, lost, rst, retryAfter, body, response, hold } = fault
  if (!hasOutcome(fault)) return describePace(fault)
  if (hold) return `holds the response${describeLimit(hold)}`
  const late = describeLateness(fault)
  if (drop) return `drops the connection${late}`
  if (lost) return `runs, and its response is lost${late}`
  if (rst) return `resets the connection${late}`
  if (response) return `responds ${response.status} as given${late}`
  const retry = retryAfter === undefined ? '' : ` (Retry-After: ${retryAfter} s)`
  if (body === undefined) return `fails with ${status}${retry}${late}`
  const responds = status === undefined ? 'responds' : `responds ${status}`
  return `${responds} with ${FAULT_BODIES[body]}${retry}${late}`
}

/** What goes on to the next fault. */
function describePace({ delay, slow }: TimedFault): string {
  const parts: string[] = []
  if (delay !== undefined) parts.push(`waits ${describeDelay(delay)}`)
  if (slow !== undefined) parts.push(`sends ${printSpeed(slow)}`)
  return parts.join(', then ')
}

function describeLateness({ delay, slow }: TimedFault): string {
  const late = delay === undefined ? '' : ` after ${describeDelay(delay)}`
  return slow === undefined ? late : `${late} at ${printSpeed(slow)}`
}

/** As it can be written: `2kB/s`, `500B/s`. */
function printSpeed(bytesPerSecond: number): string {
  return bytesPerSecond % 1_000 === 0 ? `${bytesPerSecond / 1_000}kB/s` : `${bytesPerSecond}B/s`
}

function describeLimit(hold: true | number): string {
  return hold === true ? '' : ` for at most ${hold / 1_000} s`
}

const TIMES = ['never', 'once', 'twice']

function describeTimes(times: number, applied: number | undefined): string {
  if (applied) return `${applied} of ${times}`
  return TIMES[times] ?? `${times} times`
}

/** `1: createPet fails with 503, twice (applied to 1 of 2 calls)`, and at last `(used up)`. */
export function printLiveFault(fault: TimedFault): string {
  const { applied = 0, ...definition } = fault
  const { id, seen } = definition
  const text = `${id}: ${describeFault(definition)}`
  if (isUsedUp(fault)) return `${text} (used up)`
  return seen ? `${text} (applied to ${applied} of ${count(seen, 'call')})` : text
}

export const sayUsedUp = (fault: TimedFault): string => (isUsedUp(fault) ? ' (used up)' : '')

export function describeDelay(delay: Delay | null | undefined): string {
  if (delay === null || delay === undefined) return 'none'
  const bounds = Array.isArray(delay) ? delay : [delay]
  return `${bounds.join('–')} ms`
}

export function printChoices(chosen: SomeChoices): string[] {
  return Object.entries(chosen).map(([question, choice]) => `${question}=${choice}`)
}

export function printClock(clock: {
  readonly now: string | null
  readonly frozen: boolean
}): string {
  const time = clock.now?.replace(/\.\d+/, '') ?? 'real time'
  return clock.frozen ? `${time} (frozen)` : time
}

export function printSurprise(surprise: Surprise): string {
  const { seed, kinds, only } = surprise
  const parts = [`seed ${seed}`]
  if (kinds) parts.push(`kinds ${kinds.join(' ')}`)
  if (only) parts.push(`only ${only.join(' ')}`)
  return parts.join(', ')
}
