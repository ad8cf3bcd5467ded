import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deploy } from '../../../test/support/worker-deployment.ts'
import { SHARED } from './sandbox-key.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('a sandbox', () => {
  it('is written with its first response, and put on the list', async () => {
    const { ask, control, enlisted, rows } = deploy()
    expect((await ask('ann', 'GET', '/v1/pets/1')).status).toBe(200)
    expect([rows('ann', 'base').length, rows('ann', 'settings').length]).toEqual([1, 1])
    await ask('ann', 'GET', '/v1/pets/1')
    expect([await control('GET', '/sandboxes'), enlisted]).toEqual([['ann'], ['ann']])
  })

  it('asks to be listed once after each start, which changes nothing', async () => {
    const { ask, control, enlisted, restart } = deploy()
    await ask('ann', 'GET', '/v1/pets/1')
    restart()
    for (let count = 0; count < 2; count++) await ask('ann', 'GET', '/v1/pets/1')
    expect([await control('GET', '/sandboxes'), enlisted]).toEqual([['ann'], ['ann', 'ann']])
  })

  it('is not created by a key that is refused, nor by looking at it', async () => {
    const { ask, control, tables } = deploy({ API_KEY: 'ann' })
    expect((await ask('ben', 'GET', '/v1/pets')).status).toBe(401)
    expect(await control('GET', '/health?sandbox=cyd')).toMatchObject({ scenario: 'default' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect([tables('ben'), tables('cyd'), await control('GET', '/sandboxes')]).toEqual([[], [], []])
  })

  it('is created by a control call that changes it', async () => {
    const { control, restart } = deploy()
    await control('PUT', '/clock?sandbox=ann', { now: '2030-12-04T12:00:00Z', frozen: true })
    expect(await control('GET', '/sandboxes')).toEqual(['ann'])
    restart()
    expect(await control('GET', '/clock?sandbox=ann')).toMatchObject({ now: '2030-12-04T12:00:00.000Z', frozen: true })
  })

  it('starts from the scenario that the shared state has then, and keeps it', async () => {
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

  it('starts from that even if someone has looked at it before', async () => {
    const { ask, control } = deploy()
    await control('GET', '/health?sandbox=ann')
    await control('PUT', '/scenario', { name: 'empty' })
    expect(await control('GET', '/health?sandbox=ann')).toMatchObject({ scenario: 'empty' })
    await control('PUT', '/scenario', { name: 'single' })
    expect((await ask('ann', 'GET', '/v1/pets')).value).toHaveLength(1)
    await control('PUT', '/scenario', { name: 'empty' })
    expect((await ask('ann', 'GET', '/v1/pets')).value).toHaveLength(1)
  })

  it('that refuses its own key has the request in its log, after a restart too', async () => {
    const { ask, control, restart } = deploy()
    await control('PUT', '/state?sandbox=ann', { pets: [], apiKeys: ['ben'], assume: { 'error-codes': 'snake' } })
    expect(await ask('ann', 'GET', '/v1/pets')).toMatchObject({ status: 401, value: { code: 'unauthorized', message: 'Invalid API key' } })
    await vi.advanceTimersByTimeAsync(1_000)
    restart()
    expect(await control('GET', '/requests?sandbox=ann')).toMatchObject([{ status: 401, sandbox: 'ann' }])
    expect(await control('GET', '/requests')).toEqual([])
  })

  it('that is removed leaves nothing, and writes nothing more', async () => {
    const { ask, control, create, tables, rows } = deploy()
    await create('ann')
    await ask('ann', 'GET', '/v1/pets')
    await control('DELETE', '/sandboxes/ann')
    await vi.advanceTimersByTimeAsync(2_000)
    expect([tables('ann'), await control('GET', '/sandboxes')]).toEqual([[], []])
    expect(await create('ann')).toMatchObject({ status: 201, value: { id: 19 } })
    expect(rows('ann', 'pets').map(({ id }) => id)).toEqual(['19'])
  })
})

describe('animals', () => {
  it('are written before their response, and removed ones as such', async () => {
    const { control, create, restart, rows } = deploy()
    for (const id of [19, 20]) expect(await create('ann')).toMatchObject({ status: 201, value: { id } })
    expect(rows('ann', 'pets').map(({ id }) => id)).toEqual(['19', '20'])
    await control('DELETE', '/pets/19?sandbox=ann')
    await control('PATCH', '/pets/1?sandbox=ann', { name: 'Renamed' })
    expect(rows('ann', 'pets').find(({ id }) => id === '19')?.text).toBeNull()
    restart()
    expect(await control('GET', '/diff?sandbox=ann')).toMatchObject({
      pets: { added: [{ id: 20 }], changed: [{ after: { id: 1 } }], removed: [] },
    })
    expect((await create('ann')).value).toMatchObject({ id: 21 })
  })

  it('are not written again with what else changes', async () => {
    const { control, create, writes } = deploy()
    await create('ann')
    await vi.advanceTimersByTimeAsync(1_000)
    writes.length = 0
    await control('PUT', '/clock?sandbox=ann', { frozen: true })
    expect(writes.filter((write) => !/requests|DELETE/.test(write))).toEqual(['ann: INSERT settings '])
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
    expect([rows('ann', 'pets'), rows('ann', 'requests').map(({ id }) => id)]).toEqual([[], [3]])
  })
})

describe('the request log', () => {
  it('is written within a second, all requests until then at once', async () => {
    const { ask, rows } = deploy()
    for (let id = 1; id <= 3; id++) await ask('ann', 'GET', `/v1/pets/${id}`)
    await vi.advanceTimersByTimeAsync(999)
    expect(rows('ann', 'requests')).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(rows('ann', 'requests').map(({ id }) => id)).toEqual([1, 2, 3])
    await ask('ann', 'GET', '/v1/pets/4')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rows('ann', 'requests').map(({ id }) => id)).toEqual([1, 2, 3, 4])
  })

  it('is cleared in the storage too, with what was to be written', async () => {
    const { ask, control, restart, rows, writes } = deploy()
    await ask('ann', 'GET', '/v1/pets/1')
    await vi.advanceTimersByTimeAsync(1_000)
    await ask('ann', 'GET', '/v1/pets/2')
    await control('DELETE', '/requests?sandbox=ann')
    expect(rows('ann', 'requests').map(({ id }) => id)).toEqual([3])
    writes.length = 0
    await vi.advanceTimersByTimeAsync(1_000)
    expect(writes).toEqual([])
    restart()
    expect(await control('GET', '/requests?sandbox=ann')).toEqual([])
  })

  it('of no entries is not written, and starts no timer', async () => {
    const { ask, rows } = deploy({ REQUEST_LOG: '0' })
    await ask('ann', 'GET', '/v1/pets/1')
    expect(vi.getTimerCount()).toBe(0)
    expect(rows('ann', 'requests')).toEqual([])
  })

  it('of the shared state has the requests without a key', async () => {
    const { control, fetch, restart, rows, tables } = deploy()
    await fetch('/v1/pets')
    // Nothing is stored before there is something to store.
    expect(tables(SHARED)).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(rows(SHARED, 'requests').map(({ id }) => id)).toEqual([1])
    restart()
    expect(await control('GET', '/requests')).toMatchObject([{ status: 401 }])
  })

  it('of the shared state has every request if there are no sandboxes', async () => {
    const { control, create, restart, rows } = deploy({ SANDBOX: '0' })
    await create('ann')
    await create('ben')
    await vi.advanceTimersByTimeAsync(1_000)
    expect([rows(SHARED, 'pets').map(({ id }) => id), rows(SHARED, 'requests').map(({ id }) => id)]).toEqual([
      ['19', '20'],
      [1, 2],
    ])
    restart()
    expect(await control('GET', '/requests')).toMatchObject([{ status: 201 }, { status: 201 }])
    expect(await control('GET', '/diff')).toMatchObject({ pets: { added: [{ id: 19 }, { id: 20 }] } })
  })
})

describe('the counters of faults and the random numbers', () => {
  it('are written before the response', async () => {
    const { ask, control, restart, writes } = deploy()
    await control('POST', '/faults?sandbox=ann', { operation: 'getPet', status: 503, times: 2 })
    writes.length = 0
    expect((await ask('ann', 'GET', '/v1/pets/1')).status).toBe(503)
    expect(writes).toEqual(['ann: INSERT settings '])
    restart()
    expect((await ask('ann', 'GET', '/v1/pets/1')).status).toBe(503)
    expect((await ask('ann', 'GET', '/v1/pets/1')).status).toBe(200)
  })

  it('are written for a latency between two bounds too', async () => {
    const { control, ask, restart, writes } = deploy()
    await control('PUT', '/latency?sandbox=ann', [0, 0])
    writes.length = 0
    await ask('ann', 'GET', '/v1/pets/1')
    expect(writes).toEqual(['ann: INSERT settings '])
    restart()
    expect(await control('GET', '/health?sandbox=ann')).toMatchObject({ scenario: 'default' })
  })
})
