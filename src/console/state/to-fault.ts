// Turns the fault form into a fault. It is validated by the control API, which names the problems.
import type { Fault } from '../../world/faults.ts'

/** The fields of the form, as text. */
export interface FaultDraft {
  readonly operation: Fault['operation']
  readonly kind: 'status' | 'delay' | 'drop'
  readonly status: string
  readonly retryAfter: string
  readonly shortest: string
  readonly longest: string
  readonly chance: string
  readonly times: string
  readonly after: string
}

export const newFault: FaultDraft = {
  operation: '*',
  kind: 'status',
  status: '503',
  retryAfter: '',
  shortest: '1000',
  longest: '',
  chance: '',
  times: '',
  after: '',
}

export function toFault({ operation, kind, status, retryAfter, shortest, longest, chance, times, after }: FaultDraft): Fault {
  return {
    operation,
    ...(kind === 'status' ? { status: Number(status), ...optional('retryAfter', retryAfter) } : {}),
    ...(kind === 'delay' ? { delay: longest === '' ? Number(shortest) : [Number(shortest), Number(longest)] } : {}),
    ...(kind === 'drop' ? { drop: true } : {}),
    ...(chance === '' ? {} : { rate: Number((Number(chance) / 100).toPrecision(12)) }),
    ...optional('times', times),
    ...optional('after', after),
  }
}

function optional(name: 'retryAfter' | 'times' | 'after', value: string): Partial<Record<typeof name, number>> {
  return value === '' ? {} : { [name]: Number(value) }
}
