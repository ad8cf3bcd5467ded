import { describe, expect, it } from 'vitest'
import { toCall } from '../../../test/support/call.ts'
import { toneOf } from '../../control/rows/reasons.ts'
import { createMock } from '../../mock/mock.ts'
import { causesOf, describeResult, findAdded, markLines, tellingAssumptions } from './explain.ts'

/** The log of a mock that got these requests. */
function log(
  requests: readonly {
    method?: string
    target?: string
    body?: string
    headers?: Readonly<Record<string, string>>
  }[],
) {
  const mock = createMock({ pets: [], assume: { 'unknown-fields': 'reject' } })
  for (const { method = 'GET', target = '/v1/pets', body, headers } of requests) {
    mock.answer(toCall(method, target, body, 'any-key', headers))
  }
  return { rows: mock.control.requests() }
}

const post = (body: string) => ({ method: 'POST', body })

describe('the explanation of a request', () => {
  const first = (request: Parameters<typeof log>[0][number]) => {
    const { rows } = log([request])
    const [row] = rows
    if (!row) throw new Error('A row expected')
    return { row, tone: toneOf(row), causes: causesOf(row), marks: markLines(row) }
  }

  it.each([
    ['a number in quotes', post('{"name":"x","categoryId":"9"}'), [{ field: 'categoryId' }]],
    ['a missing field', post('{"categoryId":1}'), [{}]],
    [
      'two problems',
      post('{"categoryId":"x","status":1}'),
      [{}, { field: 'categoryId' }, { field: 'status' }],
    ],
    ['an unknown field', post('{"name":"x","categoryId":1,"colour":"red"}'), [{ field: 'colour' }]],
    ['broken JSON', post('{\n"name":,}'), [{ line: 2 }]],
    ['an unknown path', { target: '/v1/dogs' }, []],
    ['no key', { headers: { authorization: '' } }, []],
  ])('marks the lines that are wrong, for %s', (_, request, marks) => {
    const explained = first(request)
    expect(explained.marks).toMatchObject(marks)
    expect(explained.tone).not.toBe('good')
  })

  it('names the id of an added animal', () => {
    const { row, tone, causes } = first(post('{"name":"x","categoryId":1}'))
    expect([findAdded(row)?.id, tone]).toEqual([1, 'good'])
    expect(causes).toMatchObject([{ text: '"x" → animal 1' }])
  })

  it.each([
    [{ target: '/v1/pets' }, '2 animals'],
    [{ target: '/v1/pets?status=sold' }, '1 sold animal'],
    [{ target: '/v1/pets/1' }, '"Rex", sold'],
    [{ method: 'HEAD', target: '/v1/pets' }, 'no body'],
  ])('says what %j got, where there is no other reason', (request, text) => {
    const mock = createMock({
      pets: [
        { id: 1, name: 'Rex', categoryId: 1, status: 'sold' },
        { id: 2, name: 'Mia', categoryId: 1 },
      ],
    })
    const { method = 'GET', target } = { method: 'GET', ...request }
    mock.answer(toCall(method, target, undefined, 'any-key'))
    const [row] = mock.control.requests()
    expect(row && describeResult(row)).toBe(text)
  })

  it('says that the request itself asked for the fault, and quotes its header', () => {
    const { causes, tone } = first({ headers: { prefer: 'code=503' } })
    expect(causes).toMatchObject([
      { chip: 'your request', text: expect.stringContaining('code=503') },
    ])
    expect(tone).toBe('bad')
  })

  it('is green for a response that was only delayed', () => {
    const { tone, causes } = first({ headers: { prefer: 'delay=1' } })
    expect([tone, causes[0]?.chip]).toEqual(['good', 'your request'])
  })

  it('has the reason before a surprise, which has the name of its kind', () => {
    const { row } = first(post('{"name":5}'))
    const causes = causesOf({ ...row, surprises: ['delay@createPet#1', 'error-words@createPet#1'] })
    expect(causes.map(({ chip }) => chip)).toEqual([undefined, 'surprise'])
    expect(causes.at(-1)?.text).toBe('delay, error-words')
  })

  it('says how often a fault has struck, also after the fault is removed', () => {
    const mock = createMock({ faults: [{ operation: 'listPets', status: 503, times: 3 }] })
    for (let index = 0; index < 2; index++) mock.answer(toCall('GET', '/v1/pets'))
    const rows = mock.control.requests()
    mock.control.faults.clear()
    const texts = rows.map((row) => causesOf(row)[0]?.text)
    expect(texts).toEqual([expect.stringMatching(/1 of 3$/), expect.stringMatching(/2 of 3$/)])
  })

  it('mentions an assumption only if another choice would change the status or the animals', () => {
    const { rows } = log([
      post('{"name":"a","categoryId":1}'),
      post('{"name":"b","categoryId":1}'),
      { target: '/v1/pets?limit=0' },
      {},
    ])
    expect(rows.map(tellingAssumptions)).toEqual([
      ['default-status'],
      ['default-status'],
      ['invalid-query'],
      [],
    ])
    expect(rows.at(-1)?.assumptions).toEqual(['list-order'])
  })
})
