// A server for each test: it needs neither exec nor keys, and the start of a server costs each test some milliseconds.
import { test as base, expect } from '@playwright/test'
import { withStore } from 'animal-store-mock/playwright'

const test = withStore(base, { mode: 'server' })

test('has a server of its own', async ({ page, store }) => {
  await store.control.faults.add({ operation: 'listPets', status: 503 })
  await page.goto(`/?api=${store.url}&key=any-key`)
  await expect(page.getByRole('alert')).toHaveText('Please come back later')
})
