import { expect, it } from 'vitest'
import { createStart, type State, toBaseScenario } from './start.ts'

const pet = (id: number) => ({ id, name: 'Rex', categoryId: 1 })
const calibrated = { on: '2030-12-06', against: 'https://api.example.com/v1', choices: {} }
const least: State = { name: 'unnamed', description: '', pets: [], nextId: 1n, faults: [], random: 0 }
const clock = { now: '2030-12-06', frozen: true }
const most: State = { ...least, description: 'All', nextId: 7n, ...clock, apiKeys: ['key'], latency: 5, surprise: { seed: 7 }, calibrated }

it.each<[title: string, given: State, kept: State]>([
  ['nothing', {}, least],
  ['animals in any order', { pets: [1, 3, 2].map(pet) }, { ...least, pets: [1, 2, 3].map(pet), nextId: 4n }],
  ['everything', most, most],
])('the start of a scenario with %s is kept as a scenario with that, and no more', (_, given, kept) => {
  const { assume: __, ...settings } = toBaseScenario(createStart(given))
  expect(settings).toStrictEqual(kept)
})
