// Many tests at once, all of which do the same to their store: none may see what another did.
import { test as base, expect } from '@playwright/test'
import { withStore } from 'animal-store-mock/playwright'

const test = withStore(base)

for (let turn = 1; turn <= Number(process.env.TESTS); turn++) {
  test(`test ${turn} sees its own animals and requests only`, async ({ store, request }) => {
    const headers = { authorization: `Bearer ${store.apiKey}` }
    const created = await request.post(`${store.url}/pets`, { headers, data: { name: `Pet ${turn}`, categoryId: turn } })
    expect(await created.json()).toEqual({ id: 19, name: `Pet ${turn}`, categoryId: turn })
    await expect(store).toHaveReceived('createPet', { body: { name: `Pet ${turn}` }, times: 1 })
    await expect(store).not.toHaveReceived('listPets')
    expect(await store.control.requests()).toHaveLength(1)
  })
}
