// Tests that must fail; the row reads what they say.
const { mockStore } = require('animal-store-mock/jest')
const axios = require('axios')

const API = 'https://api.example.com/v1'
const headers = { authorization: 'Bearer secret-test-key' }

describe('a failed test', () => {
  const store = mockStore({ baseUrl: API, intercept: 'fetch', timeout: 50, record: 'recordings' })

  test('has its request log printed', async () => {
    await fetch(`${API}/pets?limit=5`, { headers })
    await expect(store).toHaveReceived('listPets', { query: { limit: 6 } })
  })
})

describe('a matcher that is not awaited', () => {
  const store = mockStore({ baseUrl: API, intercept: 'fetch' })

  test('fails its test, and not the process', async () => {
    expect(store).toHaveReceived('createPet')
  })
})

describe('failOn', () => {
  mockStore({ baseUrl: API, failOn: ['unknown-operation', 'deprecated'] })

  test('names an unknown path', async () => {
    await fetch(`${API}/pets/`, { headers }).catch(() => {})
  })
  test('names a deprecated operation', () => fetch(`${API}/pets/1`, { headers }))
})

describe('axios without fetch', () => {
  mockStore({ baseUrl: 'https://api.invalid/v1' })

  test('is named', () => axios.get('https://api.invalid/v1/pets', { headers }).catch(() => {}))
})
