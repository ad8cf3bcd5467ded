import { test as base } from '@playwright/test'
import { withStore } from 'animal-store-mock/playwright'

/** Each test has its own sandbox, and so its own store. */
export const test = withStore(base)
