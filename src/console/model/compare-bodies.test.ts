import { describe, expect, it } from 'vitest'
import { compareBodies, type DiffPart } from './compare-bodies.ts'

const REX = { id: 1, name: 'Rex' }
const MIA = { id: 2, name: 'Mia' }
const BO = { id: 3, name: 'Bo' }

/** A line for each row: equal, or what it was and what it is, with the marked words in brackets. */
function print(parts: readonly DiffPart[]): string[] {
  return parts.flatMap((part) => {
    const printWords = (words: DiffPart['rows'][number]['left']) =>
      words.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('')
    const rows = part.rows.map(({ left, right, isMarked }) =>
      isMarked ? `${printWords(left)} → ${printWords(right)}` : printWords(left),
    )
    return part.fold === undefined ? rows : [`▸ ${part.fold}`]
  })
}

function compare(one: unknown, other: unknown): string[] {
  return print(compareBodies(JSON.stringify(one), JSON.stringify(other)))
}

describe('the comparison of two bodies', () => {
  it('folds equal animals, and finds a changed one by its id', () => {
    expect(compare([REX, MIA, BO], [REX, { ...MIA, name: 'Maya' }, BO])).toEqual([
      '[',
      '▸ 1 equal animal',
      '  {',
      '    "id": 2',
      '    "name": "[Mia]" →     "name": "[Maya]"',
      '  }',
      '▸ 1 equal animal',
      ']',
    ])
  })

  it('shows an animal that is on one side only, and the others as equal', () => {
    expect(compare([REX, MIA], [MIA, BO])).toEqual([
      '[',
      '  { → ',
      '    "id": 1 → ',
      '    "name": "Rex" → ',
      '  } → ',
      '▸ 1 equal animal',
      ' →   {',
      ' →     "id": 3',
      ' →     "name": "Bo"',
      ' →   }',
      ']',
    ])
  })

  it('says that an animal has moved, and whether it has changed too', () => {
    expect(compare([REX, MIA, BO], [BO, REX, MIA])).toEqual([
      '[',
      '▸ animal 3 moved from place 3 to 1',
      '▸ 2 equal animals',
      ']',
    ])
    expect(compare([REX, MIA, BO], [{ ...BO, name: 'Bob' }, REX, MIA])).toContain(
      '▸ animal 3 moved from place 3 to 1 and changed',
    )
  })

  it('marks the words that changed in a long text', () => {
    expect(compare({ message: 'limit is too large' }, { message: 'limit is too small' })).toEqual([
      '{',
      '  "message": "limit is too [large]" →   "message": "limit is too [small]"',
      '}',
    ])
  })

  it('does not mind the order of fields', () => {
    expect(compare({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual(['{', '  "a": 1', '  "b": 2', '}'])
  })

  it('keeps every digit as it was sent', () => {
    expect(print(compareBodies('{"id":9007199254740993}', '{"id":9007199254740992}'))).toEqual([
      '{',
      '  "id": [9007199254740993] →   "id": [9007199254740992]',
      '}',
    ])
  })

  it('compares lists without ids by their places, and lists of different length by what is in them', () => {
    expect(compare([1, 2], [1, 3])).toEqual(['[', '▸ 1 equal item', '  [2] →   [3]', ']'])
    expect(compare([1, 2, 3], [2, 3])).toEqual(['[', '  1 → ', '▸ 2 equal items', ']'])
  })

  it('compares other text line by line, and folds what is equal', () => {
    const lines = ['a', 'b', 'c', 'd', 'e']
    expect(print(compareBodies([...lines, 'f'].join('\n'), [...lines, 'g'].join('\n')))).toEqual([
      '▸ 5 equal lines',
      '[f] → [g]',
    ])
  })

  it('takes a body that is cut, and one that is missing', () => {
    expect(print(compareBodies('[{"id":1', ''))).toEqual(['[{"id":1 → '])
    expect(print(compareBodies('', ''))).toEqual([])
  })
})
