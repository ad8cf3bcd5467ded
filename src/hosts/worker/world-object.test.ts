import { expect, it } from 'vitest'
import { readBindings } from './bindings.ts'
import type { ObjectState, WorldObject } from './platform.ts'
import { createWorldObject } from './world-object.ts'

/** An object with a storage that only notes what is written, and the ids of the animals that are. */
function create() {
  const ids: unknown[] = []
  const state: ObjectState = {
    storage: {
      sql: {
        exec(query, ...values) {
          if (query.startsWith('INSERT') && values[0] === 'pets') ids.push(values[1])
          return []
        },
      },
      deleteAll: async () => {},
    },
    blockConcurrencyWhile: (run) => run(),
    abort: () => {},
  }
  const shared = { base: async () => settings.base, enlist: async () => {} } as unknown as WorldObject
  const settings = readBindings({ WORLDS: { idFromName: () => undefined, get: () => shared } })
  const object = createWorldObject(state, settings)
  const ask = (path: string, init: RequestInit = {}) =>
    object.fetch(
      new Request(`http://mock${path}`, { ...init, headers: { authorization: 'Bearer a-key', 'content-type': 'application/json' } }),
    )
  return { ids, ask, add: () => ask('/v1/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' }) }
}

it('neither confirms an animal nor shows it to anybody before it is written', async () => {
  const { ids, ask, add } = create()
  expect((await add()).status).toBe(201)
  expect(ids).toEqual(['51'])
  const added = add().then(({ status }) => [status, [...ids]])
  let shown: unknown
  while (shown === undefined) {
    await new Promise(setImmediate)
    const { status } = await ask('/v1/pets/52')
    if (status === 200) shown = [...ids]
  }
  expect(shown).toEqual(['51', '52'])
  expect(await added).toEqual([201, ['51', '52']])
})
