// Differences in words: of a state from its scenario, and of a response from its alternatives.
import type { Alternative, StateDiff, WhatIfChange } from '../control/control.ts'
import type { Pet } from '../generated/contract.ts'
import type { RequestRow } from '../world/row.ts'
import { describeDelay, describeFields, printClock, printLiveFault } from './describe-fault.ts'
import { escapeUnsafe } from './escape.ts'

export function listDifferences({ pets, clock, latency, faults, assume }: StateDiff): (readonly [name: string, text: string])[] {
  const nameOf = ({ id, name }: Pet) => `${id} ${name}`
  const texts = {
    added: pets.added.map(nameOf),
    changed: pets.changed.map(({ before, after }) => `${nameOf(before)}: ${describeFields(before, after)}`),
    removed: pets.removed.map(nameOf),
    clock: clock ? [`${printClock(clock.before)} → ${printClock(clock.after)}`] : [],
    latency: latency ? [`${describeDelay(latency.before)} → ${describeDelay(latency.after)}`] : [],
    fault: Object.entries(faults).flatMap(([word, list]) => list.map((fault) => `${word} ${printLiveFault(fault)}`)),
    assumes: assume.map(({ id, before, after }) => `${id}: ${before} → ${after}`),
  }
  return Object.entries(texts).flatMap(([name, own]) => own.map((text) => [name, escapeUnsafe(text)] as const))
}

/** `with invalid-query=clamp`, `without fault 1`, `on 2030-12-06`. */
export function describeWhatIfChange({ without, assume = {}, latency, at, request }: WhatIfChange): string {
  const choices = Object.entries(assume).map(([question, choice]) => `${question}=${choice}`)
  const parts = [
    choices.length > 0 && `with ${choices.join(', ')}`,
    without && (typeof without === 'string' ? 'without faults' : `without fault ${without.join(', ')}`),
    latency !== undefined && `with latency ${[latency ?? 'none'].flat().join('–')}`,
    at !== undefined && `on ${at}`,
    request && (request.headers?.prefer === null ? 'without Prefer' : 'as another request'),
  ]
  return escapeUnsafe(parts.filter(Boolean).join(', ') || 'as it was')
}

/** `with invalid-query=clamp: 200`. */
export function describeAlternatives(alternatives: readonly Alternative[]): string[] {
  return alternatives.map(({ change, status, reason }) => {
    const result = `${status || 'the connection is dropped'}${reason === null ? '' : ` (${reason})`}`
    return escapeUnsafe(`${describeWhatIfChange(change)}: ${result}`)
  })
}

export function describeWayOut({ method, target, status }: RequestRow, alternatives: readonly Alternative[]): string {
  const found = alternatives.find((one) => one.status > 0 && one.status < 400)
  if (!found) return ''
  return escapeUnsafe(`${method} ${target} got ${status}; ${describeWhatIfChange(found.change)} it would get ${found.status}`)
}
