import { test as base, expect } from '@playwright/test'
import { createMock, type Mock } from 'animal-store-mock'
import { serve } from 'animal-store-mock/node'

// A store of its own for every test, so that tests can run in parallel.
const test = base.extend<{ store: Mock & { url: string } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads fixture names from this pattern
  store: async ({}, use) => {
    const mock = createMock()
    const { url, close } = await serve(mock)
    await use({ ...mock, url })
    await close()
  },
})

test('shows the animals', async ({ page, store }) => {
  await page.goto(`/?api=${store.url}`)
  await expect(page.getByRole('listitem')).toHaveCount(20)
})

test('says that the service is down', async ({ page, store }) => {
  store.control.faults.add({ operation: 'listPets', status: 503 })
  await page.goto(`/?api=${store.url}`)
  await expect(page.getByRole('alert')).toHaveText('Please come back later')
})
