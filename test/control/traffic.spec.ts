// The requests of all worlds in one list.
import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { startControl } from '../support/control-client.ts'

describe('the traffic of all worlds', () => {
  async function start() {
    const control = await startControl({ pets: animals, sandbox: true })
    const { call } = control
    for (const key of ['ann-key', 'bob-key', 'ann-key']) await call('/v1/pets', key)
    await call('/v1/pets/99', 'bob-key')
    await call('/v1/pets', 'invalid')
    return control
  }

  it('is in the order in which the requests were made, each with the key of its sandbox', async () => {
    const { ask, mock } = await start()
    const entries = (await ask('/traffic')).json as { id: number; sandbox: string | null; status: number }[]
    expect(entries.map(({ id, sandbox, status }) => [id, sandbox, status])).toEqual([
      [1, 'ann-key', 200],
      [2, 'bob-key', 200],
      [3, 'ann-key', 200],
      [4, 'bob-key', 404],
      [5, null, 401],
    ])
    expect(entries[3]).toEqual({ ...mock.control.sandbox('bob-key').requests()[1], sandbox: 'bob-key' })
    expect(mock.control.traffic()).toEqual(entries)
  })

  it.each([
    ['limit=2', [4, 5]],
    ['limit=0', []],
    ['status=200&limit=2', [2, 3]],
    ['operation=getPet', [4]],
    ['method=get&limit=1', [5]],
  ])('is filtered by %s, whatever world that leaves out', async (query, ids) => {
    const { ask } = await start()
    expect(((await ask(`/traffic?${query}`)).json as { id: number }[]).map(({ id }) => id)).toEqual(ids)
  })

  it('is emptied in all worlds, each of which tells of it', async () => {
    const { ask, poke, mock } = await start()
    const told: unknown[] = []
    mock.control.subscribe((event) => told.push([event.type, event.sandbox]))
    expect((await poke('DELETE', '/traffic')).status).toBe(204)
    expect((await ask('/traffic')).json).toEqual([])
    expect(mock.control.sandbox('ann-key').requests()).toEqual([])
    expect(told).toEqual([null, 'ann-key', 'bob-key'].map((sandbox) => ['change', sandbox]))
  })

  it('is refused for a filter that is none', async () => {
    const { mock, ask } = await startControl({ pets: animals })
    expect(() => mock.control.traffic('createPet' as never)).toThrowError('filter: expected an object, got "createPet"')
    expect((await ask('/traffic?key=ann-key')).status).toBe(400)
  })

  it('is the one journal of a mock without sandboxes', async () => {
    const { call, mock } = await startControl({ pets: animals })
    await call('/v1/pets')
    expect(mock.control.traffic()).toEqual([{ ...mock.control.requests()[0], sandbox: null }])
  })
})
