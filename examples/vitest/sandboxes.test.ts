import { createMock } from 'animal-store-mock'
import { afterEach, expect, it } from 'vitest'

const mock = createMock({ sandbox: true })

afterEach(() => {
  for (const key of mock.control.sandboxes()) mock.control.removeSandbox(key) // the next request starts a fresh one
})

it('breaks the store of one key only', async () => {
  mock.control.sandbox('key-1').faults.add({ operation: 'listPets', status: 503 })
  const listAs = (key: string) => mock.fetch('https://api.example.com/v1/pets', { headers: { authorization: `Bearer ${key}` } })
  expect((await listAs('key-1')).status).toBe(503)
  expect((await listAs('key-2')).status).toBe(200)
  expect(mock.control.sandbox('key-1').requests()).toHaveLength(1)
})

it('starts without the fault of the test before', () => {
  expect(mock.control.sandbox('key-1').faults.list()).toEqual([])
})
