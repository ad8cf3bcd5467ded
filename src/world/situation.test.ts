import { expect, it } from 'vitest'
import { createSituation, toBaseScenario } from './situation.ts'

it('counts what API keys take, beside their text', () => {
  const without = createSituation({ pets: [] }).bytes
  expect(createSituation({ pets: [], apiKeys: ['abc', 'de'] }).bytes - without).toBe(2 * 128 + 5)
})

it('counts two bytes for each character of its name and description', () => {
  const shortest = createSituation({ name: '', description: '' }).bytes
  expect(createSituation({ name: 'abc', description: 'de' }).bytes - shortest).toBe(10)
})

it('keeps animals in the order of their ids, and counts on from the last', () => {
  const pets = [3, 1, 2].map((id) => ({ id, categoryId: 1, name: 'Rex' }))
  const { nextId, ...situation } = createSituation({ pets })
  expect(nextId).toBe(4n)
  expect(toBaseScenario({ ...situation, nextId }).pets?.map(({ id }) => id)).toEqual([1, 2, 3])
})
