import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { histories, play, printAll, settings, statesOf } from '../../test/support/histories.ts'
import type { WhatIfChange } from './control.ts'

const RUNS = 60 * Number(process.env.RUNS_FACTOR ?? 1)

describe('what if, onward', () => {
  it.each<[what: string, change: WhatIfChange]>([
    ['no change', {}],
    [
      'a change that no request can see',
      { with: [{ operation: 'getPet', petId: 77, status: 500 }] },
    ],
  ])('gives every request the response that it got with %s, and touches nothing', (_, change) => {
    fc.assert(
      fc.property(settings, histories(60), fc.nat(10), (options, steps, skipped) => {
        const mock = play(options, steps)
        const before = printAll(mock)
        for (const state of statesOf(mock)) {
          const first = state.timeline({ waiting: true })[skipped]
          if (!first) continue
          const found = state.whatIf(first.id, { ...change, onward: true })
          expect(found.rows.filter((row) => row.type === 'request' && row.differs)).toEqual([])
          expect(found.after.pets).toEqual({ added: [], changed: [], removed: [] })
        }
        expect(printAll(mock)).toBe(before)
      }),
      { numRuns: RUNS },
    )
  })
})
