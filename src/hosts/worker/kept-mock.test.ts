import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deploy } from '../../../test/support/worker-deployment.ts'
import { SHARED } from './world-name.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('a sandbox', () => {
  it('is written with its first response, and put on the list', async () => {
    const { ask, control, enlisted, rows } = deploy()
    expect((await ask('ann', 'GET', '/v1/pets/1')).status).toBe(200)
    expect([rows('ann', 'base').length, rows('ann', 'facts').map(({ id }) => id)]).toEqual([1, ['rest']])
    await ask('ann', 'GET', '/v1/pets/1')
    expect([await control('GET', '/sandboxes'), enlisted]).toEqual([['ann'], ['ann']])
  })

  it('notes that it is listed together with its journal; until then it asks again, which changes nothing', async () => {
    const { ask, control, enlisted, restart, rows } = deploy()
    await ask('ann', 'GET', '/v1/pets/1')
    restart()
    await ask('ann', 'GET', '/v1/pets/1')
    expect(enlisted).toEqual(['ann', 'ann'])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rows('ann', 'facts').map(({ id }) => id)).toEqual(['rest', 'listed'])
    restart()
    await ask('ann', 'GET', '/v1/pets/1')
    expect([await control('GET', '/sandboxes'), enlisted]).toEqual([['ann'], ['ann', 'ann']])
  })

  it('does not come to be by a key that is refused, nor by looking at it', async () => {
    const { ask, control, tables } = deploy({ API_KEYS: 'ann' })
    expect((await ask('ben', 'GET', '/v1/pets')).status).toBe(401)
    expect(await control('GET', '/health?sandbox=cyd')).toMatchObject({ scenario: 'default' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect([tables('ben'), tables('cyd'), await control('GET', '/sandboxes')]).toEqual([[], [], []])
    expect(await control('GET', '/requests')).toMatchObject([{ status: 401 }])
  })

  it('comes to be by a control call that changes it', async () => {
    const { control, restart } = deploy()
    await control('PUT', '/clock?sandbox=ann', { now: '2030-12-04T12:00:00Z', frozen: true })
    expect(await control('GET', '/sandboxes')).toEqual(['ann'])
    restart()
    expect(await control('GET', '/clock?sandbox=ann')).toMatchObject({ now: '2030-12-04T12:00:00.000Z', frozen: true })
  })

  it('starts from the scenario of the shared world as that is then, and goes its own way', async () => {
    const { ask, control, restart } = deploy()
    await ask('early', 'GET', '/v1/pets')
    await control('PUT', '/scenario', { name: 'sold-out' })
    for (const [key, name] of [
      ['early', 'default'],
      ['late', 'sold-out'],
    ] as const) {
      expect(await control('GET', `/health?sandbox=${key}`)).toMatchObject({ scenario: name })
    }
    restart()
    expect(await control('GET', '/health?sandbox=early')).toMatchObject({ scenario: 'default' })
    expect(await control('GET', '/health?sandbox=later')).toMatchObject({ scenario: 'sold-out' })
  })

  it('starts from that too if somebody has looked at it before', async () => {
    const { ask, control } = deploy()
    await control('GET', '/health?sandbox=ann')
    await control('PUT', '/scenario', { name: 'empty' })
    expect(await control('GET', '/health?sandbox=ann')).toMatchObject({ scenario: 'empty' })
    await control('PUT', '/scenario', { name: 'single' })
    expect((await ask('ann', 'GET', '/v1/pets')).value).toHaveLength(1)
    await control('PUT', '/scenario', { name: 'empty' })
    expect((await ask('ann', 'GET', '/v1/pets')).value).toHaveLength(1)
  })

  it('that refuses its own key leaves the answer to the shared world, awake or not', async () => {
    const { control, fetch, restart } = deploy({ NOW: '2030-12-04', FROZEN: '1' })
    const assume = { 'error-codes': 'snake', 'unknown-path-auth': 'unauthorized' }
    await control('PUT', '/state?sandbox=ann', { pets: [], apiKeys: ['ben'], now: '2031-01-01', frozen: true, assume })
    const headers = { authorization: 'Bearer ann' }
    const look = async () => {
      const responses = [await fetch('/v1/pets', { headers }), await fetch('/nope', { headers })]
      return Promise.all(responses.map(async (one) => [one.status, one.headers.get('date'), await one.json()]))
    }
    const before = await look()
    expect(before).toMatchObject([
      [401, 'Wed, 04 Dec 2030 00:00:00 GMT', { code: 'Unauthorized', message: 'Invalid API key' }],
      [404, 'Wed, 04 Dec 2030 00:00:00 GMT', { code: 'NotFound' }],
    ])
    await vi.advanceTimersByTimeAsync(1_000)
    restart()
    expect(await look()).toEqual(before)
    const asked = [{ status: 401 }, { status: 404 }, { status: 401 }, { status: 404 }]
    expect(await control('GET', '/requests')).toMatchObject(asked)
    expect(await control('GET', '/requests?sandbox=ann')).toEqual([])
  })

  it('is counted in the response to the call that creates it', async () => {
    const { control, restart } = deploy()
    expect(await control('PUT', '/scenario?sandbox=ann', { name: 'empty' })).toMatchObject({ sandboxes: 1 })
    restart()
    expect(await control('PUT', '/scenario?sandbox=ann', { name: 'single' })).toMatchObject({ sandboxes: 1 })
    expect(await control('PUT', '/scenario?sandbox=ben', { name: 'single' })).toMatchObject({ sandboxes: 2 })
    expect(await control('GET', '/health?sandbox=cyd')).toMatchObject({ sandboxes: 2 })
  })

  it('that is removed leaves nothing, and writes nothing any more', async () => {
    const { ask, control, create, tables, rows } = deploy()
    await create('ann')
    await ask('ann', 'GET', '/v1/pets')
    await control('DELETE', '/sandboxes/ann')
    await vi.advanceTimersByTimeAsync(2_000)
    expect([tables('ann'), await control('GET', '/sandboxes')]).toEqual([[], []])
    expect(await create('ann')).toMatchObject({ status: 201, value: { id: 51 } })
    expect(rows('ann', 'pets').map(({ id }) => id)).toEqual(['51'])
  })
})

