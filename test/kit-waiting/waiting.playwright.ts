import { test as base, expect } from '@playwright/test'
import { withStore } from 'animal-store-mock/playwright'

const test = withStore(base, { mode: process.env.MODE as 'sandbox' | 'server', timeout: 200 })

test('a request whose response is held back has been received', async ({ store, apiKey, request }) => {
  const messageOf = (matcher: Promise<void>) =>
    matcher.then(
      () => 'it passed',
      ({ message }: Error) => message,
    )
  const add = async () => {
    const headers = { authorization: `Bearer ${apiKey}` }
    return (await request.post(`${store.url}/pets`, { headers, data: { name: 'Rex', categoryId: 1 } })).status()
  }
  await expect(store).toHaveReceivedNothing()
  await store.control.faults.add({ operation: 'createPet', delay: 1_000, after: 1 })
  const both = Promise.all([add(), add()])
  await expect.poll(async () => (await store.control.pets.list()).total).toBe(52)

  expect(await messageOf(expect(store).toHaveReceived('createPet', { times: 1 }))).toContain('Expected 1 matching request, received 2:')
  expect(await messageOf(expect(store).toHaveReceivedNothing())).toContain('1 request is still held back: POST /v1/pets')
  expect(await messageOf(expect(store).not.toHaveReceived('createPet', { status: 201, times: 2 }))).toContain(
    'status: expected 201, but the response is still held back',
  )
  await expect(store).toHaveReceived('createPet', { times: 2 })
  expect(await both).toEqual([201, 201])
  await expect(store).toHaveReceived('createPet', { status: 201, times: 2 })
})
