import { expect, it } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import { withStore } from './playwright.ts'

it.each([undefined, {}, { scenario: 'sold-out' }])('withStore refuses %j in the place of the test of Playwright', (base) => {
  expect(() => withStore(base as never)).toThrow(UsageError)
})
