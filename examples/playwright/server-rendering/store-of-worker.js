import { test as base } from '@playwright/test'
import { withStore } from 'animal-store-mock/playwright'

/** Each worker has its own app, which is in the worker's sandbox. */
export const test = withStore(base, { sandbox: 'worker', scenario: 'single' }).extend({
  async baseURL({}, use, { parallelIndex }) {
    await use(`http://localhost:${3000 + parallelIndex}`)
  },
})
