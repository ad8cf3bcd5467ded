import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import type { Fault } from '../../world/faults.ts'
import { readyFaults } from './ready-faults.ts'
import { type FaultDraft, newFault, toFault } from './to-fault.ts'

describe('toFault', () => {
  it.each<[draft: Partial<FaultDraft>, fault: Partial<Fault>]>([
    [{}, { status: 503 }],
    [
      { retryAfter: '3', times: '2', after: '1', chance: '12.5' },
      { status: 503, retryAfter: 3, times: 2, after: 1, rate: 0.125 },
    ],
    [{ chance: '0.7' }, { status: 503, rate: 0.007 }],
    [{ kind: 'delay' }, { delay: 1000 }],
    [{ kind: 'delay', shortest: '10', longest: '20', retryAfter: '3' }, { delay: [10, 20] }],
    [{ kind: 'drop' }, { drop: true }],
  ])('%j', (draft, fault) => {
    expect(toFault({ ...newFault, ...draft })).toEqual({ operation: '*', ...fault })
  })
})

it.each(readyFaults)('$name is a fault that a mock takes', ({ faults }) => {
  const { control } = createMock({ pets: [] })
  for (const fault of faults) control.faults.add(fault)
  expect(control.faults.list()).toMatchObject(faults)
})
