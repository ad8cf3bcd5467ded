import { mockStore } from 'animal-store-mock/vitest'
import { expect, it } from 'vitest'

const store = mockStore({ baseUrl: 'https://api.example.com/v1', apiKeys: ['test-key'], scenario: 'sold-out' })

it('adds an animal', async () => {
  const response = await fetch('https://api.example.com/v1/pets', {
    method: 'POST',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
  })
  expect(response.status).toBe(201)
  await expect(store).toHaveReceived('createPet', { body: { name: 'Rex' }, times: 1 })
})
