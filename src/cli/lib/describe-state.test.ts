import { expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { listState } from './describe-state.ts'

it('the CLI shows the seed, the kinds and the selection of the surprises', () => {
  const { control } = createMock({
    surprise: { seed: 7, kinds: ['order'], only: ['order@listPets'] },
  })
  expect(listState(control.summary(), control.state())).toContainEqual([
    'Surprises',
    'seed 7, kinds order, only order@listPets',
  ])
})
