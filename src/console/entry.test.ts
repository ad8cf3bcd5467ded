import { describe, expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { addedId, filterEntries, mergeEntries, toneOf } from './entry.ts'
import { advise, markLines, reasonOf } from './explain.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** The log of a mock that got these requests. */
function log(requests: readonly { method?: string; target?: string; body?: string; headers?: Readonly<Record<string, string>> }[]) {
  const mock = createMock({ pets: [] })
  for (const { method = 'GET', target = '/v1/pets', body, headers } of requests) {
    const fields: Readonly<Record<string, string>> = { authorization: 'Bearer key', 'content-type': 'application/json', ...headers }
    mock.answer({ method, target, header: (name) => fields[name], body: body === undefined ? undefined : encode(body) })
  }
  return { entries: mock.control.requests(), assumptions: mock.control.assumptions() }
}

const post = (body: string) => ({ method: 'POST', body })

describe('the filter', () => {
  const { entries } = log([{}, { headers: { prefer: 'drop' } }, { headers: { prefer: 'code=503' } }, { target: '/v1/pets?limit=0' }])
  it.each([
    [{}, 4],
    [{ show: 'errors' }, 3],
    [{ show: 'faults' }, 2],
    [{ show: 'unknown' }, 4],
    [{ assumption: 'invalid-query' }, 1],
    [{ q: ' LIMIT=0 ' }, 1],
    [{ q: '503', show: 'faults' }, 1],
  ])('%j shows %i', (query, amount) => {
    expect(filterEntries(entries, query)).toHaveLength(amount)
  })
})

it('merges entries, newest first, each once', () => {
  const { entries } = log([{}, {}, {}])
  const [one, two, three] = entries
  if (!one || !two || !three) throw new Error('Three entries expected')
  expect(mergeEntries([two, one], [three, two], 2)).toEqual([three, two])
  const other = { ...one, sandbox: 'ann', realAt: '2100-01-01T00:00:00Z' }
  expect(mergeEntries([three, two], [other], 10)).toEqual([other, three, two])
})

describe('the explanation', () => {
  const first = (request: Parameters<typeof log>[0][number]) => {
    const { entries, assumptions } = log([request])
    const [entry] = entries
    if (!entry) throw new Error('An entry expected')
    return { entry, tone: toneOf(entry), title: reasonOf(entry), advice: advise(entry, [], assumptions), marks: markLines(entry) }
  }

  it.each([
    ['a number in quotes', post('{"name":"x","categoryId":"9"}'), /without quotes/, [{ field: 'categoryId' }]],
    ['a missing field', post('{"categoryId":1}'), /^$/, [{}]],
    ['two problems', post('{"categoryId":"x","status":1}'), /^$/, [{}, { field: 'categoryId' }, { field: 'status' }]],
    ['broken JSON', post('{\n"name":,}'), /^$/, [{ line: 2 }]],
    ['an unknown path', { target: '/v1/dogs' }, /\/v1\/pets/, []],
    ['no key', { headers: { authorization: '' } }, /Authorization: Bearer/, []],
    ['a preference', { headers: { prefer: 'code=503' } }, /Prefer/, []],
  ])('of %s gives advice and marks lines', (_, request, advice, marks) => {
    const explained = first(request)
    expect(explained.advice).toMatch(advice)
    expect(explained.marks).toMatchObject(marks)
    expect(explained.tone).not.toBe('good')
  })

  it('of an added animal names it', () => {
    const { entry, tone, title } = first(post('{"name":"x","categoryId":1}'))
    expect([addedId(entry), tone, title]).toEqual(['1', 'good', 'Added animal 1'])
  })
})
