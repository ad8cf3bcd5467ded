import { describe, expect, it } from 'vitest'
import type { Coverage } from './coverage.ts'
import { mergeCoverage, nameTest } from './merge.ts'
import { createTally } from './tally.ts'

const NONE = createTally().coverage()
const toPart = (change: Partial<Coverage>): Coverage => ({ ...NONE, ...change })

describe('merging', () => {
  it('adds every count, and unites the names of tests', () => {
    const left = toPart({
      requests: 2,
      cells: { ...NONE.cells, listPets: 2 },
      beside: { 'fault:listPets 503': 1, 'assumption:list-order=oldest-first listPets': 1 },
      tests: { 'list-order': ['sorts', 'lists'] },
    })
    const right = toPart({
      requests: 3,
      cells: { ...NONE.cells, listPets: 1, 'listPets.200': 1 },
      beside: { 'assumption:list-order=oldest-first listPets': 4 },
      tests: { 'list-order': ['lists'], paging: ['pages'] },
    })
    expect(mergeCoverage([left, right])).toEqual({
      ...NONE,
      requests: 5,
      cells: { ...NONE.cells, listPets: 3, 'listPets.200': 1 },
      beside: { 'assumption:list-order=oldest-first listPets': 5, 'fault:listPets 503': 1 },
      tests: { 'list-order': ['lists', 'sorts'], paging: ['pages'] },
    })
    expect(JSON.stringify(mergeCoverage([left, right]))).toBe(JSON.stringify(mergeCoverage([right, left])))
  })

  it('takes a name like __proto__ for a name', () => {
    const odd = toPart({ beside: JSON.parse('{"__proto__":1,"constructor":2}') })
    expect(Object.entries(mergeCoverage([odd, odd]).beside)).toEqual([
      ['__proto__', 2],
      ['constructor', 4],
    ])
  })

  it('changes none of its parts', () => {
    const part = Object.freeze(
      toPart({ cells: Object.freeze({ ...NONE.cells }), beside: Object.freeze({ a: 1 }), tests: Object.freeze({}) }),
    )
    expect(mergeCoverage([part, part]).beside).toEqual({ a: 2 })
    expect(part.beside).toEqual({ a: 1 })
  })

  it('stops counting where a number would no longer be exact', () => {
    const much = toPart({ requests: Number.MAX_SAFE_INTEGER - 1, beside: { a: Number.MAX_SAFE_INTEGER - 1 } })
    const { requests, beside } = mergeCoverage([much, much])
    expect([requests, beside]).toEqual([Number.MAX_SAFE_INTEGER, { a: Number.MAX_SAFE_INTEGER }])
  })

  it('refuses different contracts by name', () => {
    const other = toPart({ contract: 'Animal Store 2.0.0 (0123456789abcdef)' })
    expect(() => mergeCoverage([NONE, NONE, other])).toThrow(
      `part 3 covers Animal Store 2.0.0 (0123456789abcdef) and part 1 covers ${NONE.contract}; only coverage of one contract can be merged`,
    )
    expect(() => mergeCoverage([NONE, other], ['a.json', 'b.json'])).toThrow(/^b\.json covers .* and a\.json covers /)
  })

  it.each<[unknown, string]>([
    [[], 'mergeCoverage: expected a list of at least one coverage'],
    [new Array(1), 'part 1: expected coverage of animal-store-mock, got nothing'],
    [undefined, 'mergeCoverage: expected a list of at least one coverage'],
    [NONE, 'mergeCoverage: expected a list of at least one coverage'],
    [[{}], 'part 1: expected coverage of animal-store-mock, got an object'],
    [[NONE, 'text'], 'part 2: expected coverage of animal-store-mock, got "text"'],
    [[{ ...NONE, requests: -1 }], 'part 1: requests: expected an integer of at least 0, got -1'],
    [[{ ...NONE, format: 2 }], 'part 1: format: expected 1, got 2'],
    [[{ ...NONE, cells: { listPets: 'x' } }], 'part 1: cells.listPets: expected an integer of at least 0, got "x"'],
  ])('refuses %j', (parts, message) => {
    expect(() => mergeCoverage(parts as never)).toThrow(message)
  })
})

describe('the name of a test', () => {
  it('stands beside the assumptions of its requests, once', () => {
    const entries = [{ assumptions: ['list-order', 'paging'] as const }, { assumptions: ['list-order'] as const }, { assumptions: [] }]
    const once = nameTest(NONE, 'lists animals', entries)
    expect(once).toEqual({ ...NONE, tests: { 'list-order': ['lists animals'], paging: ['lists animals'] } })
    expect(nameTest(once, 'lists animals', entries)).toEqual(once)
    expect(NONE.tests).toEqual({})
  })
})
