import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { assertReceived, createMock } from 'animal-store-mock'
import { serve } from 'animal-store-mock/node'
import { scenarios } from 'animal-store-mock/scenarios'

const mock = createMock({ scenario: scenarios.single })
const headers = { authorization: 'Bearer any-key' }
// Not `reset`, which would go back to what a test has loaded.
const start = mock.control.state()
beforeEach(() => mock.control.load(start))

const { url, close } = await serve(mock) // one server for all tests of the file
after(close)

test('a real server answers on a free port', async () => {
  const response = await fetch(`${url}/pets`, { headers })
  assert.equal(response.status, 200)
  await assertReceived(mock, 'listPets', { status: 200, times: 1 })
})

test('mock.fetch answers without a server', async () => {
  const response = await mock.fetch('https://api.example.com/v1/pets', { headers })
  assert.equal(response.status, 200)
  assert.equal((await response.json()).length, 1)
})
