import { describe, expect, it } from 'vitest'
import { briefOf } from '../../test/support/brief.ts'
import { createMock } from '../mock/mock.ts'
import type { Scenario } from '../world/scenario.ts'
import { createOrigin } from '../world/state.ts'
import type { ScenarioDocument } from './document.ts'
import { expandScenario } from './expand.ts'
import { generatePets } from './generate/generate-pets.ts'

const rex = { id: 5, name: 'Rex', categoryId: 1 }
const bella = { id: 9, name: 'Bella', categoryId: 2 }

describe('generate', () => {
  it('adds animals after the listed ones, with ids above theirs', () => {
    const { pets } = expandScenario({ pets: [bella, rex], generate: { count: 3, seed: 4 } })
    expect(pets).toEqual([bella, rex, ...generatePets({ count: 3, seed: 4, firstId: 10 })])
  })
})

describe('a document that extends a scenario', () => {
  const parent: Scenario = {
    name: 'parent',
    description: 'What it is',
    pets: [rex],
    nextId: 50,
    apiKeys: ['one'],
    now: '2030-01-01',
    frozen: true,
    assume: { 'valid-keys': 'listed', 'media-type': 'unsupported', 'list-order': 'newest-first' },
    faults: [{ operation: '*', status: 500 }],
    random: 3,
  }
  const { name, description, ...inherited } = parent

  it.each<[string, Omit<ScenarioDocument, 'extends'>, Scenario]>([
    ['inherits all but name and description', {}, inherited],
    ['has its own name', { name: 'child' }, { ...inherited, name: 'child' }],
    ['reads durations', { latency: '1s' }, { ...inherited, latency: 1_000 }],
    [
      'replaces a field',
      { now: '2031-01-01', frozen: false },
      { ...inherited, now: '2031-01-01', frozen: false },
    ],
    [
      'replaces a list as a whole',
      { faults: [], apiKeys: ['two'] },
      { ...inherited, faults: [], apiKeys: ['two'] },
    ],
    [
      'merges the choices question by question',
      { assume: { 'list-order': 'oldest-first', 'invalid-query': 'clamp' } },
      {
        ...inherited,
        assume: { ...parent.assume, 'list-order': 'oldest-first', 'invalid-query': 'clamp' },
      },
    ],
    [
      'keeps the animals when only the next id changes',
      { nextId: 80 },
      { ...inherited, nextId: 80 },
    ],
  ])('%s', (_, document, expected) => {
    expect(
      expandScenario({ extends: 'parent', faults: undefined, ...document } as never, parent),
    ).toEqual(expected)
  })

  it('that lists keys makes them the only valid ones, also over a saved state', () => {
    const saved = createMock().control.state()
    const choose = (document: ScenarioDocument) =>
      createOrigin(expandScenario({ extends: 'saved', ...document }, saved)).choices['valid-keys']
    expect([choose({}), choose({ apiKeys: ['qa'] })]).toEqual(['any', 'listed'])
    expect(choose({ apiKeys: ['qa'], assume: { 'valid-keys': 'any' } })).toBe('any')
  })

  it('replaces animals and next id together, with pets or with generate', () => {
    const { pets, nextId, ...rest } = inherited
    expect(expandScenario({ extends: 'parent', pets: [bella] }, parent)).toEqual({
      ...rest,
      pets: [bella],
    })
    expect(expandScenario({ extends: 'parent', generate: { count: 2 } }, parent)).toEqual({
      ...rest,
      pets: generatePets({ count: 2 }),
      generated: 2,
    })
  })
})

describe('expandScenario', () => {
  it.each<[unknown, string]>([
    [{ generate: {} }, 'missing generate.count'],
    [{ extends: 'default' }, expect.stringContaining('"default"')],
    [{ generate: { count: 1, status: {} } }, 'mismatch generate.status none'],
  ])('refuses %o, and names the problem', (document, problem) => {
    expect(briefOf(() => expandScenario(document as ScenarioDocument))).toEqual([problem])
  })
})
