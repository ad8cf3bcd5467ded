import { get, request } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { mockStore } from '../../../../src/kits/vitest.ts'

const API = 'https://api.example.com/v1'
const headers = { authorization: 'Bearer secret-test-key', 'content-type': 'application/json' }
const create = (body: object) =>
  fetch(`${API}/pets`, { method: 'POST', headers, body: JSON.stringify(body) })

describe('a failed test', () => {
  const store = mockStore({ baseUrl: API, intercept: 'fetch', timeout: 50 })

  it('has its request log printed', async () => {
    await fetch(`${API}/pets?limit=500&api_key=secret-test-key`, { headers })
    await create({ name: 'Max', categoryId: 1 })
    await expect(store).toHaveReceived('createPet', { body: { name: 'Rex' }, times: 1 })
  })

  it('has the request log of that test alone', () => {
    expect(1).toBe(2)
  })

  it('has the requests that went elsewhere named', async () => {
    await fetch('http://127.0.0.1:59999/v1/pets').catch(() => {})
    await expect(store).toHaveReceived('listPets')
  })

  it('has a retry loop as one line', async () => {
    for (let turn = 0; turn < 3; turn++) await fetch(`${API}/pets/99`, { headers })
    expect(1).toBe(2)
  })

  it('passes and prints nothing', () => create({ name: 'Quiet', categoryId: 1 }))

  it('has no more than the last twenty requests', async () => {
    for (let turn = 1; turn <= 21; turn++) await fetch(`${API}/pets?limit=${turn}`, { headers })
    expect(1).toBe(2)
  })
})

describe('a failed test with MSW', () => {
  mockStore({ baseUrl: API, intercept: 'msw' })

  it('has the requests that went elsewhere named', () =>
    fetch('http://127.0.0.1:59999/v1/pets?limit=1'))
})

describe('a recorded test', () => {
  const { RECORDINGS: record = '' } = process.env
  const store = mockStore({ baseUrl: API, intercept: 'fetch', record })

  it('passes', () => create({ name: 'Quiet', categoryId: 1 }))

  it.each([1, 2])('fails', async () => {
    store.control.faults.add({ operation: 'createPet', status: 503 })
    expect((await create({ name: 'Max', categoryId: 1 })).status).toBe(201)
  })
})

describe('failOn', () => {
  mockStore({
    baseUrl: API,
    intercept: 'fetch',
    failOn: ['unknown-operation', 'deprecated', 'bad-request'],
  })

  it('names an unknown path', () => fetch(`${API}/pets/`, { headers }))
  it('names a deprecated operation', () => fetch(`${API}/pets/1`, { headers }))
  it('names invalid requests', () =>
    create({ name: 1 }).then(() => fetch(`${API}/pets?limit=0`, { headers })))
  it('names a body that is too large', () => create({ name: 'x'.repeat(2 ** 20), categoryId: 1 }))
  it('has nothing against others', () => fetch(`${API}/pets`, { headers }))
})

describe('failOn: unused-fault', () => {
  const faults = [{ operation: 'getPet', status: 500 }] as const
  const store = mockStore({ baseUrl: API, intercept: 'fetch', faults, failOn: ['unused-fault'] })

  it('names a fault that was not applied', async () => {
    store.control.faults.add({ operation: 'createPet', status: 503, times: 2 })
    await fetch(`${API}/pets`, { headers })
  })
  it('has nothing against others', async () => {
    store.control.faults.add({ operation: 'listPets', status: 503 })
    store.control.faults.add({ operation: 'createPet', drop: true, rate: 0.1 })
    await fetch(`${API}/pets`, { headers })
  })
})

describe('a response that comes when its test is over', () => {
  const store = mockStore({ baseUrl: API, intercept: 'fetch', failOn: ['deprecated'] })
  let late: Promise<Response>

  it('fails that test', async () => {
    store.control.latency.set(100)
    late = fetch(`${API}/pets/1`, { headers })
    await expect(store).toHaveReceived('getPet')
  })
  it('is nothing to the next one', async () => {
    await expect(store).not.toHaveReceived()
    expect((await late).status).toBe(200)
    await expect(store).not.toHaveReceived()
  })
})

