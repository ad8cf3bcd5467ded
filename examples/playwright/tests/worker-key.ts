import { test as base } from '@playwright/test'

const control = new URL('/__mock/', process.env.ANIMAL_STORE_URL)

/** A key for each worker, and a fresh world for each test. */
export const test = base.extend<{ apiKey: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads fixture names from this pattern
  apiKey: async ({}, use, { workerIndex }) => {
    const key = `worker-${workerIndex}`
    await fetch(new URL(`reset?sandbox=${key}`, control), { method: 'POST', headers: { 'x-mock-control': '1' } })
    await use(key)
  },
})
