const { mockStore } = require('animal-store-mock/jest')

const store = mockStore({ baseUrl: 'https://api.example.com/v1' })
const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }

test('adds an animal', async () => {
  await fetch('https://api.example.com/v1/pets', { method: 'POST', headers, body: JSON.stringify({ name: 'Rex', categoryId: 1 }) })
  await expect(store).toHaveReceived('createPet', { body: { name: 'Rex' }, times: 1 })
})

test('starts afresh', async () => {
  await expect(store).not.toHaveReceived()
})
