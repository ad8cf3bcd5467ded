// Every request here fails or is answered. Those that went past the store fail their test.
import './early-client.js'
import { mockStore } from 'animal-store-mock/vitest'
import { expect, it } from 'vitest'

const store = mockStore({ baseUrl: 'https://api.past.test/v1' })
const headers = { authorization: 'Bearer any-key' }

it('a request is answered', async () => {
  expect((await fetch(`${store.url}/pets`, { headers })).status).toBe(200)
})

it.each([
  ['a request whose fetch was taken before', () => fetchEarly(`${store.url}/pets`)],
  ['a request for a file outside baseUrl', () => fetch('https://api.past.test/v2/logo.png')],
  ['a request outside baseUrl', () => fetch('https://api.past.test/v2/pets')],
  ['a request to another host', () => fetch('https://other.past.test/')],
])('%s', async (_, ask) => {
  await expect(ask()).rejects.toThrow()
})
