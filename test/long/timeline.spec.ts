// The timeline against a mock that took only the steps before, ten thousand times; and among a million animals.
import { expect, it } from 'vitest'
import { generatePets } from '../../src/generate/index.ts'
import { createMock } from '../../src/index.ts'
import { checkProperty } from '../support/property.ts'
import { rewinds, snapshots } from '../support/timeline-model.ts'

it(
  'after a rewind, the state and what follows are as if nothing had happened since',
  () => checkProperty('rewinds', 10_000, rewinds),
  1_800_000,
)

it('the state before a request gives the same response in another mock', () => checkProperty('snapshots', 1_000, snapshots), 300_000)

it('a rewind of one change among a million animals takes less than 50 ms', () => {
  const { control } = createMock({ pets: generatePets({ seed: 1, count: 1_000_000 }) })
  for (const id of [500_000, 500_001]) control.pets.update(id, { status: 'sold' })
  const times = [1, 2].map((id) => {
    const start = process.cpuUsage()
    control.rewind(id)
    control.undo()
    return process.cpuUsage(start).user / 1_000
  })
  expect(Math.min(...times) / 2).toBeLessThan(50)
}, 120_000)
