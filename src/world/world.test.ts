import { expect, it } from 'vitest'
import { exchange, still, surround } from '../../test/support/log-rows.ts'
import { parseScenario } from '../../test/support/parse-scenario.ts'
import { createMemory } from './memory.ts'
import { addPet, beginState } from './state.ts'
import { createWorld } from './world.ts'

it('a world that starts again from a state has no rows, and counts ids on', () => {
  const [first, next] = [
    parseScenario({}),
    parseScenario({ pets: [{ name: 'Rex', categoryId: 1 }] }),
  ]
  const memory = createMemory()
  const world = createWorld(beginState(first, still), surround(memory))
  const store = () =>
    world.advance(exchange(), addPet(world.state, { name: 'Pip', categoryId: 1 }).state)
  world.enter()
  store()
  world.resume(beginState(next, still))
  expect([world.state.origin, world.timeline.rows(), memory.bytes]).toEqual([next, [], next.bytes])
  store()
  expect(world.timeline.rows().map(({ id }) => id)).toEqual([2])
})
