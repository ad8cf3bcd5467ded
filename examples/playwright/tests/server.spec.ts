// A scenario for these tests. Without `animal-store-mock exec`, as in an editor, each worker starts a mock.
import { test as base, expect } from '@playwright/test'
import { withStore } from 'animal-store-mock/playwright'

const test = withStore(base, { scenario: 'outage' })

test('says that the service is down', async ({ page, store }) => {
  await page.goto(`/?api=${store.url}&key=${store.apiKey}`)
  await expect(page.getByRole('alert')).toHaveText('Please come back later')
})
