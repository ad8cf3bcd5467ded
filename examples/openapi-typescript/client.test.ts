import { mockStore } from 'animal-store-mock/vitest' // before the client, which keeps the fetch that it finds
import { expect, it } from 'vitest'
import { client } from './client.ts'

const store = mockStore({ baseUrl: 'https://api.example.com/v1', intercept: 'fetch' })

it('calls the store with generated types', async () => {
  const { data } = await client.POST('/pets', { body: { name: 'Rex', categoryId: 1 } })
  expect(data?.id).toBe(19)
  await expect(store).toHaveReceived('createPet', { body: { name: 'Rex' }, apiKey: 'any-key', times: 1 })
})
