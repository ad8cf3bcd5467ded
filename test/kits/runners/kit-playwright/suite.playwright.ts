// Tests that pass or fail with a mock that runs elsewhere, and with one that they start;
// kit-playwright.spec.ts reads what they report.
import { type APIRequestContext, test as base, expect } from '@playwright/test'
import type { connect } from 'animal-store-mock/control'
import { type TestStore, withStore } from 'animal-store-mock/playwright'

const {
  MOCK_URL: url = '',
  PLAIN_MOCK_URL: plainUrl = '',
  LISTED_MOCK_URL: listedUrl = '',
  MOCK_TOKEN: token = '',
} = process.env
const failOn = ['unknown-operation', 'deprecated', 'bad-request', 'unused-fault'] as const

function ask(request: APIRequestContext, address: string, key: string) {
  return request.get(address, { headers: { authorization: `Bearer ${key}` } })
}

/** Such requests are in the mock's events, not yet in its request log. */
async function expectDelayed(store: TestStore, request: APIRequestContext) {
  const headers = { authorization: `Bearer ${store.apiKey}` }
  const add = () =>
    request.post(`${store.url}/pets`, { headers, data: { name: 'Rex', categoryId: 1 } })
  const before = (await store.control.pets.list()).total
  await store.control.faults.add({ operation: 'createPet', delay: 1_500, after: 1 })
  const both = Promise.all([add(), add()])
  await expect.poll(async () => (await store.control.pets.list()).total).toBe(before + 2)
  await expect(expect(store).toHaveReceived('createPet', { times: 1 })).rejects.toThrow(
    'Received 2 matching createPet requests',
  )
  await expect(expect(store).not.toHaveReceived()).rejects.toThrow('POST /v1/pets → waiting')
  await expect(store).toHaveReceived('createPet', { times: 2 })
  await both
}

/** The token is read where the test is defined. */
function withToken(value: string, options: Parameters<typeof withStore>[1]) {
  process.env.ANIMAL_STORE_CONTROL_TOKEN = value
  return withStore(base, options)
}

const elsewhere = withToken(token, { url, failOn, timeout: 50, scenario: 'single' })

elsewhere.describe('a mock that runs elsewhere', () => {
  for (const turn of [1, 2]) {
    elsewhere(`gives test ${turn} a sandbox with its scenario`, async ({ store, request }) => {
      const headers = { authorization: `Bearer ${store.apiKey}` }
      const created = await request.post(`${store.url}/pets`, {
        headers,
        data: { name: `Pet ${turn}`, categoryId: turn },
      })
      expect(await created.json()).toEqual({ id: 2, name: `Pet ${turn}`, categoryId: turn })
      await expect(store).toHaveReceived('createPet', { body: { name: `Pet ${turn}` }, times: 1 })
      await expect(store).not.toHaveReceived('listPets')
      expect(await store.control.requests()).toHaveLength(1)
    })
  }

  elsewhere('counts requests whose response is delayed', ({ store, request }) =>
    expectDelayed(store, request),
  )

  elsewhere('fails with its request log attached', async ({ store, request }) => {
    await ask(request, `${store.url}/pets?limit=5`, store.apiKey)
    await expect(store).toHaveReceived('listPets', { query: { limit: 6 } })
  })

  elsewhere('hears of no request with another key', async ({ store, request }) => {
    await ask(request, `${url}/pets`, 'another-key')
    await expect(store).toHaveReceived('listPets')
  })

  elsewhere('sends what failOn forbids', async ({ store, request }) => {
    for (const path of ['/pets/', '/pets/1', '/pets?limit=0'])
      await ask(request, store.url + path, store.apiKey)
  })
})

const refreshed = withToken(token, { url, scenario: 'single', apiKeys: ['token-1'] })

