import { createMock } from 'animal-store-mock'
import { createHandlers } from 'animal-store-mock/msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

const mock = createMock({ apiKeys: ['test-key'] })
const server = setupServer(...createHandlers(mock, { baseUrl: 'https://api.example.com/v1' }))
const strict = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const // the names in MSW 2 and in MSW 3

beforeAll(() => server.listen(strict))
afterEach(() => {
  server.resetHandlers() // drops your server.use(…) overrides
  mock.control.reset() // restores animals, ids, faults and clock
})
afterAll(() => server.close())

it('adds an animal, with MSW set up by hand', async () => {
  const response = await fetch('https://api.example.com/v1/pets', {
    method: 'POST',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
  })
  expect(response.status).toBe(201)
  expect(mock.control.requests({ operation: 'createPet' })).toHaveLength(1)
})
