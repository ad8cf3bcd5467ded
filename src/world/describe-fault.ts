// Faults and settings in words, for people.

import type { AssumptionChoices } from '../contract/generated/contract.ts'
import { count } from '../contract/problem.ts'
import { FAULT_BODIES, hasOutcome, isUsedUp } from './fault-outcome.ts'
import type { Delay, TimedFault } from './faults.ts'
import type { Surprise } from './surprise.ts'

const TIMES = ['never', 'once', 'twice']

/**
 * `createPet fails with 503, twice`; after it has struck once, `createPet fails with 503, 1 of 2`.
 */
export function describeFault(fault: TimedFault): string {
  const { operation, petId, rate, times, applied, after } = fault
  const parts = [
    `${operation === '*' ? 'every operation' : operation} ${describeEffect(fault)}`,
    petId !== undefined && `only animal ${petId}`,
    rate !== undefined && `${Number((rate * 100).toPrecision(3))}% of the time`,
    times !== undefined &&
      (applied ? `${applied} of ${times}` : (TIMES[times] ?? `${times} times`)),
    after && `skipping ${count(after, 'call')} first`,
  ]
  return parts.filter(Boolean).join(', ')
}

export const describeDelay = (delay: Delay | null | undefined): string =>
  delay === null || delay === undefined ? 'none' : `${[delay].flat().join('–')} ms`

export const printChoices = (chosen: Partial<AssumptionChoices>) =>
  Object.entries(chosen).map((one) => one.join('='))

export const printClock = ({
  now,
  frozen,
}: {
  readonly now: string | null
  readonly frozen: boolean
}): string => `${now?.replace(/\.\d+/, '') ?? 'real time'}${frozen ? ' (frozen)' : ''}`

export const printSurprise = ({ seed, kinds, only }: Surprise): string =>
  `seed ${seed}${kinds ? `, kinds ${kinds.join(' ')}` : ''}${only ? `, only ${only.join(' ')}` : ''}`

export const sayUsedUp = (fault: TimedFault): string => (isUsedUp(fault) ? ' (used up)' : '')

/** `1: createPet fails with 503, twice (applied to 1 of 2 calls)`, and at last `(used up)`. */
export function printLiveFault({ applied = 0, ...fault }: TimedFault): string {
  const { id, seen } = fault
  const uses = seen ? ` (applied to ${applied} of ${count(seen, 'call')})` : ''
  return `${id}: ${describeFault(fault)}${sayUsedUp({ ...fault, applied }) || uses}`
}

function describeEffect(fault: TimedFault): string {
  const { status, delay, drop, retryAfter, body, response } = fault
  if (!hasOutcome(fault)) return `waits ${describeDelay(delay)}`
  const late = delay === undefined ? '' : ` after ${describeDelay(delay)}`
  if (drop) return `drops the connection${late}`
  if (response) return `responds ${response.status} as given${late}`
  const retry = retryAfter === undefined ? '' : ` (Retry-After: ${retryAfter} s)`
  if (body === undefined) return `fails with ${status}${retry}${late}`
  return `responds${status === undefined ? '' : ` ${status}`} with ${FAULT_BODIES[body]}${retry}${late}`
}
