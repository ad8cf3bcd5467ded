import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock.ts'
import type { Fault } from '../../world/faults.ts'
import { describeFault, readyFaults } from './describe-fault.ts'
import { type FaultDraft, newFault, toFault } from './to-fault.ts'

describe('describeFault', () => {
  it.each<[fault: Omit<Fault, 'operation'>, sentence: string]>([
    [{ status: 503 }, 'answers 503'],
    [{ status: 503, retryAfter: 30 }, 'answers 503 (retry after 30 s)'],
    [{ delay: 200 }, 'answers 200 ms late'],
    [{ delay: [200, 800] }, 'answers 200–800 ms late'],
    [{ status: 500, delay: 100 }, 'answers 500 100 ms late'],
    [{ drop: true }, 'drops the connection'],
    [{ drop: true, rate: 0.125, times: 2, after: 1 }, 'drops the connection, 12.5% of the time, at most 2×, after 1 call'],
    [{ status: 500, after: 3 }, 'answers 500, after 3 calls'],
  ])('%j', (fault, sentence) => {
    expect(describeFault({ operation: '*', ...fault })).toBe(sentence)
  })
})

describe('toFault', () => {
  it.each<[draft: Partial<FaultDraft>, fault: Partial<Fault>]>([
    [{}, { status: 503 }],
    [
      { retryAfter: '3', times: '2', after: '1', chance: '12.5' },
      { status: 503, retryAfter: 3, times: 2, after: 1, rate: 0.125 },
    ],
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
