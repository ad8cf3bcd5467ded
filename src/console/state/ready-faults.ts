// Preset faults.
import type { Fault } from '../../world/faults.ts'

export interface ReadyFault {
  readonly name: string
  readonly description: string
  readonly faults: readonly Fault[]
}

export const readyFaults: readonly ReadyFault[] = [
  { name: 'Outage', description: 'Every authenticated request gets 503', faults: [{ operation: '*', status: 503, retryAfter: 30 }] },
  {
    name: 'Flaky',
    description: 'Some requests fail, are dropped or are delayed',
    faults: [
      { operation: '*', drop: true, rate: 0.05 },
      { operation: '*', status: 503, rate: 0.15, retryAfter: 1 },
      { operation: '*', delay: [100, 1000], rate: 0.2 },
    ],
  },
  { name: 'Slow', description: 'Every authenticated request takes 2–4 s', faults: [{ operation: '*', delay: [2000, 4000] }] },
]
