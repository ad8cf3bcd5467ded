// A copied test starts from the moment of its request, so that it passes whatever has changed
// since.
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../contract/errors.ts'
import { MAX_LOGGED_BODY_CHARACTERS } from '../../contract/limits.ts'
import { createMock, type Mock } from '../../mock/mock.ts'
import { scenarios } from '../../scenario/shipped.ts'
import type { RequestRow } from '../../world/row.ts'
import type { Scenario } from '../../world/scenario.ts'
import type { WhatIfChange } from '../control.ts'
import { isTestable, testOf } from './copy-logged.ts'

const KEY = { authorization: 'Bearer any-key', 'content-type': 'application/json' }
const WRONG = { authorization: 'Bearer invalid' }

function send(
  mock: Mock,
  method: string,
  target: string,
  body = '',
  headers: Readonly<Record<string, string>> = KEY,
): void {
  const bytes = body === '' ? undefined : new TextEncoder().encode(body)
  mock.answer({ method, target, headers, body: bytes })
}

/** The copied test of a request. */
function copyTest({ control }: Mock, id: number, change: WhatIfChange = {}) {
  const row = control.requests().find((one) => one.id === id)
  if (!row) throw new Error('A request expected')
  const moment = { state: control.state({ before: id }), diff: control.diff({ before: id }) }
  return testOf(row, moment, 'http://127.0.0.1:7387', change)
}

/** Runs the request of the copied test against a store like the test's. */
async function replay(
  mock: Mock,
  id: number,
): Promise<{ before: number; after: number | undefined }> {
  const test = copyTest(mock, id)
  const store = createMock()
  if (test.options.scenario !== undefined)
    await store.control.load(test.options.scenario as Scenario)
  send(store, test.method, test.target, test.body, test.headers)
  return { before: test.status, after: store.control.requests().at(-1)?.status }
}

/**
 * What was done, the status of the last request, what its test changes in the default scenario, and
 * its key.
 */
const REQUESTS: [
  title: string,
  ask: (mock: Mock) => void,
  status: number,
  scenario?: object | undefined,
  key?: string,
][] = [
  ['a list', (mock) => send(mock, 'GET', '/v1/pets?limit=500'), 400],
  [
    'a list under another choice of an assumption',
    (mock) => [
      mock.control.assume({ 'invalid-query': 'clamp' }),
      send(mock, 'GET', '/v1/pets?limit=500'),
    ],
    200,
    { assume: { 'invalid-query': 'clamp' } },
  ],
  ['a new animal', (mock) => send(mock, 'POST', '/v1/pets', '{"name":"Rex","categoryId":1}'), 201],
  [
    'a request for an animal that was added',
    (mock) => [
      mock.control.pets.add({ name: 'Mia', categoryId: 1 }),
      send(mock, 'GET', '/v1/pets/19'),
    ],
    200,
    { pets: expect.objectContaining({ length: 19 }) },
  ],
  [
    'a request for an animal that was changed',
    (mock) => [
      mock.control.pets.update(7, { name: 'Max' }),
      mock.control.pets.remove(8),
      send(mock, 'GET', '/v1/pets/7'),
    ],
    200,
    { pets: expect.objectContaining({ length: 17 }) },
  ],
  [
    'a request that a fault strikes for the second time',
    (mock) => {
      mock.control.faults.add({ operation: 'listPets', status: 503, times: 2 })
      send(mock, 'GET', '/v1/pets')
      send(mock, 'GET', '/v1/pets')
    },
    503,
    { faults: [expect.objectContaining({ seen: 1, applied: 1 })] },
  ],
  [
    'a request after the faults of the scenario were removed',
    (mock) => [
      mock.control.load({ ...scenarios.outage }),
      mock.control.faults.clear(),
      send(mock, 'GET', '/v1/pets'),
    ],
    200,
    { extends: 'outage', faults: [] },
  ],
  [
    'a request under another latency',
    (mock) => [mock.control.latency.set(5), send(mock, 'GET', '/v1/pets')],
    200,
    { latency: 5 },
  ],
  [
    'a request for an animal after getPet was removed from the API',
    (mock) => [
      mock.control.clock.set('2030-12-06', { frozen: true }),
      send(mock, 'GET', '/v1/pets/1'),
    ],
    404,
    { now: '2030-12-06T00:00:00.000Z', frozen: true },
  ],
  [
    'a request that a fault answers with 401',
    (mock) => [
      mock.control.faults.add({ operation: '*', status: 401 }),
      send(mock, 'GET', '/v1/pets'),
    ],
    401,
    { faults: [expect.objectContaining({ status: 401 })] },
  ],
  [
    'a request with a Prefer header',
    (mock) => send(mock, 'GET', '/v1/pets', '', { ...KEY, prefer: 'code=503', accept: '*/*' }),
    503,
  ],
  ['a request without a key', (mock) => send(mock, 'GET', '/v1/pets', '', {}), 401, undefined, ''],
  [
    'a request with a wrong key',
    (mock) => send(mock, 'GET', '/v1/pets', '', WRONG),
    401,
    undefined,
    WRONG.authorization,
  ],
]

