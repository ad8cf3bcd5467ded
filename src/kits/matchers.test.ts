import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { toCall } from '../../test/support/call.ts'
import { UsageError } from '../contract/errors.ts'
import { contract } from '../contract/generated/contract.ts'
import { joinWords } from '../contract/problem.ts'
import { createMock, type MockOptions } from '../mock/mock.ts'
import { INSPECTION, type Inspection, type StoreMatchers, storeMatchers } from './matchers.ts'

expect.extend(storeMatchers)
declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: must be declared as Vitest declares it
  interface Matchers<T = any> extends StoreMatchers {}
}

/** A store as the kits make one, and the requests of its app. */
function createStore(options: MockOptions = {}, timeout = 60) {
  const mock = createMock(options)
  const send = (method: string, target: string, body?: string, key = 'secret-key') =>
    mock.answer(toCall(method, target, body, key))
  const hint = 'The store answers requests to https://api.example.com/v1.'
  const { requests } = mock.control
  const pending = new Set() as Inspection['pending']
  return {
    mock,
    send,
    pending,
    store: { [INSPECTION]: { requests, pending, timeout, hint: () => hint } },
  }
}

async function messageOf(assertion: Promise<void>): Promise<string> {
  const error = await assertion.then(
    () => new Error('it passed'),
    (thrown: Error) => thrown,
  )
  return error.message
}

const BIG = 9007199254740993n

