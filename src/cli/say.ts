// Messages to stderr, and the wording that several commands share.
import { describeDelay, describeFault } from '../client/describe-fault.ts'
import { escapeUnsafe } from '../client/escape.ts'
import type { AssumptionState } from '../control/control.ts'
import type { Delay, LiveFault } from '../world/faults.ts'

/** Writes to stderr; a closed pipe is ignored. */
export function say(text: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  process.stderr.write(text)
}

/** Prints a separate line. Control characters in what it quotes are escaped. */
export function notify(text: string): void {
  say(`animal-store-mock: ${escapeUnsafe(text)}\n`)
}

/** Of the open questions those whose choice is not the default. */
export function findChosen(assumptions: readonly AssumptionState[]): AssumptionState[] {
  return assumptions.filter((assumption) => assumption.choice !== assumption.default)
}

/** `200–800 ms for every response`. */
export function toLatencyText(latency: Delay): string {
  return `${describeDelay(latency)} for every response`
}

export function toClockText({ now, frozen }: { readonly now: string | null; readonly frozen: boolean }): string {
  return `${now ?? 'real time'}${frozen ? ' (frozen)' : ''}`
}

/** `100,000`. By hand: the platform's own formatter takes longer to load than everything else that a start prints. */
export function toCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `sold-out (40 animals)`. */
export function toHealthText({ scenario, pets }: { readonly scenario: string; readonly pets: number }): string {
  return `${escapeUnsafe(scenario)} (${toAnimals(pets)})`
}

/** How many animals, in words. */
export function toAnimals(count: number): string {
  return `${toCount(count)} animal${count === 1 ? '' : 's'}`
}

/** As in `1: createPet responds 503 (applied to 0 of 2 calls)`. */
export function toFaultText(fault: LiveFault): string {
  const { id, operation, seen, applied } = fault
  return `${id}: ${operation} ${describeFault(fault)} (applied to ${toCount(applied)} of ${toCount(seen)} ${seen === 1 ? 'call' : 'calls'})`
}
