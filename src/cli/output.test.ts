import { expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { count, describeState } from './output.ts'

it.each([
  [0, '0 animals'],
  [1, '1 animal'],
  [999, '999 animals'],
  [1_000, '1,000 animals'],
  [123_456, '123,456 animals'],
  [9_007_199_254_740_991, '9,007,199,254,740,991 animals'],
])('the CLI writes the count %i as "%s"', (amount, expected) => {
  expect(count(amount, 'animal')).toBe(expected)
})

it('the CLI shows the seed, the kinds and the selection of the surprises', () => {
  const { control } = createMock({ surprise: { seed: 7, kinds: ['order'], only: ['order@listPets'] } })
  expect(describeState(control.summary(), control.state())).toContainEqual(['Surprises', 'seed 7, kinds order, only order@listPets'])
})
