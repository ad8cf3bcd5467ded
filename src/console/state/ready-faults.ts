// Preset faults. Each has an id, so that none can be active twice.
import type { Fault } from '../../world/faults.ts'

export interface ReadyFault {
  readonly name: string
  readonly description: string
  readonly faults: readonly (Fault & { readonly id: string })[]
}

export const readyFaults: readonly ReadyFault[] = [
  {
    name: 'Outage',
    description: 'Every authenticated request gets 503',
    faults: [{ id: 'outage', operation: '*', status: 503, retryAfter: 30 }],
  },
  {
    name: 'Flaky',
    description: 'Some requests fail, are dropped or are delayed',
    faults: [
      { id: 'flaky-drop', operation: '*', drop: true, rate: 0.05 },
      { id: 'flaky-503', operation: '*', status: 503, rate: 0.15, retryAfter: 1 },
      { id: 'flaky-delay', operation: '*', delay: [100, 1000], rate: 0.2 },
    ],
  },
  { name: 'Slow', description: 'Every authenticated request takes 2–4 s', faults: [{ id: 'slow', operation: '*', delay: [2000, 4000] }] },
]
