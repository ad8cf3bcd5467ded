import { describe, expect, it } from 'vitest'
import type { Coverage } from './coverage.ts'
import { judge, type Rules } from './rules.ts'
import { createTally } from './tally.ts'
import { toReport } from './to-report.ts'

const NONE = createTally().coverage()
const RUN: Coverage = {
  ...NONE,
  requests: 9,
  cells: { ...NONE.cells, listPets: 4, 'listPets.200': 4, getPet: 2 },
  beside: {
    'assumption:list-order=oldest-first listPets': 3,
    'assumption:list-order=newest-first listPets': 1,
    'fault:listPets 503': 3,
    'retried:listPets 503': 1,
    'near-miss:404': 1,
    'undocumented:listPets.400': 1,
  },
}
const verdictsOf = (rules: Partial<Rules>, coverage = RUN) =>
  judge(coverage, toReport(coverage), { require: [], forbid: [], ...rules }).map(({ rule, problem }) => [rule, problem])

describe('rules', () => {
  it('hold what was tried against what is required', () => {
    expect(verdictsOf({ require: ['listPets', 'getPet', 'listPets.401', 'assumption:paging'] })).toEqual([
      ['--require listPets', undefined],
      ['--require getPet', undefined],
      ['--require listPets.401', 'was never tried'],
      ['--require assumption:paging', 'was never tried'],
    ])
  })

  it('hold what happened against what is forbidden', () => {
    const forbid = [
      'assumption:list-order',
      'assumption:paging',
      'near-miss',
      'deprecated',
      'undocumented',
      'unretried-fault',
      'createPet.400',
    ]
    expect(verdictsOf({ forbid })).toEqual([
      ['--forbid assumption:list-order', 'happened 4 times'],
      ['--forbid assumption:paging', undefined],
      ['--forbid near-miss', 'happened once'],
      ['--forbid deprecated', 'happened twice'],
      ['--forbid undocumented', 'happened once'],
      ['--forbid unretried-fault', 'happened twice'],
      ['--forbid createPet.400', undefined],
    ])
  })

  it('do not ask for a retry of a response that was only late', () => {
    expect(verdictsOf({ forbid: ['unretried-fault'] }, { ...RUN, beside: { 'fault:listPets delay': 3 } })).toEqual([
      ['--forbid unretried-fault', undefined],
    ])
  })

  it('hold the share of the cells, without those of deprecated operations, against a lowest one', () => {
    expect(verdictsOf({ min: 5 })).toEqual([['--min 5', undefined]])
    expect(verdictsOf({ min: 5.8 })).toEqual([['--min 5.8', 'only 5% of the cells were tried']])
    expect(verdictsOf({ min: 0 })).toEqual([['--min 0', undefined]])
  })

  it('are broken by a run without any request', () => {
    expect(verdictsOf({ min: 0 }, NONE)).toEqual([
      ['requests', 'no request was counted: did the tests call this mock?'],
      ['--min 0', undefined],
    ])
  })

  it.each([
    [
      'createPet.40',
      '--require: there is no "createPet.40"; did you mean createPet.400, createPet.401, createPet.201, createPet or getPet.401?',
    ],
    ['listpets', '--require: there is no "listpets"; did you mean listPets, '],
    ['listPets.status=Sold', '--require: there is no "listPets.status=Sold"; did you mean listPets.status=sold, '],
    ['assumption:list-ordre', '--require: there is no "assumption:list-ordre"; did you mean assumption:list-order, '],
    [
      'x',
      '--require: there is no "x"; expected a cell such as listPets or listPets.200, assumption:<id>, near-miss, deprecated, undocumented or unretried-fault',
    ],
    // As far from listPets as half of that name, not of this one.
    ['list', '--require: there is no "list"; expected a cell such as '],
    ['constructor', '--require: there is no "constructor"; '],
  ])('that name %s are a mistake, with the near names', (name, message) => {
    expect(() => verdictsOf({ require: [name] })).toThrow(message)
    expect(() => verdictsOf({ forbid: [name] })).toThrow(message.replace('--require', '--forbid'))
  })
})

describe('a report', () => {
  it('counts no deprecated operation, and rounds down', () => {
    const { tried, total, percent, deprecated } = toReport(RUN)
    expect({ tried, total, percent, deprecated }).toEqual({ tried: 2, total: 35, percent: 5, deprecated: [{ name: 'getPet', count: 2 }] })
    const all = Object.fromEntries(Object.keys(NONE.cells).map((cell) => [cell, cell.startsWith('getPet') ? 0 : 1]))
    expect(toReport({ ...NONE, cells: all }).percent).toBe(100)
    expect(toReport({ ...NONE, cells: { ...all, 'listPets.401': 0 } }).percent).toBe(97)
  })

  it('has the question behind each assumption that was used, with its choices, operations and tests, the most used first', () => {
    const coverage = {
      ...RUN,
      beside: { ...RUN.beside, 'assumption:unknown-path-auth=not-found -': 9 },
      tests: { 'list-order': ['a', 'b'] },
    }
    expect(toReport(coverage).questions).toMatchObject([
      { id: 'unknown-path-auth', count: 9, operations: [{ name: 'unknown path', count: 9 }], tests: [] },
      {
        id: 'list-order',
        question: 'In what order are animals listed?',
        count: 4,
        choices: [
          { name: 'oldest-first', count: 3, isDefault: true },
          { name: 'newest-first', count: 1, isDefault: false },
        ],
        operations: [{ name: 'listPets', count: 4 }],
        tests: ['a', 'b'],
      },
    ])
  })

  it('says what near misses were, by their status if there was no hint', () => {
    const beside = { 'near-miss:404': 1, 'near-miss:405': 2, 'near-miss:414': 3, 'near-miss:Extra slash': 4 }
    expect(toReport({ ...NONE, beside }).nearMisses.map(({ name }) => name)).toEqual([
      'Unknown path',
      'Method not allowed',
      'Rejected with 414',
      'Extra slash',
    ])
  })
})
