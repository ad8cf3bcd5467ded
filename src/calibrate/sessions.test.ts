import { expect, it } from 'vitest'
import { learn } from '../../test/support/sessions.ts'
import { DEVIATIONS } from './finding.ts'

const SERVICES = Number(process.env.CALIBRATED_SERVICES ?? 5)

it(`learns ${SERVICES} services from three sessions each, and knows the rows of a fourth`, async () => {
  let missed = 0
  let total = 0
  for (let seed = 1; seed <= SERVICES; seed++) {
    const learnt = await learn(seed, 3)
    const odd = learnt.findings.filter(({ verdict }) => {
      return DEVIATIONS.includes(verdict) && verdict !== 'differs'
    })
    const repeated = { seed, odd, changes: learnt.notes.filter((note) => /^animal/.test(note)) }
    expect(repeated).toEqual({ seed, odd: [], changes: [] })
    expect(learnt.rows).toEqual({ judged: 120, explained: 120 })
    expect(learnt.isRepeated).toBe(true)
    missed += learnt.missed.length
    total += learnt.total
  }
  expect(missed / total).toBeLessThanOrEqual(0.01)
}, 600_000)
