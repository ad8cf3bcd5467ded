import { expect, it } from 'vitest'
import { createSituation, toBaseScenario } from './situation.ts'

it('keeps animals in the order of their ids, and counts on from the last', () => {
  const pets = [3, 1, 2].map((id) => ({ id, categoryId: 1, name: 'Rex' }))
  const { nextId, ...situation } = createSituation({ pets })
  expect(nextId).toBe(4n)
  expect(toBaseScenario({ ...situation, nextId }).pets?.map(({ id }) => id)).toEqual([1, 2, 3])
})
