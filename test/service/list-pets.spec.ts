import { expect, it } from 'vitest'
import { animals, bello, coco, herd, misty, rex } from '../support/animals.ts'
import { onEveryHost } from '../support/hosts.ts'

const LIMIT = 'limit: expected an integer from 1 to 100, got '
const STATUS = 'status: expected available, pending or sold, got '

/** Every way to get a parameter wrong, with what the message says of it. */
const invalid: [query: string, message: string][] = [
  ['limit=0', `${LIMIT}0`],
  ['limit=101', `${LIMIT}101`],
  ['limit=-1', `${LIMIT}-1`],
  ['limit=abc', `${LIMIT}"abc"`],
  ['limit=1.0', `${LIMIT}"1.0"`],
  ['limit=1e1', `${LIMIT}"1e1"`],
  ['limit=0x10', `${LIMIT}"0x10"`],
  ['limit=+5', `${LIMIT}" 5"`],
  ['limit=%2B5', `${LIMIT}"+5"`],
  ['limit=%205', `${LIMIT}" 5"`],
  ['limit=005', `${LIMIT}"005"`],
  ['limit=', `${LIMIT}""`],
  ['limit', `${LIMIT}""`],
  ['limit=%D9%A5', `${LIMIT}"٥"`],
  ['limit=1,2', `${LIMIT}"1,2"`],
  ['limit=1&limit=2', `${LIMIT}2 values`],
  ['limit=9223372036854775808', `${LIMIT}"9223372036854775808"`],
  ['status=gone', `${STATUS}"gone"`],
  ['status=Available', `${STATUS}"Available"`],
  ['status=', `${STATUS}""`],
  ['status=sold&status=sold', `${STATUS}2 values`],
  ['status=sold%20', `${STATUS}"sold "`],
  ['limit=0&status=gone', `${LIMIT}0; ${STATUS}"gone"`],
]

