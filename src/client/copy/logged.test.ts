// A copied test starts from the moment of its request, so that it passes whatever has changed since.
import { describe, expect, it } from 'vitest'
import { createMock, type Mock } from '../../mock/mock.ts'
import type { Scenario } from '../../world/start.ts'
import { testOf } from './logged.ts'

const KEY = { authorization: 'Bearer any-key', 'content-type': 'application/json' }

function send(mock: Mock, method: string, target: string, body = '', fields: Readonly<Record<string, string>> = KEY): void {
  const bytes = body === '' ? undefined : new TextEncoder().encode(body)
  mock.answer({ method, target, header: (name) => fields[name], fields: Object.entries(fields).flat(), body: bytes })
}

/** Runs the request of the copied test of the last request against a store like the test's. */
async function replay(mock: Mock, id: number): Promise<{ before: number; after: number | undefined }> {
  const entry = mock.control.requests().find((one) => one.id === id)
  if (!entry) throw new Error('A request expected')
  const test = testOf(
    entry,
    { state: mock.control.state({ before: id }), diff: mock.control.diff({ before: id }) },
    'http://127.0.0.1:7387',
  )
  const store = createMock()
  if (test.options.scenario !== undefined) await store.control.load(test.options.scenario as Scenario)
  send(store, test.method, test.target, test.body, test.headers)
  return { before: entry.status, after: store.control.requests().at(-1)?.status }
}

const REQUESTS: readonly (readonly [string, (mock: Mock) => void, number])[] = [
  ['a list', (mock) => send(mock, 'GET', '/v1/pets?limit=500'), 400],
  [
    'a list under another choice',
    (mock) => [mock.control.assume({ 'invalid-query': 'clamp' }), send(mock, 'GET', '/v1/pets?limit=500')],
    200,
  ],
  ['a new animal', (mock) => send(mock, 'POST', '/v1/pets', '{"name":"Rex","categoryId":1}'), 201],
  ['an animal that was added', (mock) => [mock.control.pets.add({ name: 'Mia', categoryId: 1 }), send(mock, 'GET', '/v1/pets/19')], 200],
  ['an animal that was removed', (mock) => [mock.control.pets.remove(7), send(mock, 'GET', '/v1/pets/7')], 404],
  [
    'a fault that strikes the second time',
    (mock) => {
      mock.control.faults.add({ operation: 'listPets', status: 503, times: 2 })
      send(mock, 'GET', '/v1/pets')
      send(mock, 'GET', '/v1/pets')
    },
    503,
  ],
  ['an animal after its removal from the API', (mock) => [mock.control.clock.set('2030-12-06'), send(mock, 'GET', '/v1/pets/1')], 404],
]

const CHANGES: readonly (readonly [string, (mock: Mock) => void])[] = [
  ['an assumption was changed', (mock) => mock.control.assume({ 'invalid-query': 'ignore', 'removed-answer': 'gone' })],
  ['a fault was edited', (mock) => mock.control.faults.add({ id: '1', operation: 'listPets', status: 418 })],
  [
    'an animal was created and one removed',
    (mock) => [send(mock, 'POST', '/v1/pets', '{"name":"x","categoryId":1}'), mock.control.pets.remove(1)],
  ],
]

describe.each(REQUESTS)('the copied test of %s', (_, ask, status) => {
  it.each(CHANGES)('passes after %s', async (__, change) => {
    const mock = createMock()
    ask(mock)
    const id = mock.control.requests().at(-1)?.id ?? 0
    change(mock)
    expect(await replay(mock, id)).toEqual({ before: status, after: status })
  })

  it('passes in a state that started from no shipped scenario, and after a load was undone', async () => {
    const mock = createMock()
    mock.control.load({ ...mock.control.state(), name: 'mine' })
    ask(mock)
    const id = mock.control.requests().at(-1)?.id ?? 0
    mock.control.load({ name: 'other', pets: [] })
    mock.control.undo()
    expect(await replay(mock, id)).toEqual({ before: status, after: status })
  })
})
