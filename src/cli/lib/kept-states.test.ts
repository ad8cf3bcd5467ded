import { expect, it } from 'vitest'
import { createEngine } from '../../mock/mock.ts'
import { openOptions } from '../../mock/mock-options.ts'
import { printStates } from './kept-states.ts'

it('sandboxes that have been idle longest are left out of a file that would be too large', () => {
  const { worlds } = createEngine(openOptions('test', { pets: [], sandbox: true }))
  for (const name of ['first', 'second', 'third']) worlds.of(name)
  const whole = printStates(worlds)
  expect(whole.left).toBe(0)
  const { text, left } = printStates(worlds, whole.text.length - 60)
  expect(left).toBe(1)
  const { sandboxes } = JSON.parse(text)
  expect(sandboxes.map(({ sandbox }: { sandbox: string }) => sandbox)).toEqual(['second', 'third'])
})