describe('animals', () => {
  it('are written before their response, and removed ones as such', async () => {
    const { control, create, restart, rows } = deploy()
    for (const id of [51, 52]) expect(await create('ann')).toMatchObject({ status: 201, value: { id } })
    expect(rows('ann', 'pets').map(({ id }) => id)).toEqual(['51', '52'])
    await control('DELETE', '/pets/51?sandbox=ann')
    await control('PATCH', '/pets/1?sandbox=ann', { name: 'Renamed' })
    expect(rows('ann', 'pets').find(({ id }) => id === '51')?.text).toBeNull()
    restart()
    expect(await control('GET', '/diff?sandbox=ann')).toMatchObject({
      pets: { added: [{ id: 52 }], changed: [{ after: { id: 1 } }], removed: [] },
    })
    expect((await create('ann')).value).toMatchObject({ id: 53 })
  })

  it('are not written again with what else changes', async () => {
    const { control, create, writes } = deploy()
    await create('ann')
    await vi.advanceTimersByTimeAsync(1_000)
    writes.length = 0
    await control('PUT', '/clock?sandbox=ann', { frozen: true })
    expect(writes).toEqual(['ann: INSERT facts rest'])
  })

  it.each([
    ['a reset', 'POST', '/reset', undefined],
    ['a load', 'PUT', '/scenario', { name: 'sold-out' }],
  ])('are forgotten by %s', async (_, method, path, body) => {
    const { control, create, rows } = deploy({ NOW: '2030-12-04', FROZEN: '1' })
    await create('ann')
    await control('DELETE', '/pets/2?sandbox=ann')
    await vi.advanceTimersByTimeAsync(1_000)
    await control(method, `${path}?sandbox=ann`, body)
    expect([rows('ann', 'pets'), rows('ann', 'journal')]).toEqual([[], []])
  })
})

