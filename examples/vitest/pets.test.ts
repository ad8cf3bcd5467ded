import { mockStore } from 'animal-store-mock/vitest'
import { expect, it } from 'vitest'

const store = mockStore({ baseUrl: 'https://api.example.com/v1', apiKeys: ['test-key'] })

it('adds an animal', async () => {
  const response = await fetch('https://api.example.com/v1/pets', {
    method: 'POST',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
  })
  expect(response.status).toBe(201)
  await expect(store).toHaveReceived('createPet', { body: { name: 'Rex' }, times: 1 })
})

it('survives a short outage', async () => {
  store.control.faults.add({ operation: 'listPets', status: 503, times: 1, retryAfter: 1 })
  const list = () => fetch('https://api.example.com/v1/pets', { headers: { authorization: 'Bearer test-key' } })
  expect((await list()).status).toBe(503)
  expect((await list()).status).toBe(200)
  await expect(store).toHaveReceived('listPets', { status: 503, times: 1 })
})
