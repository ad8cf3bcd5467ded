// Faults, settings and changes in words, for people.
import { cutText } from '../contract/describe-value.ts'
import { parsePetText } from '../contract/pet.ts'
import { count } from '../contract/problem.ts'
import { FAULT_BODIES } from '../fault-body.ts'
import type { Pet } from '../generated/contract.ts'
import type { Course } from '../world/clock.ts'
import type { Difference } from '../world/difference.ts'
import type { DelayMs, Fault, TimedFault } from '../world/faults.ts'

const MAX_NAME_CHARACTERS = 40
const MAX_TOLD = 3
const TIMES = ['never', 'once', 'twice']

/** `createPet fails with 503, twice`; after it has struck once, `createPet fails with 503, 1 of 2`. */
export function describeFault(fault: TimedFault): string {
  const { operation, petId, rate, times, applied, after } = fault
  const parts = [
    `${operation === '*' ? 'every operation' : operation} ${describeOutcome(fault)}`,
    petId !== undefined && `only animal ${petId}`,
    rate !== undefined && `${Number((rate * 100).toPrecision(3))}% of the time`,
    times !== undefined && (applied ? `${applied} of ${times}` : (TIMES[times] ?? `${times} times`)),
    after && `skipping the first ${after === 1 ? 'call' : `${after} calls`}`,
  ]
  return parts.filter(Boolean).join(', ')
}

export function describeDelay(delay: DelayMs | null | undefined): string {
  return delay === null || delay === undefined ? 'none' : `${[delay].flat().join('–')} ms`
}

export function printClock({ now, frozen }: { readonly now: string | null; readonly frozen: boolean }): string {
  return `${now ?? 'real time'}${frozen ? ' (frozen)' : ''}`
}

/** `1: createPet fails with 503, twice (applied to 1 of 2 calls)`. */
export function printLiveFault({ applied = 0, ...fault }: TimedFault): string {
  const { id, seen = 0 } = fault
  return `${id}: ${describeFault(fault)}${seen === 0 ? '' : ` (applied to ${applied} of ${count(seen, 'call')})`}`
}

/** `name Rex → Max, available → sold`. */
export function describeFields(before: Pet, after: Pet): string {
  const names = Object.keys({ ...before, ...after }) as (keyof Pet)[]
  const sides = names
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name === 'status' ? '' : `${name} `}${describeField(before[name])} → ${describeField(after[name])}`)
  return sides.join(', ')
}

function describeField(value: Pet[keyof Pet]): string {
  return typeof value === 'string' ? cutText(value, MAX_NAME_CHARACTERS) : String(value ?? 'absent')
}

export const isUsedUp = ({ times, applied = 0 }: Fault): boolean => times !== undefined && applied >= times

function describeOutcome({ status, delay, drop, retryAfter, body, response }: TimedFault): string {
  const late = delay === undefined ? '' : ` after ${describeDelay(delay)}`
  if (drop) return `drops the connection${late}`
  if (response) return `responds ${response.status} as given${late}`
  if (status === undefined && body === undefined) return `waits ${describeDelay(delay ?? 0)}`
  const retry = retryAfter === undefined ? '' : ` (Retry-After: ${retryAfter} s)`
  if (body === undefined) return `fails with ${status}${retry}${late}`
  return `responds${status === undefined ? '' : ` ${status}`} with ${FAULT_BODIES[body]}${retry}${late}`
}

export function describeChange(differences: readonly Difference[]): string {
  const more = differences.length > MAX_TOLD ? `; and ${differences.length - MAX_TOLD} more` : ''
  return differences.slice(0, MAX_TOLD).map(describeDifference).join('; ') + more
}

function describeDifference({ kind, id, before, after }: Difference): string {
  if (kind === 'pet') return describePet(`animal ${id}`, before, after)
  if (kind === 'choice') return `${id}: ${before} → ${after}`
  if (kind === 'latency') return `latency: ${describeDelay(before)} → ${describeDelay(after)}`
  if (kind === 'clock') return `clock ${describeCourse(before, after)}`
  const fault = (after ?? before)?.fault
  return (after ? '' : 'removed: ') + (fault ? describeFault(fault) : '')
}

function describePet(animal: string, before: string | undefined, after: string | undefined): string {
  if (after === undefined) return `${animal} removed`
  const now = parsePetText(after)
  if (before === undefined) return `${animal} added: ${describeField(now.name)}`
  return `${animal}: ${describeFields(parsePetText(before), now)}`
}

function describeCourse(before: Course, { frozenAt, start }: Course): string {
  const instant = frozenAt ?? start?.instant
  if (instant === undefined) return 'follows real time'
  const moment = new Date(instant).toISOString().slice(0, 19).replace('T', ' ')
  if (before.frozenAt === undefined && frozenAt !== undefined) return `stopped at ${moment}`
  return before.frozenAt === instant && frozenAt === undefined ? `runs on from ${moment}` : `moved to ${moment}`
}
