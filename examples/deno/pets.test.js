import assert from 'node:assert/strict'
import { createMock } from 'animal-store-mock'
import { createHandlers } from 'animal-store-mock/msw'
import { serve } from 'animal-store-mock/node'
import { setupServer } from 'msw/node'

const mock = createMock({ apiKeys: ['test-key'] })
const headers = { authorization: 'Bearer test-key' }

Deno.test.beforeEach(() => mock.control.reset())

Deno.test('answers as MSW handlers', async () => {
  const server = setupServer(...createHandlers(mock, { baseUrl: 'https://api.example.com/v1' }))
  server.listen({ onUnhandledRequest: 'error' })
  const response = await fetch('https://api.example.com/v1/pets?limit=3', { headers })
  assert.equal((await response.json()).length, 3)
  server.close()
})

Deno.test('answers as a real server, dropped connections included', async () => {
  const { url, close } = await serve(mock)
  const response = await fetch(`${url}/pets?limit=3`, { headers })
  assert.equal((await response.json()).length, 3)
  mock.control.faults.add({ operation: 'listPets', drop: true })
  await assert.rejects(fetch(`${url}/pets`, { headers }))
  assert.equal(mock.control.requests().at(-1)?.outcome, 'dropped')
  await close()
})

Deno.test('answers behind Deno.serve', async () => {
  const site = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, (request) => mock.fetch(request))
  const response = await fetch(`http://127.0.0.1:${site.addr.port}/v1/pets?limit=3`, { headers })
  assert.equal((await response.json()).length, 3)
  await site.shutdown()
})
