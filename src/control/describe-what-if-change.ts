// The change of a what if in words.
import { escapeUnsafe } from '../contract/escape.ts'
import { count } from '../contract/problem.ts'
import { readFault } from '../scenario/settings/fault.ts'
import { describeDelay, describeFault, printChoices } from '../world/describe-fault.ts'
import type { WhatIfChange } from './control.ts'

/** `with invalid-query=clamp`, `without fault 1`, `on 2030-12-06`. */
export function describeWhatIfChange(change: WhatIfChange): string {
  const { assume, without, with: added = [], pets = {}, latency, at, request } = change
  const parts: string[] = []
  const choices = printChoices(assume ?? {}).join(', ')
  if (choices !== '') parts.push(`with ${choices}`)
  if (without === 'faults') parts.push('without faults')
  else if (without) parts.push(`without fault ${without.join(', ')}`)
  for (const fault of added) parts.push(`where ${describeFault(readFault(fault))}`)
  const edits = Object.keys(pets)
  if (edits.length > 0) parts.push(`with ${count(edits.length, 'other animal')}`)
  if (latency !== undefined) parts.push(`with latency ${describeDelay(latency)}`)
  if (at !== undefined) parts.push(`on ${at}`)
  if (request?.headers?.prefer === null) parts.push('without Prefer')
  else if (request) parts.push('as another request')
  if (parts.length === 0) parts.push('as it was')
  return escapeUnsafe(parts.join(', '))
}
