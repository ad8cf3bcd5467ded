import { describe, expect, it } from 'vitest'
import { brief, briefOf } from '../../test/support/brief.ts'
import { addHint } from '../contract/suggest.ts'
import { findExcess } from '../control/api/load.ts'
import { createMock } from '../mock/mock.ts'
import type { ReadScenario } from '../world/scenario.ts'
import { checkScenario, findProblems } from './check-scenario.ts'
import { expandScenario } from './expand.ts'
import { openScenario } from './open.ts'

const rex = { id: 1, name: 'Rex', categoryId: 1 }
const check = (document: unknown, parent?: ReadScenario) =>
  findProblems(document, parent).map(brief)

it('the check of a scenario reports every field with a wrong value', () => {
  const wrong = {
    ...{
      $schema: 1,
      name: 1,
      description: 1,
      pets: 1,
      nextId: 'a',
      apiKeys: null,
      now: 1,
      frozen: 1,
    },
    ...{ assume: 1, faults: 1, latency: 'a', random: 'a', extends: 1, generate: 1 },
  }
  const values = Object.entries(wrong).map(
    ([name, value]) => `mismatch ${name} ${JSON.stringify(value)}`,
  )
  expect(check(wrong)).toEqual(values)
})

it.each<[fault: object, problem: string[]]>([
  [{ status: 302 }, ['mismatch faults[0].status 302']],
  [{ status: 399 }, ['mismatch faults[0].status 399']],
  [{ status: 599 }, []],
  [{ status: 600 }, ['mismatch faults[0].status 600']],
  [{ status: 503, seen: 1e16 }, ['mismatch faults[0].seen 10000000000000000']],
  [{ status: 302, body: 'html' }, []],
  [{ body: 'truncated' }, []],
  [{ status: 204, body: 'html' }, ['mismatch faults[0].body "html"']],
  [{ status: 204, body: 'empty' }, []],
  [{ status: 502, body: 'gzip' }, ['mismatch faults[0].body "gzip"']],
  [{ drop: true, body: 'html' }, ['mismatch faults[0] more']],
  [{ operation: 'getPet', status: 500, petId: 2n ** 63n - 1n }, []],
  [{ status: 500, petId: 7 }, ['faults[0].petId: listPets has no petId']],
])('a fault %o has the problems %j', (fault, problems) => {
  expect(check({ faults: [{ operation: 'listPets', ...fault }] })).toEqual(problems)
})

describe('the ids of faults', () => {
  it('must be unique', () => {
    const fault = { operation: '*', status: 503, id: 'a' }
    expect(check({ faults: [fault, fault] })).toEqual(['duplicate-id faults[1].id "a" faults[0]'])
  })
})

describe('the ids of a scenario’s animals', () => {
  it.each<[string, unknown, string[]]>([
    ['a number and a bigint', [{ ...rex, id: 1n }, rex], ['duplicate-id pets[1].id 1 pets[0]']],
    [
      'not next to each other',
      [rex, { ...rex, id: 7 }, rex],
      ['duplicate-id pets[2].id 1 pets[0]'],
    ],
    [
      'three times',
      [rex, rex, rex],
      ['duplicate-id pets[1].id 1 pets[0]', 'duplicate-id pets[2].id 1 pets[0]'],
    ],
    ['in descending order', [{ ...rex, id: 2 }, rex], []],
    [
      'next to values that are not animals',
      [null, rex, 5],
      ['mismatch pets[0] null', 'mismatch pets[2] 5'],
    ],
  ])('must be unique: %s', (_, pets, problems) => {
    expect(check({ pets })).toEqual(problems)
  })

  it('must be below nextId, which is reported once', () => {
    const pets = [rex, { ...rex, id: 9 }, { ...rex, id: 5 }]
    expect(check({ pets, nextId: 4 })).toEqual(['mismatch nextId 4'])
    expect(check({ pets, nextId: 10 })).toEqual([])
  })

  it('must be below nextId also if the animals come from the extended scenario', () => {
    const parent = { pets: [{ ...rex, id: 9 }] }
    expect(check({ nextId: 9 }, parent)).toEqual(['mismatch nextId 9'])
    expect(check({ nextId: 9, pets: [] }, parent)).toEqual([])
    expect(check({ nextId: 3, generate: { count: 2 } }, parent)).toEqual([])
  })

  it('must leave room for the ids of generated animals', () => {
    const last = { ...rex, id: 2n ** 63n - 1n }
    expect(check({ pets: [last], generate: { count: 0 } })).toEqual([])
    expect(check({ pets: [last], generate: { count: 1 } })).toEqual([
      'generate.count: too many: the last id would be 9223372036854775808, beyond 64 bits',
    ])
    expect(check({ nextId: 3, generate: { count: 3 } })).toEqual(['mismatch nextId 3'])
    expect(check({ nextId: 0, generate: { count: 0 } })).toEqual([])
    expect(check({ pets: [last], nextId: 2n ** 63n })).toEqual([])
    expect(check({ now: 1, nextId: 2n ** 63n })).toEqual(['mismatch now 1'])
    expect(createMock({ nextId: 2n ** 63n }).control.state().nextId).toBe(2n ** 63n)
    expect(check({ nextId: 2n ** 63n + 1n })).toEqual(['mismatch nextId 9223372036854775809'])
  })
})

