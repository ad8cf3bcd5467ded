// Clients that take a fetch, each with the mock behind it: no server, no MSW. Run by Node's own
// test runner.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { createFetch, createMock } from 'animal-store-mock'
import axios from 'axios'
import ky from 'ky'
import createClient from 'openapi-fetch'

const baseUrl = 'https://api.example.com/store/v1'
const headers = { authorization: 'Bearer test-key' }
const rex = { name: 'Rex', categoryId: 1 }
const platform = globalThis.fetch

let mock
let fetch
beforeEach(() => {
  mock = createMock({ apiKeys: ['test-key'], pets: [] })
  fetch = createFetch(mock, { baseUrl: [baseUrl, 'https://staging.example.com/v1'] })
})
afterEach(() => {
  globalThis.fetch = platform
  assert.deepEqual(
    mock.control.requests().map(({ method, target, status }) => `${method} ${target} ${status}`),
    ['POST /v1/pets 201', 'GET /v1/pets 200'],
  )
})

test('createFetch replaces the global fetch of Node', async () => {
  globalThis.fetch = fetch
  const json = { ...headers, 'content-type': 'application/json' }
  const created = await globalThis.fetch(new URL(`${baseUrl}/pets`), {
    method: 'POST',
    headers: json,
    body: JSON.stringify(rex),
  })
  assert.equal(created.status, 201)
  const listed = await globalThis.fetch(
    new Request('https://staging.example.com/v1/pets', { headers }),
  )
  assert.deepEqual(await listed.json(), [{ id: 1, ...rex }])
  await assert.rejects(globalThis.fetch('https://elsewhere.example.com/v1/pets'), TypeError)
})

test('openapi-fetch creates and lists an animal with createFetch', async () => {
  const client = createClient({ baseUrl, headers, fetch })
  assert.equal((await client.POST('/pets', { body: rex })).response.status, 201)
  assert.deepEqual((await client.GET('/pets')).data, [{ id: 1, ...rex }])
})

test('ky creates and lists an animal with createFetch', async () => {
  const client = ky.create({ headers, fetch })
  assert.deepEqual(await client.post(`${baseUrl}/pets`, { json: rex }).json(), { id: 1, ...rex })
  assert.deepEqual(await client.get(`${baseUrl}/pets`).json(), [{ id: 1, ...rex }])
})

test('axios creates and lists an animal with its fetch adapter and createFetch', async () => {
  const client = axios.create({
    baseURL: baseUrl,
    headers,
    adapter: 'fetch',
    env: { fetch, Request, Response },
  })
  assert.equal((await client.post('/pets', rex)).status, 201)
  assert.deepEqual((await client.get('/pets')).data, [{ id: 1, ...rex }])
})
