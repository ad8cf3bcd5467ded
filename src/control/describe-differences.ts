// What differs between two states, in words.
import type { Pet } from '../contract/generated/contract.ts'
import { count } from '../contract/problem.ts'
import { cutText } from '../contract/values.ts'
import { describeDelay, describeFault, printClock, sayUsedUp } from '../world/describe-fault.ts'
import type { LiveFault } from '../world/faults.ts'
import type { StateDiff } from './control.ts'

const MAX_NAME_CHARACTERS = 40
const MAX_LISTED = 3

type DifferenceText = readonly [about: string, text: string]

/** A text for each difference, with what it is about, such as `added` animals or the `clock`. */
export function listDifferences(diff: StateDiff): DifferenceText[] {
  const { pets, clock, latency, apiKeys, faults } = diff
  const listed: DifferenceText[] = []
  const add = (about: string, text: string) => listed.push([about, text])
  for (const { id, name } of pets.added) add('added', `animal ${id} added: ${describeField(name)}`)
  for (const { before, after } of pets.changed) add('changed', describePetChange(before, after))
  for (const { id, name } of pets.removed)
    add('removed', `animal ${id} removed: ${describeField(name)}`)
  if (clock) add('clock', `clock: ${printClock(clock.after)}`)
  if (latency) add('latency', describeLatencyChange(latency))
  if (apiKeys) add('apiKeys', `API keys: ${listKeys(apiKeys.before)} → ${listKeys(apiKeys.after)}`)
  for (const fault of faults.added) add('faults', describeFault(fault) + sayUsedUp(fault))
  for (const fault of findGone(faults)) add('faults', `removed: ${describeFault(fault)}`)
  for (const { before, after } of faults.used ?? []) add('used', describeUses(before, after))
  for (const { id, before, after } of diff.assume) add('assume', `${id}: ${before} → ${after}`)
  return listed
}

/** The first differences, for the row of a change. */
export function describeChange(diff: StateDiff): string {
  const all = listDifferences(diff).map(([, text]) => text)
  const shown = all.slice(0, MAX_LISTED)
  if (all.length > MAX_LISTED) shown.push(`and ${all.length - MAX_LISTED} more`)
  return shown.join('; ')
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

/** Without a number, the ends of two keys may look alike. */
function listKeys(ends: readonly string[]): string {
  if (ends.length === 0) return 'none listed'
  const shown = ends.slice(0, MAX_LISTED).join(', ')
  return ends.length > MAX_LISTED ? `${shown} and ${ends.length - MAX_LISTED} more` : shown
}

/** A fault that was replaced is only added. */
function findGone(faults: StateDiff['faults']): LiveFault[] {
  const addedIds = faults.added.map((fault) => fault.id)
  return faults.removed.filter((fault) => !addedIds.includes(fault.id))
}

/** `createPet fails with 503, twice: used 2 times (used up)`; a rewind lowers the number. */
function describeUses(before: LiveFault, after: LiveFault): string {
  const earlier = before.applied > 0 ? `${before.applied} → ` : ''
  const uses = `used ${earlier}${count(after.applied, 'time')}${sayUsedUp(after)}`
  return `${describeFault({ ...after, applied: 0 })}: ${uses}`
}