refreshed('a token is refreshed in the middle of a test', async ({ store, request }) => {
  const { control, sandbox, apiKey } = store
  const add = (key: string) =>
    request.post(`${store.url}/pets`, {
      headers: { authorization: `Bearer ${key}` },
      data: { name: key, categoryId: 1 },
    })
  expect(sandbox).toBe(apiKey)
  expect((await add('token-1')).status()).toBe(201)
  expect((await add('token-2')).status()).toBe(401)
  await control.keys.set(['token-2'])
  expect((await add('token-1')).status()).toBe(401)
  expect(await (await add('token-2')).json()).toEqual({ id: 3, name: 'token-2', categoryId: 1 })
})

const ofWorker = withToken(token, { url, sandbox: 'worker', scenario: 'single' })

ofWorker.describe('a sandbox of the worker', () => {
  for (const turn of [1, 2]) {
    ofWorker(
      `starts again with test ${turn}, and is chosen by a header`,
      async ({ store, request }) => {
        const { parallelIndex } = ofWorker.info()
        expect(store.sandbox).toBe(`test-worker-${parallelIndex}`)
        const headers = { authorization: 'Bearer any-key', 'x-mock-sandbox': store.sandbox }
        const data = { name: 'Rex', categoryId: 1 }
        expect(await (await request.post(`${url}/pets`, { headers, data })).json()).toMatchObject({
          id: 2,
        })
        await expect(store).toHaveReceived('createPet', { times: 1 })
      },
    )
  }
})

const alone = withStore(base, { failOn, timeout: 50 })

alone.describe('a mock of the worker', () => {
  alone('passes', async ({ store, request }) => {
    expect((await ask(request, `${store.url}/pets`, store.apiKey)).status()).toBe(200)
    await expect(store).toHaveReceived('listPets', { times: 1 })
  })

  alone('counts requests whose response is delayed', ({ store, request }) =>
    expectDelayed(store, request),
  )

  alone('fails with its request log attached', async ({ store }) => {
    await expect(store).toHaveReceived('listPets')
  })

  alone('sends a preflight as a page would, and fails', async ({ store, request }) => {
    const headers = {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    }
    for (let time = 1; time <= 2; time++)
      await request.fetch(new URL('/pets', store.url).href, { method: 'OPTIONS', headers })
    expect(1).toBe(2)
  })

  alone('did not await a matcher', async ({ store }) => {
    expect(store).toHaveReceived('createPet') // never comes
  })

  alone('did not await a matcher that has failed already', async ({ store, request }) => {
    await ask(request, `${store.url}/pets`, store.apiKey)
    expect(store).not.toHaveReceived()
  })

  alone('did not await a matcher, and failed otherwise', async ({ store }) => {
    expect(store).toHaveReceived('createPet')
    expect(1).toBe(2)
  })

  alone('sends what failOn forbids', async ({ store, request }) => {
    await ask(request, `${store.url}/pets/1`, store.apiKey)
  })

  alone('plans a fault in vain', async ({ store }) => {
    // The compiler checks that it is the control that `connect` returns.
    const control: ReturnType<typeof connect> = store.control
    await control.faults.add({ operation: 'createPet', status: 503 })
  })
})

const listed = withToken(token, { url: listedUrl, latency: 1 })

listed(
  'a mock that lists keys lets the key of the test in, and its settings go over what the mock has',
  async ({ store, request }) => {
    expect((await ask(request, `${store.url}/pets`, store.apiKey)).status()).toBe(200)
    const { pets, latency } = await store.control.state()
    expect([pets, latency]).toEqual([[], 1])
  },
)

// Declared to fail, so that Playwright does not start a new worker after each of them.
base.describe('a mock that cannot be used', () => {
  withToken('another-wrong-token', { url }).fail('has another token', ({ store }) => void store)
  withToken(token, { url: plainUrl }).fail('has no sandboxes', ({ store }) => void store)
  withStore(base, { url: 'http://127.0.0.1:1/v1' }).fail('does not run', ({ store }) => void store)
})
