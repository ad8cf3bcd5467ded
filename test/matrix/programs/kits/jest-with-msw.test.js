const { mockStore } = require('animal-store-mock/jest')

const store = mockStore({ baseUrl: 'https://api.example.com/v1', failOn: ['bad-request'] })
const headers = { authorization: 'Bearer any-key' }

test('MSW answers, and a matcher waits in real time under fake timers', async () => {
  await fetch('https://api.example.com/v1/pets?limit=5', { headers })
  jest.useFakeTimers()
  await expect(store).toHaveReceived('listPets', { query: { limit: 5 }, times: 1 })
  await expect(store).not.toHaveReceived('createPet')
  jest.useRealTimers()
})

test('a path that the API does not have is an error, and stands in the journal', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => {})
  await expect(fetch('https://api.example.com/v1/orders', { headers })).rejects.toThrow()
  expect(store.requests()).toMatchObject([{ target: '/v1/orders', status: 404 }])
})
