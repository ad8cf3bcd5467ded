const { mockStore } = require('animal-store-mock/jest')
const axios = require('axios')

const store = mockStore({ baseUrl: 'https://api.example.com/v1' })
const client = axios.create({
  baseURL: 'https://api.example.com/v1',
  adapter: 'fetch',
  headers: { authorization: 'Bearer any-key' },
})

test('axios reaches the store through fetch', async () => {
  expect((await client.get('/pets', { params: { limit: 5 } })).data).toHaveLength(5)
  await expect(store).toHaveReceived('listPets', {
    query: { limit: 5 },
    apiKey: 'any-key',
    times: 1,
  })
})

test('a shipped scenario is loaded by its name', async () => {
  await store.control.load('sold-out')
  expect((await client.get('/pets', { params: { status: 'available' } })).data).toEqual([])
})
