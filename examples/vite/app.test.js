import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createBackend } from 'node:http'
import { after, test } from 'node:test'
import { createServer } from 'vite'

/** Stands for the real backend: it answers with the path that it was asked for. */
const backend = createBackend((request, response) => response.end(`backend ${request.url}`)).listen(0, '127.0.0.1')
await once(backend, 'listening')
process.env.BACKEND_URL = `http://127.0.0.1:${backend.address().port}`

const site = await createServer({ logLevel: 'warn', server: { port: 0, host: '127.0.0.1', ws: false } })
await site.listen()
const origin = `http://127.0.0.1:${site.httpServer.address().port}`

after(async () => {
  await site.close()
  backend.close()
})

test('the animals come from the mock', async () => {
  const response = await fetch(`${origin}/v1/pets?limit=3`, { headers: { authorization: 'Bearer any-key' } })
  assert.equal((await response.json()).length, 3)
})

test('an animal that is added is there', async () => {
  const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }
  const created = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' })
  assert.equal(created.status, 201)
  const { id } = await created.json()
  assert.equal((await (await fetch(`${origin}/v1/pets/${id}`, { headers })).json()).name, 'Rex')
})

test('everything else comes from the backend', async () => {
  assert.equal(await (await fetch(`${origin}/v1/orders?page=2`)).text(), 'backend /v1/orders?page=2')
})

test('the plugin alone is enough', async () => {
  const plain = await createServer({ configFile: 'plain.config.js', logLevel: 'warn', server: { port: 0, host: '127.0.0.1', ws: false } })
  await plain.listen()
  const headers = { authorization: 'Bearer any-key' }
  const response = await fetch(`http://127.0.0.1:${plain.httpServer.address().port}/v1/pets`, { headers })
  await plain.close()
  assert.equal(response.status, 200)
})