describe('the journal', () => {
  it('is written within a second, all that has come in by then at once', async () => {
    const { ask, rows } = deploy()
    for (let id = 1; id <= 3; id++) await ask('ann', 'GET', `/v1/pets/${id}`)
    await vi.advanceTimersByTimeAsync(999)
    expect(rows('ann', 'journal')).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(rows('ann', 'journal').map(({ id }) => id)).toEqual([3])
    await ask('ann', 'GET', '/v1/pets/4')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rows('ann', 'journal').map(({ id }) => id)).toEqual([3, 4])
  })

  it('is emptied in the storage too, also of what was to be written', async () => {
    const { ask, control, restart, rows, writes } = deploy()
    await ask('ann', 'GET', '/v1/pets/1')
    await vi.advanceTimersByTimeAsync(1_000)
    await ask('ann', 'GET', '/v1/pets/2')
    await control('DELETE', '/requests?sandbox=ann')
    expect(rows('ann', 'journal')).toEqual([])
    writes.length = 0
    await vi.advanceTimersByTimeAsync(1_000)
    expect(writes).toEqual([])
    restart()
    expect(await control('GET', '/requests?sandbox=ann')).toEqual([])
  })

  it('of no entries is not written, and waits for nothing', async () => {
    const { ask, rows } = deploy({ JOURNAL: '0' })
    await ask('ann', 'GET', '/v1/pets/1')
    expect(vi.getTimerCount()).toBe(0)
    expect(rows('ann', 'journal')).toEqual([])
  })

  it('of requests without a key is that of the shared world', async () => {
    const { ask, control, restart, rows, tables } = deploy()
    await ask('invalid', 'GET', '/v1/pets')
    // It is not there before something is to be kept of it.
    expect(tables(SHARED)).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rows(SHARED, 'journal').map(({ id }) => id)).toEqual([1])
    restart()
    expect(await control('GET', '/requests')).toMatchObject([{ status: 401 }])
  })

  it('of every request is that of the shared world where there are no sandboxes', async () => {
    const { control, create, restart, rows } = deploy({ SANDBOX: '0' })
    await create('ann')
    await create('ben')
    await vi.advanceTimersByTimeAsync(1_000)
    expect([rows(SHARED, 'pets').map(({ id }) => id), rows(SHARED, 'journal').map(({ id }) => id)]).toEqual([['51', '52'], [2]])
    restart()
    expect(await control('GET', '/requests')).toMatchObject([{ status: 201 }, { status: 201 }])
    expect(await control('GET', '/diff')).toMatchObject({ pets: { added: [{ id: 51 }, { id: 52 }] } })
  })
})

describe('what faults and latency have counted and drawn', () => {
  it('is written before the response, and nothing is where nothing was', async () => {
    const { ask, control, restart, writes } = deploy()
    await control('POST', '/faults?sandbox=ann', { operation: 'getPet', status: 503, times: 2 })
    writes.length = 0
    expect((await ask('ann', 'GET', '/v1/pets')).status).toBe(200)
    expect(writes).toEqual([])
    expect((await ask('ann', 'GET', '/v1/pets/1')).status).toBe(503)
    expect(writes).toEqual(['ann: INSERT facts rest'])
    restart()
    expect((await ask('ann', 'GET', '/v1/pets/1')).status).toBe(503)
    expect((await ask('ann', 'GET', '/v1/pets/1')).status).toBe(200)
  })

  it('goes on from there with the next number', async () => {
    const { control, ask, restart, writes } = deploy()
    await control('PUT', '/latency?sandbox=ann', [0, 0])
    writes.length = 0
    await ask('ann', 'GET', '/v1/pets/1')
    expect(writes).toEqual(['ann: INSERT facts rest'])
    restart()
    expect(await control('GET', '/health?sandbox=ann')).toMatchObject({ scenario: 'default' })
  })
})
