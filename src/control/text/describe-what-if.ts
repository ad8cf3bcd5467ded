// What if in words: what was changed, and what the request would have got.
import { escapeUnsafe } from '../../contract/escape.ts'
import { describeDelay, printChoices } from '../../world/describe-fault.ts'
import type { RequestRow } from '../../world/row.ts'
import type { Alternative, WhatIfChange } from '../control.ts'
import { printStatus } from '../print-status.ts'

/** `with invalid-query=clamp`, `without fault 1`, `on 2030-12-06`. */
export function describeWhatIfChange(change: WhatIfChange): string {
  const { assume, without, latency, at, request } = change
  const parts: string[] = []
  const choices = printChoices(assume ?? {}).join(', ')
  if (choices !== '') parts.push(`with ${choices}`)
  if (without === 'faults') parts.push('without faults')
  else if (without) parts.push(`without fault ${without.join(', ')}`)
  if (latency !== undefined) parts.push(`with latency ${describeDelay(latency)}`)
  if (at !== undefined) parts.push(`on ${at}`)
  if (request?.headers?.prefer === null) parts.push('without Prefer')
  else if (request) parts.push('as another request')
  if (parts.length === 0) parts.push('as it was')
  return escapeUnsafe(parts.join(', '))
}

/** `with invalid-query=clamp: 200`. */
export function describeAlternatives(alternatives: readonly Alternative[]): string[] {
  return alternatives.map(({ change, status, error }) => {
    const result = status === null ? 'unknown' : printStatus(status)
    const reason = error === null ? '' : ` (${error})`
    return escapeUnsafe(`${describeWhatIfChange(change)}: ${result}${reason}`)
  })
}

/** How a failed request could have succeeded; empty if no alternative does. */
export function describeWayOut(row: RequestRow, alternatives: readonly Alternative[]): string {
  const found = alternatives.find((one) => one.status && one.status < 400)
  if (!found) return ''
  const result = `${row.method} ${row.target} got ${printStatus(row.status)}`
  const instead = `${describeWhatIfChange(found.change)} it would get ${found.status}`
  return escapeUnsafe(`${result}; ${instead}`)
}
