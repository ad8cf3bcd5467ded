// One mock for all workers: each has its own animals, and every test starts from the same ones.
import { expect } from '@playwright/test'
import { test } from './worker-key.ts'

test.describe.configure({ mode: 'parallel' })

for (const turn of ['first', 'second', 'third', 'fourth']) {
  test(`adds the ${turn} animal under the same id as the others`, async ({ apiKey, request }) => {
    const headers = { authorization: `Bearer ${apiKey}` }
    const created = await request.post(`${process.env.ANIMAL_STORE_URL}/pets`, { headers, data: { name: turn, categoryId: 1 } })
    expect(await created.json()).toEqual({ id: 51, name: turn, categoryId: 1 })
  })
}
