// Faults and delays in words, for people: the console, the command line and the kits.
import { FAULT_BODIES } from '../fault-body.ts'
import type { DelayMs, Fault, TimedFault } from '../world/faults.ts'

/** What the fault does and when, without the operation: `responds 503 (Retry-After: 30 s), at most 2 times`. */
export function describeFault(fault: TimedFault): string {
  return [toEffect(fault), ...toConditions(fault)].join(', ')
}

/** As in `250 ms` or `200–800 ms`. */
export function describeDelay(delay: DelayMs): string {
  return `${typeof delay === 'number' ? delay : delay.join('–')} ms`
}

/** As in `30%`. */
export function describeRate(rate: number): string {
  return `${Number((rate * 100).toPrecision(3))}%`
}

function toEffect({ status, delay, drop, retryAfter, body, response }: TimedFault): string {
  const late = delay === undefined ? '' : ` after ${describeDelay(delay)}`
  const retry = retryAfter === undefined ? '' : ` (Retry-After: ${retryAfter} s)`
  const content = body === undefined ? '' : ` with ${FAULT_BODIES[body]}`
  const given = response && `responds ${response.status} as given`
  const effect = drop ? 'drops the connection' : `responds${status === undefined ? '' : ` ${status}`}${content}${retry}`
  return (given ?? effect) + late
}

/** Whether it was applied as often as it may be: it affects nothing more until a reset. */
export function isUsedUp({ times, applied = 0 }: Fault): boolean {
  return times !== undefined && applied >= times
}

function toConditions(fault: TimedFault): string[] {
  const { petId, rate, times, after } = fault
  const conditions: string[] = []
  if (petId !== undefined) conditions.push(`only animal ${petId}`)
  if (rate !== undefined) conditions.push(`${describeRate(rate)} of the time`)
  if (times !== undefined) conditions.push(times === 1 ? 'once' : `at most ${times} times`)
  if (after) conditions.push(after === 1 ? 'skipping the first call' : `skipping the first ${after} calls`)
  if (isUsedUp(fault)) conditions.push('used up')
  return conditions
}
