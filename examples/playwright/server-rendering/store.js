import { test as base } from '@playwright/test'
import { withStore } from 'animal-store-mock/playwright'

/** The browser tells your app which sandbox the test is in, and your app tells the mock. */
export const test = withStore(base, { scenario: 'single' }).extend({
  async context({ context, store, baseURL }, use) {
    await context.addCookies([{ name: 'mock-sandbox', value: store.sandbox, url: baseURL }])
    await use(context)
  },
})
