// One mock for all workers: each test has its own animals, whatever the others do.
import { expect } from '@playwright/test'
import { test } from './store'

test.describe.configure({ mode: 'parallel' })

for (const turn of ['first', 'second', 'third', 'fourth']) {
  test(`adds the ${turn} animal under the same id as the others`, async ({ store, request }) => {
    const headers = { authorization: `Bearer ${store.apiKey}` }
    const created = await request.post(`${store.url}/pets`, { headers, data: { name: turn, categoryId: 1 } })
    expect(await created.json()).toEqual({ id: 19, name: turn, categoryId: 1 })
    await expect(store).toHaveReceived('createPet', { body: { name: turn }, times: 1 })
  })
}
