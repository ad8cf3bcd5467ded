import { describe, expect, it } from 'vitest'
import { toCall } from '../../../test/support/call.ts'
import { createMock } from '../../mock/mock.ts'
import { createFilter, findSnippet, findTerms, findWords, suggestWords } from './row-filter.ts'

describe('the filter of the timeline', () => {
  const mock = createMock()
  const ask = (target: string, headers = {}) =>
    mock.answer(toCall('GET', target, undefined, 'any-key', headers))
  ask('/v1/pets')
  ask('/v1/pets', { prefer: 'drop' })
  ask('/v1/pets', { prefer: 'code=503' })
  ask('/v1/pets?limit=0')
  const rows = mock.control.requests()

  it.each([
    [{}, 4],
    [{ show: '4xx' }, 1],
    [{ show: '5xx' }, 1],
    [{ show: 'dropped' }, 1],
    [{ show: 'slow' }, 0],
    [{ show: 'unknown' }, 4],
    [{ assumption: 'invalid-query' }, 1],
    [{ q: ' LIMIT=0 ' }, 1],
    [{ q: '503', show: '5xx' }, 1],
    [{ q: '4xx, limit' }, 1],
    [{ q: '4xx key:-key' }, 1],
    [{ q: 'key:z' }, 0],
    [{ q: '>60000ms' }, 0],
    [{ q: 'method:GET op:listPets' }, 4],
    [{ q: 'status:2' }, 1],
    [{ q: 'status:503' }, 1],
    [{ q: 'is:dropped' }, 1],
    [{ q: '-is:dropped -4xx' }, 2],
    [{ q: '-limit' }, 3],
    [{ q: '-' }, 4],
  ])('with %j shows %i of four requests', (query, amount) => {
    expect(rows.filter(createFilter(query))).toHaveLength(amount)
  })

  it('tells words with a meaning of their own from those that are looked for', () => {
    const query = { q: 'rex method:GET -sold 4xx' }
    expect(findWords(query)).toEqual(['rex'])
    expect(findTerms(query)).toEqual(['method:GET', '-sold', '4xx'])
  })

  it('suggests words of the rows, those of most rows first, also by their values', () => {
    const words = (typed: string) => suggestWords(rows, typed).map(({ word }) => word)
    expect(words('status:')).toEqual(['status:200', 'status:503', 'status:400'])
    expect(words('list')).toEqual(['op:listPets'])
    expect(words('-is')).toEqual(['-is:dropped'])
    expect(suggestWords(rows, 'op')).toEqual([{ word: 'op:listPets', amount: 4 }])
  })

  it('quotes the body where a row does not show what was found', () => {
    const [row] = mock.control.requests({ status: 200 })
    const name = /"name":"([^"]+)"/.exec(row?.response.body ?? '')?.[1] ?? ''
    expect(row && findSnippet(row, [name])).toContain(`"name":"${name}"`)
    expect(row && findSnippet(row, ['/v1/pets'])).toBeUndefined()
    expect(row && findSnippet(row, ['nowhere'])).toBeUndefined()
  })
})
