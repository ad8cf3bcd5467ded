// What the control API does over HTTP, beyond the conversations in test/transcripts.
import { describe, expect, it } from 'vitest'
import { version } from '../../src/generated/version.ts'
import { animals, rex } from '../support/animals.ts'
import { type ControlClient, startControl } from '../support/control-client.ts'

const FROZEN = { now: '2026-11-15T08:30:00.000Z', frozen: true }
const situation = { scenario: { name: 'zoo', description: 'Four animals', pets: animals, ...FROZEN } }
const health = (scenario: string, pets: number) => ({ version, scenario, pets, byStatus: expect.anything() })

describe('requests', () => {
  async function startWithTraffic(): Promise<ControlClient> {
    const client = await startControl(situation)
    await client.call('/v1/pets')
    await client.call('/v1/pets', 'spec-key', { name: 'Pip', categoryId: 1 })
    await client.call('/v1/pets/99')
    await client.call('/pets')
    await client.call('/v1/pets?limit=0')
    return client
  }

  it('have the request, its response and the reason', async () => {
    const { ask, call } = await startControl(situation)
    await call('/v1/pets/1', 'a-long-key')
    expect((await ask('/requests')).json).toEqual([
      {
        id: 1,
        sandbox: null,
        at: FROZEN.now,
        realAt: expect.stringMatching(/^\d{4}-.*Z$/),
        method: 'GET',
        target: '/v1/pets/1',
        operation: 'getPet',
        outcome: 'sent',
        status: 200,
        assumptions: ['sunset-header'],
        faults: [],
        surprises: [],
        problems: [],
        notes: expect.any(Array),
        error: null,
        durationMs: expect.any(Number),
        key: '…-key',
        request: { headers: { host: expect.any(String), authorization: 'Bearer …-key', connection: expect.any(String) }, body: '' },
        response: { headers: expect.objectContaining({ 'Content-Type': 'application/json' }), body: JSON.stringify(rex) },
      },
    ])
  })

  it.each<[query: string, ids: number[]]>([
    ['', [1, 2, 3, 4, 5]],
    ['?operation=listPets', [1, 5]],
    ['?operation=createPet', [2]],
    ['?status=404', [3, 4]],
    ['?method=POST', [2]],
    ['?method=post', [2]],
    ['?limit=2', [4, 5]],
    ['?limit=0', []],
    ['?operation=listPets&status=400&method=GET&limit=9', [5]],
  ])('are filtered by %j', async (query, ids) => {
    const { ask } = await startWithTraffic()
    expect(((await ask(`/requests${query}`)).json as { id: number }[]).map(({ id }) => id)).toEqual(ids)
  })

  it('do not include calls of the control API', async () => {
    const { ask, write, poke, mock } = await startControl(situation)
    await ask('/state')
    await ask('/nowhere')
    await ask({ path: '/state', headers: { origin: 'https://example.com' } })
    await ask({ path: '/state', headers: { host: 'example.com' } })
    await ask({ path: '/state', headers: { expect: 'magic' } })
    await write('PUT', '/state', ' '.repeat(6 * 2 ** 20))
    await poke('PATCH', '/state')
    await write('PUT', '/clock', {})
    expect(mock.control.requests()).toEqual([])
  })
})

describe('the contract', () => {
  it('is served with the address of the mock as its server', async () => {
    const { ask, port } = await startControl()
    const { openapi } = await import('../../src/generated/openapi.ts')
    const served = { ...openapi, servers: [{ url: `http://127.0.0.1:${port}/v1`, description: 'This mock' }] }
    expect((await ask('/openapi.json')).json).toEqual(served)
    const { json: elsewhere } = await ask({ path: '/openapi.json', headers: { host: `animals.localhost:${port}` } })
    expect(elsewhere).toMatchObject({ servers: [{ url: `http://animals.localhost:${port}/v1` }] })
  })
})

describe('?sandbox=', () => {
  it('addresses that sandbox alone', async () => {
    const { ask, write, poke, call } = await startControl({ ...situation, sandbox: true })
    const shared = await ask('/state')
    const other = await ask('/state?sandbox=other')
    await write('PUT', '/scenario?sandbox=mine', { name: 'empty' })
    await write('PUT', '/clock?sandbox=mine', { now: '2030-12-06', frozen: true })
    await write('PUT', '/assumptions?sandbox=mine', { 'removed-answer': 'gone' })
    await write('POST', '/faults?sandbox=mine', { operation: 'createPet', status: 503 })
    expect((await call('/v1/pets', 'mine')).json).toEqual([])
    expect((await call('/v1/pets/1', 'mine')).status).toBe(410)
    expect((await call('/v1/pets', 'mine', { name: 'Pip', categoryId: 1 })).status).toBe(503)
    expect((await ask('/requests?sandbox=mine')).json).toMatchObject([{ status: 200 }, { status: 410 }, { status: 503, faults: ['1'] }])
    expect((await ask('/health?sandbox=mine')).json).toEqual({ ...health('empty', 0), sandboxes: 1 })
    expect((await ask('/clock?sandbox=mine')).json).toEqual({ now: '2030-12-06T00:00:00.000Z', frozen: true })
    expect((await ask('/faults?sandbox=mine')).json).toMatchObject([{ id: '1', applied: 1 }])
    expect((await ask('/assumptions?sandbox=mine')).json).toContainEqual(
      expect.objectContaining({ id: 'removed-answer', choice: 'gone', uses: 1 }),
    )

    expect((await ask('/state')).text).toBe(shared.text)
    expect((await ask('/state?sandbox=other')).text).toBe(other.text)
    expect((await ask('/requests')).json).toEqual([])
    expect((await call('/v1/pets/1', 'other')).json).toEqual(rex)

    await poke('POST', '/reset?sandbox=mine')
    expect((await ask('/health?sandbox=mine')).json).toEqual({ ...health('empty', 0), sandboxes: 2 })
    expect((await ask('/faults?sandbox=mine')).json).toEqual([])
    expect((await ask('/sandboxes')).json).toEqual(['other', 'mine'])
    expect(await poke('DELETE', '/sandboxes/mine')).toMatchObject({ status: 204 })
    expect((await ask('/sandboxes')).json).toEqual(['other'])
    expect(await poke('DELETE', '/sandboxes/mine')).toMatchObject({ status: 404, json: { message: 'Sandbox mine not found' } })
    expect((await call('/v1/pets', 'mine')).json).toEqual(animals)
  })
})