describe('the clock of a scenario', () => {
  it.each([
    '1969-12-31',
    '1969-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59-01:00',
    '2026-02-30',
    'soon',
  ])('cannot start at %s', (now) => {
    expect(check({ now })).toEqual([`mismatch now ${JSON.stringify(now)}`])
  })

  it.each(['1970-01-01', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59+01:00'])(
    'can start at %s',
    (now) => {
      expect(check({ now })).toEqual([])
      expect(checkScenario({ now })).toEqual({ now })
    },
  )
})

describe('a scenario value', () => {
  it.each<[unknown, string]>([
    [
      { generate: { count: 1 } },
      'generate: resolve it first, with loadScenario() or expandScenario()',
    ],
    [{ extends: 'default' }, 'extends: resolve it first, with loadScenario() or expandScenario()'],
    ['sold-out', 'mismatch scenario "sold-out"'],
    [null, 'mismatch scenario null'],
  ])('%j is refused', (value, problem) => {
    expect(briefOf(() => checkScenario(value))).toEqual([problem])
  })
})

describe('the ids in a list of animals', () => {
  const named = (id?: number | bigint) => ({
    ...(id === undefined ? {} : { id }),
    name: 'Rex',
    categoryId: 1,
  })
  const idsOf = (pets: unknown[]) => createMock({ pets: pets as never }).control.state()

  it('are optional: an animal without an id gets the lowest free one', () => {
    expect(idsOf([named(), named(1n), named(), named(3)]).pets?.map(({ id }) => id)).toEqual([
      1, 2, 3, 4,
    ])
    expect(idsOf([named(-5), named()])).toMatchObject({ pets: [{ id: -5 }, { id: 1 }] })
    const mock = createMock()
    mock.control.load({ pets: [named()], nextId: 7 } as never)
    expect(mock.control.state()).toMatchObject({ pets: [{ id: 1 }], nextId: 7 })
  })

  it('that were assigned automatically count like given ones', () => {
    expect(() =>
      createMock({ scenario: { pets: [named(), named()], nextId: 2 } as never }),
    ).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ path: 'nextId' })] }))
    const generatedAfter = (id?: number) =>
      expandScenario({ pets: [named(id)] as never, generate: { count: 1 } }).pets?.at(-1)?.id
    expect([generatedAfter(), generatedAfter(-5)]).toEqual([2, 1])
  })
})

it.each([
  [{ animals: [] }, 'pets'],
  [{ fault: [] }, 'faults'],
  [{ faults: [{ operation: '*', code: 503 }] }, 'status'],
  [{ faults: [{ operation: '*', status: 503, rate: 50 }] }, '0.5'],
  [{ faults: [{ operation: '*', status: 503, rate: 100 }] }, '1'],
  [{ faults: [{ operation: '*', status: 503, rate: 101 }] }, undefined],
  [{ faults: [{ operation: '*', status: 503, rate: -50 }] }, undefined],
  [{ faults: [{ operation: 'getPets', status: 503 }] }, 'getPet'],
  [{ zzzzzzzz: 1 }, undefined],
])('the report on %j suggests %j', (document, near) => {
  const [first] = findProblems(document).map(addHint)
  expect(first && 'near' in first ? first.near : undefined).toBe(near)
})

describe('a scenario that has to be fetched', () => {
  it.each<[unknown, object]>([
    ['sold-uot', { path: 'scenario', near: 'sold-out' }],
    ['zzzzzzzz', { path: 'scenario' }],
    ['./a.yaml', { path: 'scenario' }],
    [{ extends: 'sold-uot' }, { path: 'extends' }],
    [{ extends: './a.yaml' }, { path: 'extends', expected: expect.stringMatching(/./) }],
    [{ generate: { count: 1e9 } }, { path: 'generate.count' }],
  ])('is refused: %j', async (given, problem) => {
    await expect(openScenario(given)).rejects.toMatchObject({ problems: [problem] })
  })

  it('comes at once if nothing has to be fetched', async () => {
    for (const given of [{ pets: [rex] }, [rex]])
      expect(openScenario(given)).toEqual({ pets: [rex] })
    expect(await openScenario({ generate: { count: 1 } })).toMatchObject({ generated: 1 })
  })

  it('may have as many animals over HTTP as are allowed, also if they are generated', () => {
    const [most, more] = [Array(100_000).fill(rex), Array(100_001).fill(rex)]
    expect(findExcess({ pets: most, generate: { count: 100_000 } })).toEqual([])
    expect(findExcess(more).map(brief)).toEqual(['mismatch pets 100001'])
    expect(findExcess({ pets: more, generate: { count: 100_001 } })).toMatchObject([
      { path: 'pets' },
      { path: 'generate.count' },
    ])
    // More than anybody may generate.
    expect(findExcess({ generate: { count: 1e9 } })).toEqual([])
  })
})
