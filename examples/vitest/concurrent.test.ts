import { assertReceived } from 'animal-store-mock'
import { mockStore } from 'animal-store-mock/vitest'
import { expect, it } from 'vitest'

const store = mockStore({ baseUrl: 'https://api.example.com/v1', sandbox: true, intercept: 'fetch' })

for (const key of ['key-1', 'key-2']) {
  it.concurrent(`${key} has its own store`, async () => {
    const own = store.control.sandbox(key)
    const response = await fetch(`${store.url}/pets?limit=1`, { headers: { authorization: `Bearer ${key}` } })
    expect(response.status).toBe(200)
    await assertReceived(own, 'listPets', { query: { limit: 1 }, times: 1 })
  })
}
