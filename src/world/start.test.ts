import { expect, it } from 'vitest'
import { createStart, toBaseScenario } from './start.ts'

it('keeps animals in the order of their ids, and counts on from the last', () => {
  const pets = [3, 1, 2].map((id) => ({ id, categoryId: 1, name: 'Rex' }))
  const { nextId, ...start } = createStart({ pets })
  expect(nextId).toBe(4n)
  expect(toBaseScenario({ ...start, nextId }).pets?.map(({ id }) => id)).toEqual([1, 2, 3])
})