onEveryHost((start) => {
  it('lists animals by ascending id', async () => {
    const api = await start({ pets: [bello, misty, coco, rex] })
    const answer = await api.ask('/v1/pets')
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(
      '[{"id":1,"name":"Rex","categoryId":1,"status":"available"},{"id":2,"name":"Misty","categoryId":2,"status":"sold"},' +
        '{"id":3,"name":"Coco","categoryId":3},{"id":4,"name":"Bello","categoryId":1,"status":"available"}]',
    )
  })

  it('lists nothing as an empty array', async () => {
    const api = await start({ pets: [] })
    expect(await api.ask('/v1/pets')).toMatchObject({ status: 200, text: '[]' })
  })

  it('lists 20 animals by default, and as many as the limit allows', async () => {
    const api = await start({ pets: herd(150) })
    const count = async (target: string) => ((await api.ask(target)).json as unknown[]).length
    expect(await count('/v1/pets')).toBe(20)
    expect(await count('/v1/pets?limit=1')).toBe(1)
    expect(await count('/v1/pets?limit=100')).toBe(100)
    expect(await count('/v1/pets?limit=%31%30')).toBe(10)
  })

  it('keeps only the animals of the status asked for, up to the limit', async () => {
    const api = await start({ pets: animals })
    expect((await api.ask('/v1/pets?status=available')).json).toEqual([rex, bello])
    expect((await api.ask('/v1/pets?status=available&limit=1')).json).toEqual([rex])
    expect((await api.ask('/v1/pets?status=sold')).json).toEqual([misty])
    expect((await api.ask('/v1/pets?status=pending')).json).toEqual([])
  })

  it('shows an added animal at the end, and under its status', async () => {
    const api = await start({ pets: animals })
    const { json } = await api.create({ name: 'Pip', categoryId: 9, status: 'sold' })
    expect((await api.ask('/v1/pets')).json).toEqual([...animals, json])
    expect((await api.ask('/v1/pets?status=sold')).json).toEqual([misty, json])
  })

  it.each(invalid)('refuses ?%s', async (query, message) => {
    const api = await start({ pets: animals })
    const answer = await api.ask(`/v1/pets?${query}`)
    expect(answer.json).toEqual({ code: 'BadRequest', message, status: 400 })
    expect(answer.headers['x-mock-assumption']).toBe('invalid-query')
  })

  it('names them in the request log where the request is refused for something else, too', async () => {
    const api = await start({ pets: animals })
    expect((await api.ask('/v1/pets?limit=0&page=2&foo=1')).status).toBe(400)
    expect((await api.ask('/v1/pets/one?foo=1')).status).toBe(404)
    const seen = api.mock.control.requests().map(({ notes, assumptions }) => [notes, assumptions])
    const note = (name: string) => `"${name}" is not part of the API and was ignored`
    expect(seen).toEqual([
      [[note('page'), note('foo')], ['invalid-query']],
      [[note('foo')], ['sunset-header', 'invalid-pet-id']],
    ])
  })

  it('ignores parameters that are not part of the interface, and says so in the request log', async () => {
    const api = await start({ pets: animals })
    const answer = await api.ask('/v1/pets?page=2&Limit=1&sort=name')
    expect(answer.json).toEqual(animals)
    const [entry] = api.mock.control.requests()
    expect(entry?.assumptions).toEqual(['paging', 'list-order'])
    expect(entry?.notes).toEqual(['page', 'Limit', 'sort'].map((name) => `"${name}" is not part of the API and was ignored`))
  })

  it('has nothing to say about its own parameters', async () => {
    const api = await start({ pets: animals })
    await api.ask('/v1/pets?limit=2&status=available')
    expect(api.mock.control.requests()[0]).toMatchObject({ assumptions: ['list-order'], notes: [] })
  })

  it('names a question once, however often it comes up', async () => {
    const api = await start({ pets: animals, assume: { 'invalid-query': 'ignore' } })
    await api.ask('/v1/pets?limit=0&status=gone&page=1&offset=2')
    expect(api.mock.control.requests()[0]?.assumptions).toEqual(['invalid-query', 'paging', 'list-order'])
  })

  it('tells the pages of strange statuses apart, with invalid-query=clamp', async () => {
    const api = await start({ pets: animals, assume: { 'invalid-query': 'clamp' } })
    for (const status of ['undefined', '', 'null']) expect((await api.ask(`/v1/pets?status=${status}`)).text).toBe('[]')
    expect((await api.ask('/v1/pets')).json).toEqual(animals)
  })

  it.each([
    ['clamp', 'limit=0', 1],
    ['clamp', 'limit=101', 100],
    ['clamp', 'limit=-7', 1],
    ['clamp', 'limit=abc', 20],
    ['clamp', 'limit=99999999999999999999', 100],
    ['clamp', 'status=gone', 0],
    ['ignore', 'limit=0', 20],
    ['ignore', 'limit=101', 20],
    ['ignore', 'status=gone', 20],
    ['ignore', 'limit=3&limit=4', 20],
  ] as const)('with invalid-query=%s, ?%s lists %i', async (choice, query, count) => {
    const api = await start({ pets: herd(150), assume: { 'invalid-query': choice } })
    const answer = await api.ask(`/v1/pets?${query}`)
    expect(answer.status).toBe(200)
    expect(answer.json).toHaveLength(count)
    expect(answer.headers).not.toHaveProperty('x-mock-assumption')
    expect(api.mock.control.requests()[0]?.assumptions).toContain('invalid-query')
  })

  it('lists by descending id with list-order=newest-first', async () => {
    const api = await start({ pets: animals, assume: { 'list-order': 'newest-first' } })
    const { json } = await api.create({ name: 'Pip', categoryId: 9 })
    expect((await api.ask('/v1/pets')).json).toEqual([json, bello, coco, misty, rex])
    expect((await api.ask('/v1/pets?limit=2')).json).toEqual([json, bello])
    expect((await api.ask('/v1/pets?status=available&limit=1')).json).toEqual([bello])
  })
})
