import { createMock, type paths } from 'animal-store-mock'
import createClient from 'openapi-fetch'
import { expect, it } from 'vitest'

const mock = createMock()
const client = createClient<paths>({
  baseUrl: 'https://api.example.com/v1',
  headers: { authorization: 'Bearer any-key' },
  fetch: mock.fetch, // the mock answers directly, without a server or MSW
})

it('creates and lists with types from the contract', async () => {
  const created = await client.POST('/pets', { body: { name: 'Rex', categoryId: 1, status: 'available' } })
  expect(created.data?.id).toBe(19)
  const listed = await client.GET('/pets', { params: { query: { status: 'available', limit: 100 } } })
  expect(listed.data?.map(({ name }) => name)).toContain('Rex')
  const missing = await client.GET('/pets/{petId}', { params: { path: { petId: 4711 } } })
  expect(missing.error).toEqual({ code: 'NotFound', message: 'Animal 4711 not found', status: 404 })
})

it('compiles no call that the contract does not have', () => {
  const wrong = () => {
    // @ts-expect-error: no such path
    void client.GET('/orders')
    // @ts-expect-error: no such operation
    void client.DELETE('/pets/{petId}', { params: { path: { petId: 1 } } })
    // @ts-expect-error: categoryId is required
    void client.POST('/pets', { body: { name: 'Rex' } })
    // @ts-expect-error: not one of the three
    void client.GET('/pets', { params: { query: { status: 'gone' } } })
  }
  expect(wrong).toBeTypeOf('function')
})
