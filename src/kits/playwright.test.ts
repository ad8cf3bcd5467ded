import { expectTypeOf, it } from 'vitest'
import type { connect } from '../client/connect.ts'
import type { TestStore } from './playwright.ts'

it('has the control of connect', () => {
  expectTypeOf<TestStore['control']>().toEqualTypeOf<ReturnType<typeof connect>>()
})
