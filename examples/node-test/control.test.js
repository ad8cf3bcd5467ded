import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createMock } from 'animal-store-mock'
import { connect } from 'animal-store-mock/control'
import { serve } from 'animal-store-mock/node'

// In your project the mock may run anywhere: npx animal-store-mock
const { url, close } = await serve(createMock())
after(close)

const control = connect(url)
await control.load('sold-out')
await control.faults.add({ operation: 'createPet', status: 503, times: 2 })

test('the control of a running mock', async () => {
  const response = await fetch(`${url}/pets?status=available`, { headers: { authorization: 'Bearer any-key' } })
  assert.deepEqual(await response.json(), [])
  const [last] = await control.requests({ limit: 1 })
  assert.equal(last.operation, 'listPets')
})
