import { expect, it } from 'vitest'
import { printDuration } from './print-duration.ts'

it('printDuration writes short times in milliseconds and long ones in seconds', () => {
  expect([0.44, 123.4, 1000, 2100].map(printDuration)).toEqual(['0.4 ms', '123 ms', '1 s', '2.1 s'])
})