describe.each(REQUESTS)(
  'the copied test of %s',
  (_, ask, status, scenario, key = KEY.authorization) => {
    it('starts from the state at the time of the request, and passes after later changes', async () => {
      const mock = createMock()
      ask(mock)
      const id = mock.control.requests().at(-1)?.id ?? 0
      expect(copyTest(mock, id).options).toEqual(
        scenario ? { scenario: { extends: 'default', ...scenario } } : {},
      )
      expect(copyTest(mock, id).headers.authorization ?? '').toBe(key)
      mock.control.assume({ 'invalid-query': 'ignore', 'removed-answer': 'gone' })
      mock.control.faults.add({ id: '1', operation: 'listPets', status: 418 })
      send(mock, 'POST', '/v1/pets', '{"name":"x","categoryId":1}')
      mock.control.pets.remove(1)
      expect(await replay(mock, id)).toEqual({ before: status, after: status })
    })

    it('passes if the state came from a custom scenario, and after a load was undone', async () => {
      const mock = createMock()
      mock.control.load({ ...mock.control.state(), name: 'mine' })
      ask(mock)
      const id = mock.control.requests().at(-1)?.id ?? 0
      mock.control.load({ name: 'other', pets: [] })
      mock.control.undo()
      expect(await replay(mock, id)).toEqual({ before: status, after: status })
    })
  },
)

it('the copied test starts from the state, whatever its clock, and whatever scenario was loaded before a restart', async () => {
  const sunset = createMock({ scenario: scenarios['after-sunset'] })
  sunset.control.clock.set(null)
  send(sunset, 'GET', '/v1/pets/1')
  expect(await replay(sunset, 2)).toEqual({ before: 200, after: 200 })
  const items = new Map<string, string>()
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
  }
  createMock({ storage }).control.load({
    name: 'mine',
    pets: [{ id: 500, name: 'Rex', categoryId: 1 }],
  })
  await vi.waitUntil(() => items.size > 0)
  const resumed = createMock({ storage })
  send(resumed, 'GET', '/v1/pets/500')
  expect(resumed.control.diff().scenario).toBe('default')
  expect(await replay(resumed, 1)).toEqual({ before: 200, after: 200 })
})

it('the copied test of a what-if starts with what was changed', () => {
  const mock = createMock()
  send(mock, 'GET', '/v1/pets')
  const scenarioOf = (change: WhatIfChange) => copyTest(mock, 1, change).options.scenario
  expect(scenarioOf({ at: '2030-12-06' })).toEqual({
    extends: 'default',
    now: '2030-12-06',
    frozen: true,
  })
  const request = {
    method: 'post',
    headers: { 'Content-Type': 'text/plain', Authorization: null },
    body: [1],
  }
  expect(copyTest(mock, 1, { request })).toMatchObject({
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '[1]',
  })
})

it('the copied test of a what-if sends a key that gets what the request would get', () => {
  const mock = createMock({ apiKeys: ['one'] })
  send(mock, 'GET', '/v1/pets', '', { authorization: 'Bearer two' })
  const change = { assume: { 'valid-keys': 'any' } } as const
  const [row, would] = [mock.control.requests()[0] as RequestRow, mock.control.whatIf(1, change)]
  const moment = {
    state: mock.control.state({ before: 1 }),
    diff: mock.control.diff({ before: 1 }),
  }
  const keyOf = (row: RequestRow) =>
    testOf(row, moment, 'http://127.0.0.1:7387', change).headers.authorization
  expect([keyOf(row), keyOf({ ...row, ...would })]).toEqual(['Bearer invalid', 'Bearer any-key'])
})

it('the copied test of a request to an unknown path has a base address, and a key that its store accepts', () => {
  const mock = createMock({ apiKeys: ['one', 'two'] })
  send(mock, 'GET', '/v1/nothing', '', { authorization: 'Bearer two' })
  const options = { baseUrl: 'http://127.0.0.1:7387/v1' }
  expect(copyTest(mock, 1)).toMatchObject({ options, headers: { authorization: 'Bearer any-key' } })
  send(mock, 'POST', '/v1/nothing', 'x'.repeat(MAX_LOGGED_BODY_CHARACTERS + 1), {})
  send(mock, 'GET', '/v1/nothing', '', WRONG)
  expect(copyTest(mock, 3)).toMatchObject({ status: 404, headers: WRONG })
  const { headers, body } = copyTest(mock, 2)
  expect([headers, body]).toEqual([{}, 'x'.repeat(MAX_LOGGED_BODY_CHARACTERS)])
})

it('a test cannot send preflights, requests outside the base URL, or what the server refused', () => {
  const mock = createMock()
  send(mock, 'GET', '/v1/other')
  send(mock, 'GET', '/pets')
  send(mock, 'OPTIONS', '/v1/pets', '', {
    origin: 'http://localhost',
    'access-control-request-method': 'POST',
  })
  mock.refuse({ method: 'GET', target: '/v1/pets', headers: {} }, new ApiError(403, 'No'))
  expect(mock.control.requests().map(isTestable)).toEqual([true, false, false, false])
})

it.each([
  ['gzip', undefined],
  ['br', 'br'],
])(
  'a copy of a request with Content-Encoding %s has %j: the log shows the body decompressed',
  (sent, copied) => {
    const mock = createMock()
    send(mock, 'POST', '/v1/pets', '{}', { ...KEY, 'content-encoding': sent })
    expect(copyTest(mock, 1).headers['content-encoding']).toBe(copied)
  },
)
