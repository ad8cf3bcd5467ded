import { expect, it } from 'vitest'
import { toCall } from '../../test/support/call.ts'
import { createMock } from '../mock/mock.ts'

const BIG = 9007199254740993n

function startMock() {
  const mock = createMock({ now: '2030-01-01', frozen: true })
  mock.answer(toCall('GET', '/v1/pets?limit=5&status=sold'))
  mock.answer(toCall('POST', '/v1/pets', `{"name":"Rex","categoryId":${BIG}}`, 'key-of-anna'))
  mock.answer(toCall('POST', '/v1/pets', '{"name":"Rex"}'))
  return mock.control
}

it.each([
  ['any request', {}, 3],
  ['an operation', { operation: 'createPet' }, 2],
  ['a query, compared as text', { query: { limit: 5 } }, 1],
  ['a parameter that must be absent', { operation: 'listPets', query: { page: null } }, 1],
  ['a header field in any case', { headers: { 'Content-Type': 'application/json' } }, 2],
  ['part of a body, exact at int64', { body: { categoryId: BIG } }, 1],
  ['a key', { apiKey: 'key-of-anna' }, 1],
  ['a status', { operation: 'createPet', status: 400 }, 1],
  ['an exact number', { operation: 'createPet', times: 2 }, 2],
  ['bounds', { atLeast: 1, atMost: 3 }, 3],
  ['nothing of a kind', { operation: 'getPet', times: 0 }, 0],
] as const)('verify finds %s', (_, expected, count) => {
  expect(startMock().verify(expected)).toMatchObject({ ok: true, count, nearest: [] })
})

it('verify says what differs in the nearest requests, as data and in words', () => {
  const control = startMock()
  expect(control.verify({ operation: 'createPet', body: { name: 'Max' }, status: 201 })).toEqual({
    ok: false,
    count: 0,
    message: [
      'Received 0 matching createPet requests. The nearest:',
      '#2 POST /v1/pets → 201 (key …anna)',
      '    body.name: expected "Max", got "Rex"',
      '    assumes default-status',
      `    request body: {"name":"Rex","categoryId":${BIG}}`,
      '#3 POST /v1/pets → 400 (key …-key)',
      '    body.name: expected "Max", got "Rex"',
      '    status: expected 201, got 400',
      '    refused: categoryId is required',
      '    request body: {"name":"Rex"}',
    ].join('\n'),
    nearest: [
      { id: 2, differences: [{ path: 'body.name', expected: '"Max"', got: '"Rex"' }] },
      {
        id: 3,
        differences: [
          { path: 'body.name', expected: '"Max"', got: '"Rex"' },
          { path: 'status', expected: '201', got: '400' },
        ],
      },
    ],
  })
})

it('verify counts too many, and too few', () => {
  const control = startMock()
  expect(control.verify({ operation: 'createPet', times: 1 })).toMatchObject({
    ok: false,
    count: 2,
  })
  expect(control.verify({ operation: 'createPet', atLeast: 3 })).toMatchObject({ ok: false })
  expect(control.verify({ atMost: 2 })).toMatchObject({ ok: false, count: 3 })
})

it('verify waits for no status: a delayed response may still have the expected one', () => {
  const mock = createMock({ latency: 1000 })
  mock.answer({ ...toCall('GET', '/v1/pets'), reportsOutcome: true })
  const { ok, message } = mock.control.verify({ operation: 'listPets', status: 200 })
  expect([ok, message.split('\n')[0]]).toEqual([
    false,
    'Received 0 matching listPets requests; a response is still delayed. The nearest:',
  ])
  expect(mock.control.verify({ operation: 'listPets' }).ok).toBe(true)
})

it('verify refuses counts that contradict each other', () => {
  const { verify } = createMock().control
  expect(() => verify({ times: 1, atMost: 2 })).toThrow(/^times: cannot be combined/)
  expect(() => verify({ atLeast: 3, atMost: 2 })).toThrow(/^atMost: expected at least 3/)
})

it('verify refuses what it could not compare: hidden fields, endless values, lost digits', () => {
  const { verify } = createMock().control
  const endless: Record<string, unknown> = {}
  endless.self = endless
  expect(() => verify({ headers: { cookie: null } })).toThrow(
    /^headers: cookie is named like a secret/,
  )
  expect(() => verify({ body: endless })).toThrow(/^body: expected JSON data/)
  expect(() => verify({ body: 'x'.repeat(20_000) })).toThrow(/^body: expected at most 16384/)
  expect(() => verify({ body: { categoryId: 1e21 } })).toThrow(
    /^body.categoryId: 1e\+21 is not exact/,
  )
})
