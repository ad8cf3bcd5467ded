import { createMock } from 'animal-store-mock'
import { createHandlers } from 'animal-store-mock/msw'
import { scenarios } from 'animal-store-mock/scenarios'
import { setupServer } from 'msw/node'

const mock = createMock({ apiKeys: ['test-key'] })
const server = setupServer(...createHandlers(mock, { baseUrl: 'https://api.example.com/v1' }))
const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  server.resetHandlers()
  mock.control.reset()
})
afterAll(() => server.close())

it('adds an animal', async () => {
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const response = await fetch('https://api.example.com/v1/pets', { method: 'POST', headers, body })
  expect(response.status).toBe(201)
  expect(mock.control.requests({ operation: 'createPet' })).toHaveLength(1)
})

it('shows an empty store', async () => {
  mock.control.load({ ...scenarios.empty, apiKeys: ['test-key'] })
  const response = await fetch('https://api.example.com/v1/pets', { headers })
  expect(await response.json()).toEqual([])
})
