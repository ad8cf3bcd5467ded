import assert from 'node:assert/strict'
import { test } from 'node:test'

test('the app finds the mock', async () => {
  const response = await fetch(`${process.env.ANIMAL_STORE_URL}/pets`, { headers: { authorization: 'Bearer any-key' } })
  assert.equal(response.status, 200)
})
