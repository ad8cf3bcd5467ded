import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readQuery } from '../contract/address.ts'
import { parseParameters } from './target.ts'

describe('the parameters of a query', () => {
  it.each<[query: string, parameters: [string, string][]]>([
    ['', []],
    [
      'limit=5&status=sold',
      [
        ['limit', '5'],
        ['status', 'sold'],
      ],
    ],
    [
      'a+b=c+%2B&&a',
      [
        ['a b', 'c +'],
        ['a', ''],
      ],
    ],
    [
      '?a=b=c&=',
      [
        ['?a', 'b=c'],
        ['', ''],
      ],
    ],
    ['%EF%BB%BFa=%C3%A9', [['\ufeffa', 'é']]],
  ])('%s', (query, parameters) => expect(parseParameters(query)).toEqual(parameters))

  it('are those that the platform reads, if the encoding is valid', () => {
    const word = fc.constantFrom(
      'a',
      '=',
      '&',
      '+',
      '?',
      '%20',
      '%26',
      '%3D',
      '%C3%A9',
      '__proto__',
    )
    const queries = fc.array(word).map((words) => words.join(''))
    fc.assert(
      fc.property(queries, (query) => {
        expect(parseParameters(query)).toEqual(readQuery(query))
      }),
    )
  })

  it('are refused if the encoding is invalid', () => {
    for (const query of ['a=%zz', '%', 'a&b=%C3', 'a=%FF']) {
      expect(() => parseParameters(query)).toThrow('invalid percent-encoding')
    }
  })
})
