import { expect, it } from 'vitest'
import { findFolds, splitLine } from './code-lines.ts'

it('an object and a list of several lines fold, nested ones too', () => {
  const lines = ['[', '  {', '    "a": [],', '    "b": [', '      1', '    ]', '  },', '  {}', ']']
  expect([...findFolds(lines)]).toEqual([
    [3, 5],
    [1, 6],
    [0, 8],
  ])
})

it('what is cut does not fold', () => {
  expect([...findFolds(['[', '  {', '    "id": 1'])]).toEqual([])
})

it('the words of JSON have colours, and other text has none', () => {
  const tones = (line: string) => splitLine(line, []).map(({ text, tone }) => `${tone}:${text}`)
  expect(tones('  "id": 12,')).toEqual([':  ', 'accent:"id":', ': ', 'change:12', ':,'])
  expect(tones('date: today')).toEqual([':date: today'])
})

it('a hit is marked in any case of its letters, also across a name and its value', () => {
  const hits = (line: string, word: string) =>
    splitLine(line, [word])
      .filter((part) => part.isHit)
      .map((part) => part.text)
      .join('')
  expect(hits('  "name": "Rex"', 'rex')).toBe('Rex')
  expect(hits('  "name": "Rex"', '"name": "R')).toBe('"name": "R')
  expect(hits('rex Rex', 'REX')).toBe('rexRex')
  expect(hits('rex', '')).toBe('')
})
