// A fault as a sentence, and a few that are ready to use.
import type { Fault } from '../../world/faults.ts'

export interface ReadyFault {
  readonly name: string
  readonly description: string
  readonly faults: readonly Fault[]
}

export const readyFaults: readonly ReadyFault[] = [
  { name: 'Outage', description: 'Every call gets 503', faults: [{ operation: '*', status: 503, retryAfter: 30 }] },
  {
    name: 'Flaky',
    description: 'Some calls fail, some are dropped, some are late',
    faults: [
      { operation: '*', drop: true, rate: 0.05 },
      { operation: '*', status: 503, rate: 0.15, retryAfter: 1 },
      { operation: '*', delay: [100, 1000], rate: 0.2 },
    ],
  },
  { name: 'Slow', description: 'Every answer takes two to four seconds', faults: [{ operation: '*', delay: [2000, 4000] }] },
]

export function describeFault(fault: Fault): string {
  return [toEffect(fault), ...toConditions(fault)].join(', ')
}

function toEffect({ status, delay, drop, retryAfter }: Fault): string {
  const late = delay === undefined ? '' : `${typeof delay === 'number' ? delay : delay.join('–')} ms late`
  const retry = retryAfter === undefined ? '' : ` (retry after ${retryAfter} s)`
  const effect = drop ? 'drops the connection' : status === undefined ? '' : `answers ${status}${retry}`
  if (effect === '') return `answers ${late}`
  return late === '' ? effect : `${effect} ${late}`
}

function toConditions({ rate, times, after }: Fault): string[] {
  const conditions: string[] = []
  if (rate !== undefined) conditions.push(`${Math.round(rate * 1000) / 10}% of the time`)
  if (times !== undefined) conditions.push(`at most ${times}×`)
  if (after !== undefined && after > 0) conditions.push(`after ${after} ${after === 1 ? 'call' : 'calls'}`)
  return conditions
}
