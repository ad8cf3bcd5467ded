import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, beforeEach, test } from 'node:test'
import { createMock } from 'animal-store-mock'
import { serve } from 'animal-store-mock/node'
import next from 'next'

const mock = createMock()
const store = await serve(mock)
process.env.ANIMAL_STORE_URL = store.url // what the server components call

const app = next({ dir: import.meta.dirname, dev: true })
await app.prepare()
const site = createServer(app.getRequestHandler()).listen(0, '127.0.0.1')
await once(site, 'listening')
const home = `http://127.0.0.1:${site.address().port}/`

beforeEach(() => mock.control.reset())
after(async () => {
  site.close()
  await app.close()
  await store.close()
})

test('the page lists the animals', async () => {
  const html = await (await fetch(home)).text()
  assert.equal(html.match(/<li>/g).length, 18)
})

test('the page says that the service is down', async () => {
  mock.control.faults.add({ operation: 'listPets', status: 503 })
  assert.match(await (await fetch(home)).text(), /Please come back later/)
})

test('an animal that the page adds is in the list of the server', async () => {
  const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }
  const created = await fetch(`${home}v1/pets`, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' })
  assert.equal(created.status, 201)
  assert.match(await (await fetch(home)).text(), /<li>Rex<\/li>/)
})
