// The Vitest kit as a test file uses it: what is set up, what is reset, and what is left alone.
// Tests that must fail are in kit-failures.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HttpResponse, http, passthrough } from 'msw'
import { setupServer } from 'msw/node'
import createClient from 'openapi-fetch'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { UsageError } from '../../src/contract/errors.ts'
import type { paths } from '../../src/index.ts'
import { assertReceived } from '../../src/kits/matchers.ts'
import { storeLoader } from '../../src/kits/storybook.ts'
import { mockStore, type Store, type StoreOptions } from '../../src/kits/vitest.ts'
import { scenarios } from '../../src/scenario/shipped.ts'

const API = 'https://api.example.com/v1'
const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
const list = (url = `${API}/pets`) => fetch(url, { headers })
const create = (body: object, url = `${API}/pets`) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })

/** It keeps the fetch that it finds now, before any store intercepts it. */
const client = createClient<paths>({ baseUrl: API, headers })

describe.each(['msw', 'fetch'] as const)('mockStore with %s', (intercept) => {
  const original = globalThis.fetch
  const store = mockStore({ baseUrl: API, apiKeys: ['test-key'], intercept })

  it('answers under its baseUrl, and gives a test matchers, requests and control', async () => {
    expect(store.url).toBe(API)
    expect((await create({ name: 'Rex', categoryId: 1 })).status).toBe(201)
    await expect(store).toHaveReceived('createPet', { body: { name: 'Rex' }, times: 1 })
    expect(store.control.requests({ operation: 'createPet' })).toMatchObject([{ status: 201 }])
    store.control.faults.add({ operation: '*', status: 503 })
    store.control.clock.set('2030-12-06')
    store.control.load(scenarios.empty)
  })

  it('starts every test from its options again', async () => {
    await expect(store).not.toHaveReceived()
    expect(store.control.summary()).toMatchObject({ scenario: 'default', pets: 18 })
    expect(store.control.faults.list()).toEqual([])
    expect(store.control.clock.get().now < '2030').toBe(true)
    expect(
      (await fetch(`${API}/pets`, { headers: { authorization: 'Bearer other' } })).status,
    ).toBe(401)
  })

  it('answers a typed client that was created before the store', async () => {
    const { data, response } = await client.GET('/pets', { params: { query: { limit: 2 } } })
    expect(response.status).toBe(200)
    expect(data).toHaveLength(2)
    await expect(store).toHaveReceived('listPets', { query: { limit: 2 }, times: 1 })
  })

  it('is refused inside a test', () => {
    expect(() => mockStore()).toThrow(UsageError)
  })

  it(`${intercept === 'msw' ? 'keeps requests to other addresses from' : 'lets requests to other addresses reach'} the network`, async () => {
    const reached: string[] = []
    const server = createServer(({ url = '' }, response) => {
      reached.push(url)
      response.end()
    })
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const status = await fetch(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/track`,
    ).then(
      (response) => response.status,
      () => 'failed',
    )
    expect([status, reached]).toEqual(intercept === 'msw' ? ['failed', []] : [200, ['/track']])
    await expect(store).not.toHaveReceived()
  })

  afterAll(() => {
    // Hooks of this describe run before those that mockStore registered earlier.
    expect(globalThis.fetch).not.toBe(original)
  })
})

describe('a store in a describe block', () => {
  const before = globalThis.fetch
  let store: Store
  beforeAll(() => {
    expect(() => mockStore()).toThrow(UsageError)
  })
  describe('during its tests', () => {
    store = mockStore({ baseUrl: API, intercept: 'fetch' })
    it('has replaced fetch', () => expect(globalThis.fetch).not.toBe(before))
  })
  it('puts the original fetch back after its last test', () =>
    expect(globalThis.fetch).toBe(before))
  it('fails matchers after its last test, since it gets no requests any more', async () => {
    await expect(async () => expect(store).not.toHaveReceived()).rejects.toThrow(
      'This store is not active here',
    )
  })
})

describe('a store', () => {
  describe('with MSW', () => {
    const store = mockStore({ baseUrl: API })

    it('answers an unknown path with 404, and logs it with a hint', async () => {
      expect((await create({ name: 'Rex' }, `${API}/pets/`)).status).toBe(404)
      expect(store.control.requests()).toMatchObject([
        {
          method: 'POST',
          target: '/v1/pets/',
          status: 404,
          problems: [{ kind: 'near-path', slip: 'extra-slash', near: '/v1/pets' }],
        },
      ])
    })

    it('lets a handler of the test answer an unknown path', async () => {
      store.use(http.get(`${API}/orders`, () => HttpResponse.json([])))
      expect((await list(`${API}/orders`)).status).toBe(200)
      expect(store.control.requests()).toEqual([])
    })

    it('lets handlers answer requests to other origins, and answers requests that a handler does not', async () => {
      store.use(
        http.get('https://other.example.com/v1/pets', () => HttpResponse.json([])),
        http.post(`${API}/pets`, () => undefined),
      )
      expect((await list('https://other.example.com/v1/pets')).status).toBe(200)
      expect((await create({ name: 'Rex', categoryId: 1 })).status).toBe(201)
      expect(store.control.requests()).toMatchObject([
        { operation: 'createPet', status: 201, faults: [] },
      ])
    })

    it('applies handlers to a client that was created before, also handlers that pass a request on', async () => {
      let calls = 0
      store.use(
        http.get(`${API}/pets`, () => HttpResponse.json([])),
        http.get('http://127.0.0.1:9/v1/pets', () => {
          calls++
          return passthrough()
        }),
      )
      expect((await client.GET('/pets')).data).toEqual([])
      await expect(client.GET('/pets', { baseUrl: 'http://127.0.0.1:9/v1' })).rejects.toThrow()
      expect(calls).toBe(1)
    })

    it('forgets the handlers of a test in the next one', async () => {
      expect((await list(`${API}/orders`)).status).toBe(404)
    })
  })
})

describe('a suite with its own MSW server', () => {
  const server = setupServer(
    http.get('https://other.example.com/', () => HttpResponse.text('other')),
  )
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
  const store = mockStore({ baseUrl: API, intercept: 'fetch' })

  it('keeps its handlers beside a store', async () => {
    expect(await (await fetch('https://other.example.com/')).text()).toBe('other')
    expect((await list()).status).toBe(200)
    await expect(store).toHaveReceived('listPets', { times: 1 })
  })
})

describe.each(['msw', 'fetch'] as const)('a store of a named scenario with %s', (intercept) => {
  const store = mockStore({ baseUrl: API, intercept, scenario: 'sold-out' })

  it('answers a request without /v1 with 404 and a hint', async () => {
    const response = await list('https://api.example.com/pets?limit=1')
    expect(await response.json()).toMatchObject({
      status: 404,
      message: 'Missing /v1; did you mean /v1/pets?',
    })
    expect(store.control.requests()).toMatchObject([
      { target: '/pets?limit=1', status: 404, operation: null },
    ])
  })

  it('lets a request without /v1 to another origin pass', async () => {
    await expect(list('http://127.0.0.1:1/pets')).rejects.toThrow()
    await expect(store).not.toHaveReceived()
  })

  it('starts from that scenario', () =>
    expect(store.control.summary()).toMatchObject({ scenario: 'sold-out' }))
})

describe.each<[name: string, scenario: NonNullable<StoreOptions['scenario']>, pets: number]>([
  ['a value', { pets: [{ name: 'Rex', categoryId: 1 }] }, 1],
  ['a shipped scenario', 'single', 1],
  ['a file', 'examples/jest/sold-out.yaml', 3],
  ['a value that extends a shipped scenario', { extends: 'empty' }, 0],
  ['a value that extends a file', { extends: 'examples/jest/sold-out.yaml' }, 3],
  ['generated animals', { generate: { count: 5 } }, 5],
])('a store from %s', (_, scenario, pets) => {
  const store = mockStore({
    baseUrl: API,
    intercept: 'fetch',
    scenario,
    now: '2030-12-06',
    frozen: true,
  })

  it('starts from it, with the other options on top', async () => {
    const start = { pets, clock: '2030-12-06T00:00:00.000Z' }
    const read = () => ({
      pets: store.control.summary().pets,
      clock: store.control.clock.get().now,
    })
    expect(read()).toEqual(start)
    expect(await store.control.load('crowded')).toMatchObject({ pets: 1000 })
  })
  it('starts the next test from it again', () =>
    expect(store.control.summary()).toMatchObject({ pets }))
})

describe('a store without a baseUrl', () => {
  const store = mockStore({ intercept: 'fetch' })

  it('answers the paths of the API on any origin', async () => {
    expect(store.url).toBe('http://localhost/v1')
    expect((await list('/v1/pets')).status).toBe(200)
    expect((await list('https://staging.example.com/v1/pets')).status).toBe(200)
    await expect(store).toHaveReceived('listPets', { times: 2 })
  })
})

describe('a store with sandboxes and listed keys', () => {
  const store = mockStore({
    baseUrl: API,
    intercept: 'fetch',
    sandbox: true,
    apiKeys: ['test-key'],
  })

  it('gives a fresh sandbox a valid key', async () => {
    const { apiKey, url } = store.sandbox()
    expect(
      (await fetch(`${API}/pets`, { headers: { authorization: `Bearer ${apiKey}` } })).status,
    ).toBe(200)
    expect(
      (await fetch(`${API}/pets`, { headers: { authorization: 'Bearer other' } })).status,
    ).toBe(401)
    const statuses: number[] = []
    for (const key of ['test-key', 'other']) {
      const headers = { authorization: `Bearer ${key}` }
      statuses.push((await fetch(`${url}/pets`, { headers })).status)
    }
    expect(statuses).toEqual([200, 401])
  })
})

it('a story has a valid key where its parameters list keys', async () => {
  const { fetch: original } = globalThis
  onTestFinished(() => void Object.assign(globalThis, { fetch: original }))
  const load = storeLoader({ baseUrl: 'https://story.example.com/v1', intercept: 'fetch' })
  const { store } = await load({ id: 'a-story', parameters: { store: { apiKeys: ['test-key'] } } })
  expect(store.control.state({ pets: false })).toMatchObject({
    apiKeys: ['test-key', store.apiKey],
  })
})

describe('a store without sandboxes', () => {
  const store = mockStore({ baseUrl: API, intercept: 'fetch' })

  it('refuses to create a fresh sandbox', () => expect(() => store.sandbox()).toThrow(UsageError))
})

describe('a store with sandboxes', () => {
  const store = mockStore({ baseUrl: API, intercept: 'fetch', sandbox: true })

  for (const key of ['key-a', 'key-b', 'key-c']) {
    it.concurrent(`keeps the state of ${key} apart in concurrent tests`, async () => {
      const own = store.control.sandbox(key)
      const body = JSON.stringify({ name: key, categoryId: 1 })
      const created = await fetch(`${store.url}/pets`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${key}` },
        body,
      })
      expect(await created.json()).toEqual({ id: 19, name: key, categoryId: 1 })
      await assertReceived(own, 'createPet', { times: 1 })
      expect(own.requests()).toHaveLength(1)
    })
  }

  for (const turn of [1, 2, 3]) {
    it.concurrent(`gives concurrent test ${turn} a fresh sandbox with its own key, control and matchers`, async () => {
      const own = store.sandbox()
      own.control.faults.add({ operation: 'createPet', status: 503, times: 1 })
      const send = () =>
        fetch(`${own.url}/pets`, { headers: { authorization: `Bearer ${own.apiKey}` } })
      expect((await send()).status).toBe(200)
      await expect(own).toHaveReceived('listPets', { apiKey: own.apiKey, times: 1 })
      await expect(own).not.toHaveReceived('createPet')
    })
  }

  it('refuses a matcher that names no sandbox', async () => {
    await expect(async () => expect(store).not.toHaveReceived()).rejects.toThrow('store.sandbox()')
  })

  it('starts the next test without sandboxes', () => expect(store.control.sandboxes()).toEqual([]))
})
