import { expect, it } from 'vitest'
import { diffLines } from './compare-bodies.ts'

it.each([
  ['a', 'a', [[], []]],
  ['{|  "a": 1|}', '{|  "a": 1,|  "b": 2|}', [[], [2]]],
  [
    '{|  "code": 1|}',
    '[|]',
    [
      [0, 1, 2],
      [0, 1],
    ],
  ],
  ['', 'a', [[0], [0]]],
  ['a|a', 'a', [[1], []]],
])(
  'diffLines of %j and %j finds the lines between what they have in common',
  (one, other, lines) => {
    expect(diffLines(one.split('|'), other.split('|'))).toEqual(lines)
  },
)
