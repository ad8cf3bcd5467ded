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

it('keeps the state when a token is refreshed', async () => {
  const own = mock.control.sandbox('w1')
  const listWith = (token: string) =>
    mock.fetch('https://api.example.com/__sandbox/w1/v1/pets', { headers: { authorization: `Bearer ${token}` } })
  own.keys.set(['token-1'])
  expect((await listWith('token-1')).status).toBe(200)
  own.keys.set(['token-2']) // the first one has expired
  expect((await listWith('token-1')).status).toBe(401)
  expect((await listWith('token-2')).status).toBe(200)
  expect(own.requests()).toHaveLength(3)
})
