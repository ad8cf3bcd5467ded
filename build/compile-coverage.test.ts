import { expect, it } from 'vitest'
import { createMock } from '../src/mock/mock.ts'

it('the cells, in the order of the contract, equal coverage-cells.golden.txt', async () => {
  const cells = Object.keys(createMock().control.coverage().cells)
  await expect(`${cells.join('\n')}\n`).toMatchFileSnapshot('coverage-cells.golden.txt')
})
