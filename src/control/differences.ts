// Differences in words: of a state from another one, and of a response from another one.
import type { Pet } from '../contract/generated/contract.ts'
import { count } from '../contract/problem.ts'
import { cutText } from '../contract/values.ts'
import { describeDelay, describeFault, printClock, sayUsedUp } from '../world/describe-fault.ts'
import type { LiveFault } from '../world/faults.ts'
import { isCut, type LoggedMessage } from '../world/row.ts'
import type { StateDiff } from './control.ts'

const MAX_NAME_CHARACTERS = 40
const MAX_TOLD = 3

/** A text for each difference, with what it is about, such as `added` animals or the `clock`. */
export function listDifferences(diff: StateDiff): (readonly [about: string, text: string])[] {
  const { pets, clock, latency, faults, assume } = diff
  const texts: Readonly<Record<string, readonly string[]>> = {
    added: pets.added.map((pet) => `animal ${pet.id} added: ${describeField(pet.name)}`),
    changed: pets.changed.map(({ before, after }) => describePetChange(before, after)),
    removed: pets.removed.map((pet) => `animal ${pet.id} removed: ${describeField(pet.name)}`),
    clock: clock ? [`clock: ${printClock(clock.after)}`] : [],
    latency: latency ? [describeLatencyChange(latency)] : [],
    faults: [...describeAdded(faults), ...describeRemoved(faults)],
    used: (faults.used ?? []).map(({ before, after }) => describeUses(before, after)),
    assume: assume.map((choice) => `${choice.id}: ${choice.before} → ${choice.after}`),
  }
  return Object.entries(texts).flatMap(([about, own]) => own.map((text) => [about, text] as const))
}

/** The first differences, for the row of a change. */
export function describeChange(diff: StateDiff): string {
  const all = listDifferences(diff).map(([, text]) => text)
  const told = all.slice(0, MAX_TOLD)
  if (all.length > MAX_TOLD) told.push(`and ${all.length - MAX_TOLD} more`)
  return told.join('; ')
}

/** `animal 1: name Rex → Max, available → sold`. */
function describePetChange(before: Pet, after: Pet): string {
  const names = Object.keys({ ...before, ...after }) as (keyof Pet)[]
  const changed = names.filter((name) => before[name] !== after[name])
  const changes = changed.map((name) => {
    const label = name === 'status' ? '' : `${name} `
    return `${label}${describeField(before[name])} → ${describeField(after[name])}`
  })
  return `animal ${after.id}: ${changes.join(', ')}`
}

function describeField(value: Pet[keyof Pet]): string {
  if (typeof value !== 'string') return String(value ?? 'absent')
  const text = cutText(value, MAX_NAME_CHARACTERS)
  return text.trim() === '' ? `"${text}"` : text
}

function describeLatencyChange(latency: NonNullable<StateDiff['latency']>): string {
  return `latency: ${describeDelay(latency.before)} → ${describeDelay(latency.after)}`
}

function describeAdded(faults: StateDiff['faults']): string[] {
  return faults.added.map((fault) => describeFault(fault) + sayUsedUp(fault))
}

/** A fault that was replaced is only added. */
function describeRemoved(faults: StateDiff['faults']): string[] {
  const addedIds = faults.added.map((fault) => fault.id)
  const gone = faults.removed.filter((fault) => !addedIds.includes(fault.id))
  return gone.map((fault) => `removed: ${describeFault(fault)}`)
}

/** `createPet fails with 503, twice: used 2 times (used up)`; a rewind lowers the number. */
function describeUses(before: LiveFault, after: LiveFault): string {
  const earlier = before.applied > 0 ? `${before.applied} → ` : ''
  const uses = `used ${earlier}${count(after.applied, 'time')}${sayUsedUp(after)}`
  return `${describeFault({ ...after, applied: 0 })}: ${uses}`
}

/**
 * The header fields that differ. Neither the date nor, where a row may hide part of the body, its
 * length counts.
 */
export function findOtherFields(one: LoggedMessage, other: LoggedMessage): string[] {
  const showsLength = one.body === other.body && (one.body === '' || isCut(one.body))
  const ignored = showsLength ? ['Date'] : ['Date', 'Content-Length']
  const names = Object.keys({ ...one.headers, ...other.headers })
  return names.filter(
    (name) => one.headers[name] !== other.headers[name] && !ignored.includes(name),
  )
}

export function printStatus(status: number): string {
  return status === 0 ? 'no response' : String(status)
}
