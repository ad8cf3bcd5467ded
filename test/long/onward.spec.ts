// What if onward without a change, and with one that no request can see, over long histories.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { histories, play, printAll, settings, statesOf } from '../support/histories.ts'
import { checkProperty } from '../support/property.ts'

const USUAL_RUNS = 120

it('reproduces every response of ten thousand requests, and leaves everything as it was', async () => {
  let requests = 0
  const history = histories(120, 240)
  const property = fc.asyncProperty(settings, history, async (options, steps) => {
    const mock = play(options, steps)
    const before = printAll(mock)
    for (const state of statesOf(mock)) {
      const [first] = state.timeline({ waiting: true })
      if (!first) continue
      const unseen = { with: [{ operation: 'getPet', petId: 77, status: 500 }] } as const
      for (const change of [{}, unseen]) {
        const found = state.whatIf(first.id, { ...change, onward: true })
        const other = found.rows.filter((row) => row.type === 'request' && row.differs !== null)
        expect(other).toEqual([])
        expect(found.after.pets).toEqual({ added: [], changed: [], removed: [] })
        requests += found.considered
      }
    }
    expect(printAll(mock)).toBe(before)
  })
  await checkProperty('what if onward', USUAL_RUNS, property)
  expect(requests).toBeGreaterThan(10_000)
}, 600_000)
