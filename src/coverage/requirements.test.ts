import { describe, expect, it } from 'vitest'
import type { Coverage } from './coverage.ts'
import { createReport, judge } from './report.ts'
import { createTally } from './tally.ts'

const NONE = createTally().coverage()
const RUN: Coverage = {
  ...NONE,
  requests: 9,
  cells: { ...NONE.cells, listPets: 4, 'listPets.200': 4, getPet: 2 },
  assumptions: { 'list-order=oldest-first listPets': 3, 'list-order=newest-first listPets': 1, 'unknown-path-auth=not-found -': 9 },
}
const verdictsOf = ({ require = [], min }: { require?: readonly string[]; min?: number }, coverage = RUN) =>
  judge(coverage.cells, createReport(coverage), require, min).map(({ requirement, problem }) => [requirement, problem])

describe('requirements', () => {
  it('name cells that must have been tried', () => {
    expect(verdictsOf({ require: ['listPets', 'getPet', 'listPets.401'] })).toEqual([
      ['--require listPets', undefined],
      ['--require getPet', undefined],
      ['--require listPets.401', 'was never tried'],
    ])
  })

  it('set a least percentage of the cells, without those of deprecated operations', () => {
    expect(verdictsOf({ min: 7 })).toEqual([['--min 7', undefined]])
    expect(verdictsOf({ min: 7.8 })).toEqual([['--min 7.8', 'only 7% of the cells were tried']])
    expect(verdictsOf({ min: 0 })).toEqual([['--min 0', undefined]])
  })

  it('are not met by a run without any request', () => {
    expect(verdictsOf({ min: 0 }, NONE)).toEqual([
      ['requests', 'no request was counted: did the tests call this mock?'],
      ['--min 0', undefined],
    ])
  })

  it.each([
    ['createPet.40', /there is no cell "createPet\.40"; did you mean createPet\.400, /],
    ['listPets.status=Sold', /did you mean listPets\.status=sold, /],
    ['assumption:list-order', /there is no cell/],
    ['x', /there is no cell "x"; expected a cell such as listPets or listPets\.200/],
    ['constructor', /there is no cell "constructor"; /],
  ])('with an unknown cell %s are a mistake, and the message names cells', (name, message) => {
    expect(() => verdictsOf({ require: [name] })).toThrow(message)
  })
})

describe('a report', () => {
  it('leaves deprecated operations out of the percentage, and rounds down', () => {
    const { tried, total, percent } = createReport(RUN)
    expect({ tried, total, percent }).toEqual({ tried: 2, total: 26, percent: 7 })
    const all = Object.fromEntries(Object.keys(NONE.cells).map((cell) => [cell, cell.startsWith('getPet') ? 0 : 1]))
    expect(createReport({ ...NONE, cells: all }).percent).toBe(100)
    expect(createReport({ ...NONE, cells: { ...all, 'listPets.401': 0 } }).percent).toBe(96)
  })

  it('counts invalid values apart, so that valid requests alone can reach 100 percent', () => {
    const isInvalid = (cell: string) => /=(?:outside|malformed)$/.test(cell)
    const valid = Object.fromEntries(Object.keys(NONE.cells).map((cell) => [cell, isInvalid(cell) ? 0 : 1]))
    expect(createReport({ ...NONE, cells: valid })).toMatchObject({ percent: 100, seen: { 'Invalid values': {} } })
    const cells = { ...NONE.cells, 'listPets.limit=malformed': 3 }
    expect(createReport({ ...NONE, cells })).toMatchObject({ tried: 0, seen: { 'Invalid values': { 'listPets.limit=malformed': 3 } } })
  })

  it('has the question behind each assumption that was used, the most used first', () => {
    expect(createReport(RUN).questions).toMatchObject([
      { id: 'unknown-path-auth', count: 9, operations: ['unknown path'] },
      {
        id: 'list-order',
        question: 'In what order are animals listed?',
        count: 4,
        choices: { 'oldest-first': 3, 'newest-first': 1 },
        operations: ['listPets'],
      },
    ])
  })

  it('says where only faults answered an operation', () => {
    const notesOf = (faults: Coverage['faults']) => createReport({ ...RUN, faults }).operations.map(({ note }) => note)
    const deprecated = 'deprecated, not in the percentage'
    expect(notesOf({ 'listPets 503': 3, 'listPets drop': 1 })).toEqual(['only faults', 'never called', deprecated])
    expect(notesOf({ 'listPets 503': 3, 'listPets delay': 1 })).toEqual(['', 'never called', deprecated])
  })
})
