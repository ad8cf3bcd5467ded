import { expect } from '@playwright/test'
import { test } from './store'

test('says that the service is down', async ({ page, store }) => {
  await store.control.faults.add({ operation: 'listPets', status: 503 })
  await page.goto(`/?api=${store.url}&key=${store.apiKey}`)
  await expect(page.getByRole('alert')).toHaveText('Please come back later')
})

test('shows the animals', async ({ page, store }) => {
  await page.goto(`/?api=${store.url}&key=${store.apiKey}`)
  await expect(page.getByRole('listitem')).toHaveCount(18)
  await expect(store).toHaveReceived('listPets', { status: 200 })
})
