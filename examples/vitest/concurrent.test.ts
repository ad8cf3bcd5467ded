import { mockStore } from 'animal-store-mock/vitest'
import { expect, it } from 'vitest'

const store = mockStore({ baseUrl: 'https://api.example.com/v1', sandbox: true })

for (const limit of [1, 2]) {
  it.concurrent(`a test with limit ${limit} has its own sandbox`, async () => {
    const sandbox = store.sandbox()
    const response = await fetch(`${store.url}/pets?limit=${limit}`, { headers: { authorization: `Bearer ${sandbox.apiKey}` } })
    expect(response.status).toBe(200)
    await expect(sandbox).toHaveReceived('listPets', { query: { limit }, times: 1 })
  })
}
