import { expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { compareStates } from './compare.ts'

it('compareStates says what changed from one moment to another', () => {
  const { control } = createMock({ pets: [1, 2].map((id) => ({ id, name: 'Rex', categoryId: 1 })), now: '2030-12-06', frozen: true })
  const before = control.state()
  expect(compareStates(before, before, 0)).toMatchObject({
    pets: { added: [], changed: [], removed: [] },
    assume: [],
    latency: null,
    clock: null,
  })
  control.pets.add({ name: 'Mia', categoryId: 1 })
  control.pets.update(1, { status: 'sold' })
  control.pets.remove(2)
  control.faults.add({ operation: 'getPet', status: 503 })
  control.assume({ 'invalid-query': 'clamp' })
  control.latency.set(5)
  control.clock.set('2031-01-01')
  const rex = { name: 'Rex', categoryId: 1 }
  expect(compareStates(before, control.state(), 5)).toMatchObject({
    pets: {
      added: [{ id: 3, name: 'Mia' }],
      changed: [{ before: { id: 1, ...rex }, after: { id: 1, ...rex, status: 'sold' } }],
      removed: [{ id: 2, ...rex }],
    },
    faults: { added: [{ operation: 'getPet', status: 503 }], removed: [] },
    assume: [{ id: 'invalid-query', before: 'reject', after: 'clamp' }],
    latency: { before: null, after: 5 },
    clock: { before: { now: '2030-12-06T00:00:00.000Z' }, after: { now: '2031-01-01T00:00:00.000Z' } },
  })
  expect(compareStates(control.state(), before, -5).faults).toMatchObject({ added: [], removed: [{ operation: 'getPet' }] })
})
