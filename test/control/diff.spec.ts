// How the state differs from its scenario.
import { expect, it } from 'vitest'
import { createMock } from '../../src/index.ts'
import { animals, rex } from '../support/animals.ts'
import { startControl } from '../support/control-client.ts'

const pip = { name: 'Pip', categoryId: 9223372036854775807n }
const fault = { operation: 'createPet', status: 503 } as const
const same = {
  pets: { added: [], changed: [], removed: [] },
  clock: null,
  latency: null,
  apiKeys: null,
  faults: { added: [], removed: [] },
  assume: [],
}

it('the difference from the scenario is empty if everything is as it was, by another way', () => {
  const { control } = createMock({
    now: '2030-01-01T00:00:00.000Z',
    frozen: true,
    faults: [{ ...fault, id: 'a' }],
  })
  control.clock.set('2031-01-01')
  control.clock.set('2030-01-01')
  control.faults.remove('a')
  control.faults.add({ id: 'a', status: 503, operation: 'createPet' })
  expect(control.diff()).toEqual({ scenario: 'default', ...same })
})

it('the difference from the scenario has everything that differs from the scenario, before and after', async () => {
  const scenario = {
    name: 'zoo',
    pets: animals,
    faults: [{ ...fault, id: 'a' }, fault],
    latency: 5,
  }
  const { ask, write, poke, mock } = await startControl({ scenario })
  await write('POST', '/pets', pip)
  await write('PATCH', '/pets/1', { status: 'sold' })
  await poke('DELETE', '/pets/2')
  await write('PUT', '/clock', { now: '2030-12-06', frozen: true })
  await write('PUT', '/latency', [20, 80])
  await poke('DELETE', '/faults/a')
  await write('POST', '/faults', { operation: '*', petId: 9007199254740993n, drop: true })
  await write('PUT', '/assumptions', { 'invalid-query': 'clamp' })
  const diff = (await ask('/diff')).json
  expect(diff).toEqual({
    scenario: 'zoo',
    pets: {
      added: [{ id: 5, ...pip }],
      changed: [{ before: rex, after: { ...rex, status: 'sold' } }],
      removed: [animals[1]],
    },
    clock: {
      before: { now: null, frozen: false },
      after: { now: '2030-12-06T00:00:00.000Z', frozen: true },
    },
    latency: { before: 5, after: [20, 80] },
    apiKeys: null,
    faults: {
      added: [
        { operation: '*', petId: 9007199254740993n, drop: true, id: '2', seen: 0, applied: 0 },
      ],
      removed: [{ ...fault, id: 'a', seen: 0, applied: 0 }],
    },
    assume: [{ id: 'invalid-query', before: 'reject', after: 'clamp' }],
  })
  expect(mock.control.diff()).toEqual(diff)
})
