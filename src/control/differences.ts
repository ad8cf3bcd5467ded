// Differences in words: of a state from another one, and of a response from its alternatives.

import { escapeUnsafe } from '../contract/escape.ts'
import type { Pet } from '../contract/generated/contract.ts'
import { count } from '../contract/problem.ts'
import { cutText } from '../contract/values.ts'
import {
  describeDelay,
  describeFault,
  printChoices,
  printClock,
  sayUsedUp,
} from '../world/describe-fault.ts'
import type { LiveFault } from '../world/faults.ts'
import { isCut, type LoggedMessage, type RequestRow } from '../world/row.ts'
import type { Alternative, StateDiff, WhatIfChange } from './control.ts'

const MAX_NAME_CHARACTERS = 40
const MAX_TOLD = 3

export function listDifferences({ pets, clock, latency, faults, assume }: StateDiff) {
  const gone = faults.removed.filter(({ id }) => !faults.added.some((fault) => fault.id === id))
  const sayFault = (fault: LiveFault) => describeFault(fault) + sayUsedUp(fault)
  const texts = {
    added: pets.added.map(({ id, name }) => `animal ${id} added: ${describeField(name)}`),
    changed: pets.changed.map(
      ({ before, after }) => `animal ${after.id}: ${compareFields(before, after)}`,
    ),
    removed: pets.removed.map(({ id, name }) => `animal ${id} removed: ${describeField(name)}`),
    clock: clock ? [`clock: ${printClock(clock.after)}`] : [],
    latency: latency
      ? [`latency: ${describeDelay(latency.before)} → ${describeDelay(latency.after)}`]
      : [],
    faults: [
      ...faults.added.map(sayFault),
      ...gone.map((fault) => `removed: ${describeFault(fault)}`),
    ],
    used: (faults.used ?? []).map(sayUses),
    assume: assume.map(({ id, before, after }) => `${id}: ${before} → ${after}`),
  }
  return Object.entries(texts).flatMap(([about, own]) => own.map((text) => [about, text] as const))
}

/**
 * `createPet fails with 503, twice: used 2 times (used up)`; after a rewind the amount may be
 * smaller.
 */
function sayUses({
  before,
  after,
}: {
  readonly before: LiveFault
  readonly after: LiveFault
}): string {
  const amount = `${before.applied > 0 ? `${before.applied} → ` : ''}${count(after.applied, 'time')}`
  return `${describeFault({ ...after, applied: 0 })}: used ${amount}${sayUsedUp(after)}`
}

export function describeChange(diff: StateDiff): string {
  const all = listDifferences(diff).map(([, text]) => text)
  return [
    ...all.slice(0, MAX_TOLD),
    ...(all.length > MAX_TOLD ? [`and ${all.length - MAX_TOLD} more`] : []),
  ].join('; ')
}

/** `name Rex → Max, available → sold`. */
function compareFields(before: Pet, after: Pet): string {
  const names = Object.keys({ ...before, ...after }) as (keyof Pet)[]
  const label = (name: keyof Pet) => (name === 'status' ? '' : `${name} `)
  const say = (name: keyof Pet) =>
    `${label(name)}${describeField(before[name])} → ${describeField(after[name])}`
  const changed = names.filter((name) => before[name] !== after[name])
  return changed.map(say).join(', ')
}

function describeField(value: Pet[keyof Pet]): string {
  if (typeof value !== 'string') return String(value ?? 'absent')
  const text = cutText(value, MAX_NAME_CHARACTERS)
  return text.trim() === '' ? `"${text}"` : text
}

/**
 * The fields that differ, without the date and the length of a body, of which a row may hide a
 * part.
 */
export function findOtherFields(one: LoggedMessage, other: LoggedMessage): string[] {
  const showsLength = one.body === other.body && (one.body === '' || isCut(one.body))
  const ignored = showsLength ? ['Date'] : ['Date', 'Content-Length']
  const names = Object.keys({ ...one.headers, ...other.headers })
  return names.filter(
    (name) => one.headers[name] !== other.headers[name] && !ignored.includes(name),
  )
}

/** `with invalid-query=clamp`, `without fault 1`, `on 2030-12-06`. */
export function describeWhatIfChange({
  without,
  assume = {},
  latency,
  at,
  request,
}: WhatIfChange): string {
  const choices = printChoices(assume).join(', ')
  const parts = [
    choices && `with ${choices}`,
    without &&
      (typeof without === 'string' ? 'without faults' : `without fault ${without.join(', ')}`),
    latency !== undefined && `with latency ${describeDelay(latency)}`,
    at !== undefined && `on ${at}`,
    request && (request.headers?.prefer === null ? 'without Prefer' : 'as another request'),
  ]
  return escapeUnsafe(parts.filter(Boolean).join(', ') || 'as it was')
}

export const printStatus = (status: number): string =>
  status === 0 ? 'no response' : String(status)

/** `with invalid-query=clamp: 200`. */
export function describeAlternatives(alternatives: readonly Alternative[]): string[] {
  return alternatives.map(({ change, status, error }) => {
    const result = `${status === null ? 'unknown' : printStatus(status)}${error === null ? '' : ` (${error})`}`
    return escapeUnsafe(`${describeWhatIfChange(change)}: ${result}`)
  })
}

export function describeWayOut(
  { method, target, status }: RequestRow,
  alternatives: readonly Alternative[],
): string {
  const found = alternatives.find((one) => one.status && one.status < 400)
  if (!found) return ''
  const instead = `${describeWhatIfChange(found.change)} it would get ${found.status}`
  return escapeUnsafe(`${method} ${target} got ${printStatus(status)}; ${instead}`)
}
