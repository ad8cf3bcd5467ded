const { mockStore } = require('animal-store-mock/jest')
const axios = require('axios')

const store = mockStore({
  baseUrl: 'https://api.example.com/v1',
  failOn: ['bad-request'],
  intercept: 'msw',
})
const headers = { authorization: 'Bearer any-key' }

test('MSW answers, and a matcher waits in real time under fake timers', async () => {
  await fetch('https://api.example.com/v1/pets?limit=5', { headers })
  jest.useFakeTimers()
  await expect(store).toHaveReceived('listPets', { query: { limit: 5 }, times: 1 })
  await expect(store).not.toHaveReceived('createPet')
  jest.useRealTimers()
})

test('a path that the API does not have gets its 404, and is in the request log', async () => {
  expect((await fetch('https://api.example.com/v1/orders', { headers })).status).toBe(404)
  expect(store.control.requests()).toMatchObject([{ target: '/v1/orders', status: 404 }])
})

test('MSW answers axios, however that sends its requests', async () => {
  expect((await axios.get('https://api.example.com/v1/pets', { headers })).data).toHaveLength(18)
  await expect(store).toHaveReceived('listPets', { times: 1 })
})
