import { describe, expect, it } from 'vitest'
import { type Coverage, mergeCoverage } from './coverage.ts'
import { createTally } from './tally.ts'

const NONE = createTally().coverage()
const toPart = (change: Partial<Coverage>): Coverage => ({ ...NONE, ...change })

describe('merging', () => {
  it('adds every count', () => {
    const left = toPart({ requests: 2, cells: { ...NONE.cells, listPets: 2 }, faults: { 'listPets 503': 1 } })
    const right = toPart({ requests: 3, cells: { ...NONE.cells, listPets: 1, 'listPets.200': 1 }, faults: { 'listPets 503': 4, x: 1 } })
    const expected = { requests: 5, cells: { ...NONE.cells, listPets: 3, 'listPets.200': 1 }, faults: { 'listPets 503': 5, x: 1 } }
    expect(mergeCoverage([left, right])).toEqual(toPart(expected))
    expect(mergeCoverage([right, left])).toEqual(toPart(expected))
  })

  it('takes a name like __proto__ for a name, and changes none of its parts', () => {
    const odd = Object.freeze(toPart({ nearMisses: Object.freeze(JSON.parse('{"__proto__":1,"constructor":2}')) }))
    expect(Object.entries(mergeCoverage([odd, odd]).nearMisses)).toEqual([
      ['__proto__', 2],
      ['constructor', 4],
    ])
  })

  it('refuses different contracts', () => {
    const other = toPart({ contract: 'Animal Store 2.0.0 (0123456789abcdef)' })
    expect(() => mergeCoverage([NONE, NONE, other])).toThrow(
      `Animal Store 2.0.0 (0123456789abcdef) and ${NONE.contract}: only coverage of one contract can be merged`,
    )
  })

  it.each<[unknown, string]>([
    [[], 'mergeCoverage: expected a list of at least one coverage'],
    [new Array(1), 'part 1 is not coverage of animal-store-mock: '],
    [undefined, 'mergeCoverage: expected a list of at least one coverage'],
    [NONE, 'mergeCoverage: expected a list of at least one coverage'],
    [[{}], 'part 1 is not coverage of animal-store-mock: '],
    [[NONE, 'text'], 'part 2 is not coverage of animal-store-mock: '],
    [[{ ...NONE, requests: -1 }], 'part 1 is not coverage of animal-store-mock: requests: expected an integer of at least 0, got -1'],
    [[{ ...NONE, format: 2 }], 'part 1 is not coverage of animal-store-mock: format: expected 1, got 2'],
    [
      [{ ...NONE, cells: { listPets: 'x' } }],
      'part 1 is not coverage of animal-store-mock: cells.listPets: expected an integer of at least 0, got "x"',
    ],
  ])('refuses %j', (parts, message) => {
    expect(() => mergeCoverage(parts as never)).toThrow(message)
  })
})