describe('a matcher that is not awaited', () => {
  const store = mockStore({ baseUrl: API, intercept: 'fetch' })
  let wrong: unknown

  it('fails its test', async () => {
    await fetch(`${API}/pets`, { headers })
    wrong = expect(store).toHaveReceived('createPet', { body: { name: 'Rex' } })
  })
  it('ends with it', async () => {
    await wrong
    await create({ name: 'Rex', categoryId: 1 })
  })
  it('fails its test also if it has failed already', async () => {
    await fetch(`${API}/pets`, { headers })
    expect(store).not.toHaveReceived()
  })
  it('is not named in a test that has failed otherwise', () => {
    expect(store).toHaveReceived('createPet')
    expect(1).toBe(2)
  })
})

describe('a second store with MSW', () => {
  mockStore({ baseUrl: API })

  describe('at the same time', () => {
    mockStore({ baseUrl: 'https://other.example.com/v1' })
    it('is refused', () => {})
  })
  it('leaves the first alone', async () =>
    expect((await fetch(`${API}/pets`, { headers })).status).toBe(200))
})

describe('a second store for the same address', () => {
  const store = mockStore({ baseUrl: API, intercept: 'fetch' })

  describe('at the same time', () => {
    mockStore({ baseUrl: API, intercept: 'fetch' })
    it('is refused', () => {})
  })
  it('leaves the first alone', async () => {
    await fetch(`${API}/pets`, { headers })
    await expect(store).toHaveReceived('listPets')
  })
})

describe('a sandbox', () => {
  const store = mockStore({ baseUrl: API, intercept: 'fetch', sandbox: true, timeout: 50 })

  it('names the keys of other requests', async () => {
    const own = store.sandbox()
    await fetch(`${API}/pets`, { headers })
    await expect(own).toHaveReceived('listPets')
  })
})

describe('a concurrent test', () => {
  mockStore({ baseUrl: API, intercept: 'fetch' })

  it.concurrent('needs a key', () => {})
})

describe('a request past the store', () => {
  mockStore({ baseUrl: 'http://api.invalid/v1', intercept: 'fetch' })
  const early = Reflect.get(globalThis, Symbol.for('animal-store-mock.fetch'))
    .original as typeof fetch
  const send = (url: string) => new Promise((resolve) => get(url, resolve).on('error', resolve))

  it('is named if it is not sent by fetch', () =>
    send('http://api.invalid/v1/pets?api_key=secret-test-key'))
  it('is named if it fails before its client ends it', () =>
    new Promise((done) => request('http://api.invalid/v1/pets').on('error', done)))
  it('is named if fetch was taken before', () =>
    early('http://api.invalid/v1/pets').catch(() => {}))
  it('is named if it goes to the same host', () =>
    fetch('http://api.invalid/v2/pets').catch(() => {}))
  it('is nothing to the next test, nor are other hosts', () => send('http://other.invalid/v1/pets'))
  afterAll(() => send('http://api.invalid/v1/orders'))
})

describe('a request past the store with MSW', () => {
  mockStore({ baseUrl: 'http://api.invalid/v1' })
  const early = Reflect.get(globalThis, Symbol.for('animal-store-mock.fetch'))
    .original as typeof fetch
  const send = (url: string) => new Promise((resolve) => get(url, resolve).on('error', resolve))

  it('is named if fetch was taken before', () =>
    early('http://api.invalid/v1/pets').catch(() => {}))
  it('is not one that MSW answers', () => send('http://api.invalid/v1/pets'))
})

describe('an unknown scenario', () => {
  mockStore({ baseUrl: API, scenario: 'sold-outt' as never })
  it('is refused', () => {})
})
