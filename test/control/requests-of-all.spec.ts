// The request log of all sandboxes, in one list.
import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { startControl } from '../support/control-client.ts'

describe('the requests of all sandboxes', () => {
  async function start() {
    const control = await startControl({ pets: animals, sandbox: true })
    for (const key of ['ann-key', 'bob-key', 'ann-key']) await control.call('/v1/pets', key)
    await control.call('/v1/pets/99', 'bob-key')
    await control.call('/v1/pets', 'invalid')
    return control
  }

  it('come in order, each with the key of its sandbox, over HTTP and in the library', async () => {
    const { ask, mock } = await start()
    const entries = (await ask('/requests?sandbox=*')).json as { id: number; sandbox: string | null; status: number }[]
    expect(entries.map(({ id, sandbox, status }) => [id, sandbox, status])).toEqual([
      [1, 'ann-key', 200],
      [2, 'bob-key', 200],
      [3, 'ann-key', 200],
      [4, 'bob-key', 404],
      [5, null, 401],
    ])
    expect(mock.control.requests({ sandbox: '*' })).toEqual(entries)
    expect(mock.control.sandbox('bob-key').requests()).toEqual([entries[1], entries[3]])
    expect(mock.control.requests()).toEqual([entries[4]])
  })

  it.each([
    ['limit=2', [4, 5]],
    ['limit=0', []],
    ['status=200&limit=2', [2, 3]],
    ['operation=getPet', [4]],
    ['method=get&limit=1', [5]],
  ])('are filtered by %s', async (query, ids) => {
    const { ask } = await start()
    expect(((await ask(`/requests?sandbox=*&${query}`)).json as { id: number }[]).map(({ id }) => id)).toEqual(ids)
  })

  it('are cleared together, with an event for each sandbox', async () => {
    const { ask, poke, mock } = await start()
    const heard: unknown[] = []
    mock.control.subscribe((event) => heard.push([event.type, event.sandbox]))
    expect((await poke('DELETE', '/requests?sandbox=*')).status).toBe(204)
    expect((await ask('/requests?sandbox=*')).json).toEqual([])
    expect(heard).toEqual([null, 'ann-key', 'bob-key'].map((sandbox) => ['change', sandbox]))
  })
})
