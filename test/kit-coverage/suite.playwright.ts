import { test as base, expect } from '@playwright/test'
import { withStore } from 'animal-store-mock/playwright'

const test = withStore(base, { mode: process.env.MODE as 'sandbox' | 'server', coverage: 'file' })

for (const part of [1, 2, 3, 4]) {
  test.describe(`part ${part}`, () => {
    test('lists animals', async ({ store, apiKey, request }) => {
      await store.control.faults.add({ operation: 'listPets', status: 503, times: 1 })
      const list = () => request.get(`${store.url}/pets?limit=${part}`, { headers: { authorization: `Bearer ${apiKey}` } })
      expect((await list()).status()).toBe(503)
      expect((await list()).status()).toBe(200)
    })

    test('adds one', async ({ store, apiKey, request }) => {
      const headers = { authorization: `Bearer ${apiKey}` }
      const created = await request.post(`${store.url}/pets`, { headers, data: { name: 'Rex', categoryId: part } })
      expect(created.status()).toBe(201)
    })
  })
}
