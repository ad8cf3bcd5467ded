import { describe, expect, it } from 'vitest'
import { findJsonLines, findJsonProblems, readJson } from './read-json.ts'

const text = `{
  "name": "a \\"quoted\\" { name, with [brackets]",
  "pets": [
    { "id": 1, "name": "Rex" },
    {
      "id": 2,
      "na\\u006de": "Bella"
    }
  ],
  "a.b[0]": {
    "c": [[], {},
      3]
  },
  "empty": {}, "last": null
}
`

describe('the lines of a JSON text', () => {
  it.each([
    ['', 1],
    ['name', 2],
    ['pets', 3],
    ['pets[0]', 4],
    ['pets[0].name', 4],
    ['pets[1]', 5],
    ['pets[1].id', 6],
    ['pets[1].name', 7],
    ['a.b[0]', 10],
    ['a.b[0].c', 11],
    ['a.b[0].c[1]', 11],
    ['a.b[0].c[2]', 12],
    ['empty', 14],
    ['last', 14],
  ])('%j is in line %i', (path, line) => {
    expect(findJsonLines(text, [path])).toEqual([line])
  })

  it.each([
    ['pets[1].status', 5],
    ['pets[7]', 3],
    ['nothing.at.all', 1],
  ])('%j, which is not there, is in the line of what is around it', (path, line) => {
    expect(findJsonLines(text, [path])).toEqual([line])
  })

  it('are found for many paths at once, in the order of the paths', () => {
    expect(findJsonLines(text, ['last', 'name', 'pets[1].id'])).toEqual([14, 2, 6])
  })
})

describe('what JSON allows and a scenario does not', () => {
  it('is a key that comes twice, wherever it is', () => {
    expect(readJson('{"a":[{"b":1,"c":{"b":1},"b":2}],"a":1}').problems).toEqual([
      { path: 'a[0].b', expected: 'each key once', got: 'it again' },
      { path: 'a', expected: 'each key once', got: 'it again' },
    ])
    expect(readJson('[{"a":1},{"a":1}]').problems).toEqual([])
  })

  it('is named a hundred times at most', () => {
    const { problems } = readJson(`{"a":1${',"a":1'.repeat(250)}}`)
    expect(problems).toHaveLength(101)
    expect(problems.at(-1)).toEqual({ path: '', more: 150 })
  })
})

it('finds keys that come twice, with space around their colons and behind an escape', () => {
  expect(findJsonProblems('{"a" :{"b" : 1 , "\\u0062"\n:2}, "c": [{"d" :1}, {"d": 1, "d" : 2}]}').map(({ path }) => path)).toEqual([
    'a.b',
    'c[1].d',
  ])
})

it('counts an empty line at the very beginning', () => {
  expect(findJsonLines('\n\n{"pets":\n[]}', ['pets'])).toEqual([3])
})
