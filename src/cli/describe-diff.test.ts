import { describe, expect, it } from 'vitest'
import { createMock } from '../index.ts'
import { describeDiff } from './describe-diff.ts'

describe('what differs from the scenario, in words', () => {
  it('is nothing at first', () => {
    expect(describeDiff(createMock().control.diff())).toBe('No differences from default\n')
  })

  it('is one line for each difference', () => {
    const rex = { id: 1, name: 'Rex', categoryId: 3, status: 'available' } as const
    const { control } = createMock({ scenario: { name: 'zoo', pets: [rex, { ...rex, id: 2 }], faults: [{ operation: '*', status: 500 }] } })
    control.pets.update(1, { status: 'sold', categoryId: 9223372036854775807n })
    control.pets.remove(2)
    control.pets.add({ name: 'P\u202eip\n', categoryId: 1 })
    control.clock.set('2030-12-06', { frozen: true })
    control.latency.set([20, 80])
    control.faults.clear()
    control.faults.add({ operation: 'createPet', status: 503, times: 2 })
    control.assume({ 'invalid-query': 'clamp' })
    expect(describeDiff(control.diff())).toBe(`Differences from zoo:
  added    3 "P\\u202eip\\n"
  changed  1 "Rex": categoryId 3 → 9223372036854775807, status "available" → "sold"
  removed  2 "Rex" (available)
  clock    real time → 2030-12-06T00:00:00.000Z (frozen)
  latency  none → 20–80 ms
  fault    added 2: createPet responds 503, at most 2 times
  fault    removed 1: * responds 500
  assumes  invalid-query: reject → clamp
`)
  })

  it('says of a field that it was or is not there', () => {
    const rex = { id: 1, name: 'Rex', categoryId: 3 }
    const { control } = createMock({ pets: [rex, { ...rex, id: 2, status: 'sold' }] })
    control.pets.update(1, { status: 'pending' })
    control.pets.update(2, { status: null })
    control.latency.set(5)
    expect(describeDiff(control.diff())).toBe(`Differences from default:
  changed  1 "Rex": status none → "pending"
  changed  2 "Rex": status "sold" → none
  latency  none → 5 ms
`)
  })

  it('names a hundred animals of a kind, and counts the rest', () => {
    const { control } = createMock({ pets: [] })
    for (let index = 0; index < 103; index++) control.pets.add({ name: 'Pip', categoryId: 1 })
    const lines = describeDiff(control.diff()).trimEnd().split('\n')
    expect(lines).toHaveLength(102)
    expect(lines.at(-1)).toBe('  added    and 3 more')
  })
})
