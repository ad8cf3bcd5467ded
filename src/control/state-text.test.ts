import { expect, it } from 'vitest'
import { toJson } from '../contract/int64-json.ts'
import { scenarios } from '../scenarios.ts'
import { createSituation } from '../world/situation.ts'
import { createWorld } from '../world/world.ts'
import { toStateText } from './state-text.ts'

it.each(Object.entries(scenarios))('prints %s as its state says', (_, scenario) => {
  const world = createWorld(createSituation(scenario), { realTime: () => 0 })
  expect(toStateText(world)).toBe(toJson(world.state()))
})

it('prints what was added, changed and removed, and has no description where there is none', () => {
  const world = createWorld(createSituation({ name: 'own', pets: [{ id: 1, name: 'Rex', categoryId: 1 }] }), { realTime: () => 0 })
  world.store({ name: 'A "quoted" 🐕', categoryId: 2n ** 62n, status: 'sold' })
  world.put({ id: 2n ** 63n - 1n, name: 'last', categoryId: 1 })
  world.catalogue.remove('1')
  expect(toStateText(world)).toBe(toJson(world.state()))
})
