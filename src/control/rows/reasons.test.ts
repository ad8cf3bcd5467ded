import { expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { isFailure, listReasons } from './reasons.ts'

it('a refusal that a fault only delayed has its reason, and the error of a fault has not', () => {
  const mock = createMock({
    faults: [
      { operation: 'createPet', delay: 1 },
      { operation: 'listPets', status: 503 },
    ],
  })
  for (const method of ['POST', 'GET'])
    mock.answer({ method, target: '/v1/pets', headers: { authorization: 'Bearer k' } })
  expect(mock.control.requests().map((row) => listReasons(row).map(({ kind }) => kind))).toEqual([
    ['refused', 'fault'],
    ['fault'],
  ])
})

it('a request that was refused or dropped has failed, and one that waits or was given up has not', () => {
  const rows = [
    { status: 200, outcome: 'sent' },
    { status: 404, outcome: 'sent' },
    { status: 0, outcome: 'dropped' },
    // The client got no status.
    { status: 0, outcome: 'waiting' },
    { status: 0, outcome: 'aborted' },
  ] as const
  expect(rows.map(isFailure)).toEqual([false, true, true, false, false])
})
