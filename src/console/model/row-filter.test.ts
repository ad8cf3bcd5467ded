import { describe, expect, it } from 'vitest'
import { toCall } from '../../../test/support/call.ts'
import { createMock } from '../../mock/mock.ts'
import { createFilter } from './row-filter.ts'

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
  ])('with %j shows %i of four requests', (query, amount) => {
    expect(rows.filter(createFilter(query))).toHaveLength(amount)
  })
})
