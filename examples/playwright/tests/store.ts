import { test as base } from '@playwright/test'
import { withStore } from 'animal-store-mock/playwright'

/** One mock for all workers, and an API key of its own for each test. */
export const test = withStore(base, { mode: 'sandbox' })