describe('toHaveReceived', () => {
  it('finds a request by its operation, its status, and parts of its query and body', async () => {
    const { store, send } = createStore()
    send('GET', '/v1/pets?limit=5&status=sold&tag=a&tag=b')
    send('POST', '/v1/pets', '{"name":"Rex","categoryId":1,"tags":[{"a":1,"b":2}]}')
    await expect(store).toHaveReceived('listPets')
    await expect(store).toHaveReceived('listPets', { query: { limit: 5 }, status: 200 })
    await expect(store).toHaveReceived('listPets', {
      query: { limit: '5', status: expect.stringMatching(/^so/), tag: ['a', 'b'], page: undefined },
    })
    await expect(store).toHaveReceived('createPet', {
      body: { name: 'Rex' },
      status: 201,
      times: 1,
    })
    await expect(store).toHaveReceived('createPet', {
      body: { name: expect.any(String), tags: [{ b: 2 }], status: undefined },
    })
    await expect(store).not.toHaveReceived('getPet')
    await expect(store).not.toHaveReceived('createPet', { body: { name: 'Max' } })
    await expect(store).not.toHaveReceived('createPet', { body: { tags: [] } })
    await expect(store).not.toHaveReceived('listPets', { query: { page: 1 } })
    await expect(store).toHaveReceived('getPet', { times: 0 })
  })

  it('compares 64-bit integers exactly', async () => {
    const { store, send } = createStore()
    send('POST', '/v1/pets', `{"name":"Rex","categoryId":${BIG}}`)
    await expect(store).toHaveReceived('createPet', { body: { categoryId: BIG } })
    const body = { categoryId: BIG - 1n, name: expect.any(Number) }
    expect(
      await messageOf(expect(store).toHaveReceived('createPet', { body })),
    ).toMatchInlineSnapshot(`
      "expect(store).toHaveReceived("createPet", {"body":{"categoryId":9007199254740992,"name":"Any<Number>"}})

      Received 0 matching createPet requests within 60 ms. The nearest:
      #1 POST /v1/pets → 201 (key …-key)
          body.categoryId: expected 9007199254740992, got 9007199254740993
          body.name: expected Any<Number>, got "Rex"
          assumes default-status
          request body: {"name":"Rex","categoryId":9007199254740993}"
    `)
    expect(
      await messageOf(
        expect(store).toHaveReceived('createPet', { body: { categoryId: Number(BIG) } }),
      ),
    ).toBe('body.categoryId: 9007199254740992 is not exact as a number; write it as a bigint')
    send('POST', '/v1/pets', '{"name":"Rex","categoryId":5}')
    await expect(store).toHaveReceived('createPet', { body: { categoryId: 5n } })
  })

  it('waits for the request to arrive, also under fake timers', async () => {
    const { store, send } = createStore({}, 5_000)
    setTimeout(() => send('GET', '/v1/pets'), 30)
    const realTimeout = setTimeout
    vi.useFakeTimers()
    try {
      await expect(store).toHaveReceived('listPets')
      realTimeout(() => send('GET', '/v1/pets/1'), 30)
      await expect(store).toHaveReceived('listPets', { times: 1 })
      await expect(store).toHaveReceived('getPet', { times: 1 })
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the failure message of toHaveReceived', () => {
  it('shows the nearest requests, what differs, why they were refused and their assumptions', async () => {
    const { store, send } = createStore()
    send('POST', '/v1/pets', '{"name":"Max","categoryId":1,"colour":"red"}')
    send('POST', '/v1/pets', '{"name":"Rex","categoryId":"1"}')
    send('POST', '/v1/pets', '{"name":"Rex","categoryId":7}', 'invalid')
    send('POST', '/v1/pets', '{"name":1,"categoryId":"2"}')
    expect(
      await messageOf(
        expect(store).toHaveReceived('createPet', {
          body: { name: 'Rex', categoryId: 1 },
          status: 201,
        }),
      ),
    ).toMatchInlineSnapshot(`
      "expect(store).toHaveReceived("createPet", {"body":{"name":"Rex","categoryId":1},"status":201})

      Received 0 matching createPet requests within 60 ms. The nearest:
      #1 POST /v1/pets → 201 (key …-key)
          body.name: expected "Rex", got "Max"
          Dropped, not part of the API: "colour"
          assumes default-status, unknown-fields
          request body: {"name":"Max","categoryId":1,"colour":"red"}
      #2 POST /v1/pets → 400 (key …-key)
          body.categoryId: expected 1, got "1"
          status: expected 201, got 400
          refused: categoryId: expected a 64-bit integer, got "1"
          request body: {"name":"Rex","categoryId":"1"}
      #3 POST /v1/pets → 401 (key …alid)
          body.categoryId: expected 1, got 7
          status: expected 201, got 401
          refused: Invalid API key
          assumes valid-keys
          request body: {"name":"Rex","categoryId":7}"
    `)
  })

  it('says which address the store answers if no request arrived', async () => {
    const { store } = createStore()
    expect(await messageOf(expect(store).toHaveReceived('createPet'))).toMatchInlineSnapshot(`
      "expect(store).toHaveReceived("createPet")

      Received 0 requests within 60 ms.
      The store answers requests to https://api.example.com/v1."
    `)
  })

  it('says how many requests matched, and how many were expected', async () => {
    const { store, send } = createStore()
    send('GET', '/v1/pets?limit=1')
    send('GET', '/v1/pets?limit=2')
    expect(
      await messageOf(expect(store).toHaveReceived('listPets', { query: { limit: 1 }, times: 2 })),
    ).toMatchInlineSnapshot(`
      "expect(store).toHaveReceived("listPets", {"query":{"limit":1},"times":2})

      Received 1 matching listPets request (expected 2) within 60 ms:
      #1 GET /v1/pets?limit=1 → 200 (key …-key)
          assumes list-order
      The nearest:
      #2 GET /v1/pets?limit=2 → 200 (key …-key)
          query.limit: expected "1", got "2"
          assumes list-order"
    `)
    expect(
      await messageOf(expect(store).toHaveReceived('listPets', { times: 1 })),
    ).toMatchInlineSnapshot(`
      "expect(store).toHaveReceived("listPets", {"times":1})

      Received 2 matching listPets requests (expected 1):
      #1 GET /v1/pets?limit=1 → 200 (key …-key)
          assumes list-order
      #2 GET /v1/pets?limit=2 → 200 (key …-key)
          assumes list-order"
    `)
    expect(
      await messageOf(expect(store).not.toHaveReceived('listPets', { query: { limit: 2 } })),
    ).toMatchInlineSnapshot(`
      "expect(store).not.toHaveReceived("listPets", {"query":{"limit":2}})

      Received 1 matching listPets request:
      #2 GET /v1/pets?limit=2 → 200 (key …-key)
          assumes list-order"
    `)
    expect(await messageOf(expect(store).not.toHaveReceived())).toMatchInlineSnapshot(`
      "expect(store).not.toHaveReceived()

      Received 2 requests:
      #1 GET /v1/pets?limit=1 → 200 (key …-key)
          assumes list-order
      #2 GET /v1/pets?limit=2 → 200 (key …-key)
          assumes list-order"
    `)
  })
})

it('toHaveReceived compares the whole API key, and shows only its end', async () => {
  const { store, send } = createStore()
  send('GET', '/v1/pets', undefined, 'whole-secret-key')
  await expect(store).toHaveReceived('listPets', { apiKey: 'whole-secret-key', times: 1 })
  await expect(store).not.toHaveReceived('listPets', { apiKey: 'other-secret-key' })
  const message = await messageOf(
    expect(store).toHaveReceived('listPets', { apiKey: 'other-secret-pass' }),
  )
  expect(message).toContain('apiKey: expected …pass, got …-key')
  expect(message).not.toContain('secret')
  await expect(async () =>
    expect(store).toHaveReceived('listPets', { apiKey: 5 as never }),
  ).rejects.toThrow(UsageError)
})

describe('a request whose response is delayed', () => {
  const headers = { authorization: 'Bearer secret-key', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })

  function createSlowStore(latency: number, timeout?: number) {
    const { mock, ...rest } = createStore({ latency }, timeout)
    const left = new AbortController()
    onTestFinished(() => left.abort())
    const add = () => {
      const answer = mock.fetch('http://localhost/v1/pets', {
        method: 'POST',
        headers,
        body,
        signal: left.signal,
      })
      answer.catch(() => {})
      return answer
    }
    return { mock, add, ...rest }
  }

  it('counts as received', async () => {
    const { store, add, send } = createSlowStore(60_000)
    add()
    await expect(store).toHaveReceived('createPet', { body: { name: 'Rex' }, times: 1 })
    await expect(store).toHaveReceived()
    expect(
      await messageOf(expect(store).toHaveReceived('createPet', { status: 0, timeout: 20 })),
    ).toContain('still delayed')
    send('GET', '/v1/pets')
    await expect(store).not.toHaveReceived('createPet', { body: { name: 'Max' }, status: 201 })
    expect(await messageOf(expect(store).not.toHaveReceived('createPet'))).toMatchInlineSnapshot(`
      "expect(store).not.toHaveReceived("createPet")

      Received 1 matching createPet request:
      #1 POST /v1/pets → waiting (key …-key)
          assumes default-status
          request body: {"name":"Rex","categoryId":1}"
    `)
  })

  it('is awaited when an assertion names its status', async () => {
    const { store, add } = createSlowStore(40, 5_000)
    add()
    await expect(store).toHaveReceived('createPet', { status: 201, times: 1 })
    add()
    await expect(store).toHaveReceived('createPet', { status: 201, times: 2 })
    add()
    await expect(store).not.toHaveReceived('createPet', { status: 400 })
    add()
    expect(
      await messageOf(expect(store).toHaveReceived('createPet', { status: 201, times: 3 })),
    ).toContain('Received 4 matching')
  })
})

const OPERATIONS = joinWords(Object.keys(contract.operations), 'or')

describe('a wrong call of toHaveReceived', () => {
  const { store } = createStore()
  it.each<[string, () => unknown]>([
    [
      `toHaveReceived: operation: expected ${OPERATIONS}, got "createPets"; did you mean createPet?`,
      () => expect(store).toHaveReceived('createPets' as never),
    ],
    [
      'toHaveReceived: time: unknown field; did you mean times?',
      () => expect(store).toHaveReceived('getPet', { time: 1 } as never),
    ],
    [
      'toHaveReceived: operation: unknown field; expected petId, query, headers, body, apiKey, status, times, atLeast, atMost or timeout',
      () => expect(store).toHaveReceived('getPet', { operation: 'listPets' } as never),
    ],
    [
      'toHaveReceived: timeout: expected an integer from 0 to 60000, got -1',
      () => expect(store).toHaveReceived('getPet', { timeout: -1 }),
    ],
    [
      'toHaveReceived: query: expected an object, got "a=1"',
      () => expect(store).toHaveReceived('getPet', { query: 'a=1' as never }),
    ],
    [
      'toHaveReceived: status: expected an integer from 0 to 599, got "200"',
      () => expect(store).toHaveReceived('getPet', { status: '200' as never }),
    ],
    [
      'toHaveReceived: apiKey: expected a bearer token (RFC 6750) of 1 to 4096 characters',
      () => expect(store).toHaveReceived('getPet', { apiKey: 'not a key!' }),
    ],
    [
      'toHaveReceived: times and .not cannot be combined',
      () => expect(store).not.toHaveReceived('getPet', { times: 1 }),
    ],
    [
      'toHaveReceived: options: expected an object, got 201',
      () => expect(store).toHaveReceived('getPet', 201 as never),
    ],
    [
      'toHaveReceived: expected a store, got an object; assertReceived takes mocks and controls',
      () => expect(createMock()).not.toHaveReceived(),
    ],
    [
      'toHaveReceived: expected a store, got nothing; assertReceived takes mocks and controls',
      () => expect(undefined).toHaveReceived('getPet'),
    ],
  ])('fails with the line "%s"', async (line, run) => {
    expect(await messageOf(Promise.resolve().then(run) as Promise<void>)).toBe(line)
  })
})

afterEach(() => vi.useRealTimers())
