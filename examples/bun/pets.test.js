import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { createMock } from 'animal-store-mock'
import { createHandlers } from 'animal-store-mock/msw'
import { serve } from 'animal-store-mock/node'
import { setupServer } from 'msw/node'

const mock = createMock({ apiKeys: ['test-key'] })
const server = setupServer(...createHandlers(mock, { baseUrl: 'https://api.example.com/v1' }))
const headers = { authorization: 'Bearer test-key' }

beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' })) // for the requests to the real servers below
beforeEach(() => mock.control.reset())
afterAll(() => server.close())

test('answers as MSW handlers', async () => {
  const response = await fetch('https://api.example.com/v1/pets?limit=3', { headers })
  expect(await response.json()).toHaveLength(3)
})

test('answers as a real server, dropped connections included', async () => {
  const { url, close } = await serve(mock)
  expect((await fetch(`${url}/pets`, { headers })).status).toBe(200)
  mock.control.faults.add({ operation: 'listPets', drop: true })
  await expect(fetch(`${url}/pets`, { headers })).rejects.toThrow()
  expect(mock.control.requests().at(-1)?.outcome).toBe('dropped')
  await close()
})

test('answers behind Bun.serve', async () => {
  const site = Bun.serve({ port: 0, fetch: (request) => mock.fetch(request) })
  expect((await fetch(new URL('/v1/pets', site.url), { headers })).status).toBe(200)
  await site.stop()
})
