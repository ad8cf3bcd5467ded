import { test as base, expect } from '@playwright/test'
import { withStore } from 'animal-store-mock/playwright'

const test = withStore(base, { timeout: 200 })

test('a request whose response is delayed has been received', async ({ store, request }) => {
  const messageOf = (matcher: Promise<void>) =>
    matcher.then(
      () => 'it passed',
      ({ message }: Error) => message,
    )
  const add = async () => {
    const headers = { authorization: `Bearer ${store.apiKey}` }
    return (await request.post(`${store.url}/pets`, { headers, data: { name: 'Rex', categoryId: 1 } })).status()
  }
  await expect(store).not.toHaveReceived()
  await store.control.faults.add({ operation: 'createPet', delay: 3_000, after: 1 })
  const both = Promise.all([add(), add()])
  await expect.poll(async () => (await store.control.pets.list()).total).toBe(20)

  expect(await messageOf(expect(store).toHaveReceived('createPet', { times: 1 }))).toContain('Received 2 matching createPet requests')
  expect(await messageOf(expect(store).not.toHaveReceived())).toContain('POST /v1/pets → waiting')
  await expect(store).toHaveReceived('createPet', { times: 2 })
  expect(await both).toEqual([201, 201])
  await expect(store).toHaveReceived('createPet', { status: 201, times: 2 })
})
