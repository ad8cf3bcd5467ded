// What would have been, in words.
import type { Alternative, WhatIfChange } from '../control/results.ts'
import type { LogEntry } from '../world/log-entry.ts'
import { escapeUnsafe } from './escape.ts'

/** `with invalid-query=clamp`, `without fault 1`, `on 2030-12-06`. */
export function describeWhatIfChange({ without, assume = {}, latency, at, request }: WhatIfChange): string {
  const choices = Object.entries(assume).map(([question, choice]) => `${question}=${choice}`)
  const faults = typeof without === 'string' ? 'without faults' : `without fault ${without?.join(', ')}`
  const parts = [
    ...(choices.length > 0 ? [`with ${choices.join(', ')}`] : []),
    ...(without ? [faults] : []),
    ...(latency === undefined ? [] : [`with latency ${latency ?? 'off'}`]),
    ...(at === undefined ? [] : [`on ${at}`]),
    ...(request ? ['as another request'] : []),
  ]
  return escapeUnsafe(parts.join(', ') || 'as it was')
}

/** One line for each alternative: `with invalid-query=clamp: 200`. */
export function describeAlternatives(alternatives: readonly Alternative[]): string[] {
  return alternatives.map(({ change, status, reason }) =>
    escapeUnsafe(`${describeWhatIfChange(change)}: ${status || 'the connection is dropped'}${reason === null ? '' : ` (${reason})`}`),
  )
}

/** Says of a refused request what would have let it pass; empty if nothing would. */
export function describeWayOut({ method, target, status }: LogEntry, alternatives: readonly Alternative[]): string {
  const found = alternatives.find((one) => one.status > 0 && one.status < 400)
  if (!found) return ''
  return escapeUnsafe(`${method} ${target} got ${status}; ${describeWhatIfChange(found.change)} it would get ${found.status}`)
}
