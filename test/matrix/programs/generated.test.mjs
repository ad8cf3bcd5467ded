// The clients that generators have made of the contract, each against the running mock. Run with
// tsx, inside `animal-store-mock exec`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFetch, createMock } from 'animal-store-mock'

const baseUrl = process.env.ANIMAL_STORE_URL
const token = 'any-key'
const headers = { authorization: `Bearer ${token}` }
const rex = { name: 'Rex', categoryId: 1, status: 'available' }
const without = ({ id, ...rest }) => rest

test('a client of swagger-typescript-api creates and gets an animal', async () => {
  const { Api } = await import('./swagger/api.ts')
  const { pets } = new Api({ baseUrl, baseApiParams: { headers } })
  const { data } = await pets.createPet(rex)
  assert.deepEqual(without(data), rex)
  assert.deepEqual((await pets.getPet(data.id)).data, data)
})

test('a client of swagger-typescript-api creates an animal with createFetch as its customFetch', async () => {
  const { Api } = await import('./swagger/api.ts')
  // Its address is the contract's own.
  const customFetch = createFetch(createMock({ pets: [] }), {
    baseUrl: 'https://animal-store.example/v1',
  })
  const { pets } = new Api({ baseApiParams: { headers }, customFetch })
  assert.deepEqual((await pets.createPet(rex)).data, { id: 1, ...rex })
})

test('a client of hey-api creates and lists an animal', async () => {
  const { createPet, listPets } = await import('./hey/sdk.gen.ts')
  const { client } = await import('./hey/client.gen.ts')
  client.setConfig({ baseUrl, auth: () => token })
  const created = await createPet({ body: rex })
  assert.deepEqual(without(created.data), rex)
  const { data } = await listPets({ query: { limit: 100 } })
  assert.ok(data.some(({ id }) => id === created.data.id))
})

test('a client of orval creates and gets an animal', async () => {
  const { createPet, getPet } = await import('./orval.ts')
  const created = await createPet(rex, { headers })
  assert.equal(created.status, 201)
  assert.deepEqual((await getPet(created.data.id, { headers })).data, created.data)
})
