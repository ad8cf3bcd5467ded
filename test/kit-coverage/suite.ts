// What each of the test files does, with a store of its own: sandboxes, resets, faults and invalid requests included.
import { mockStore } from 'animal-store-mock/vitest'
import { describe, expect, it } from 'vitest'

const API = 'https://api.example.com/v1'

function ask(path: string, init: RequestInit = {}, key = 'any-key') {
  return fetch(API + path, { ...init, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } })
}

export function declareSuite(part: number): void {
  describe(`part ${part}`, () => {
    const store = mockStore({ baseUrl: API, intercept: 'fetch', coverage: 'file' })

    it('lists animals', async () => {
      expect((await ask(`/pets?limit=${part}`)).status).toBe(200)
    })

    it('adds one', async () => {
      expect((await ask('/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' })).status).toBe(201)
      store.control.reset()
      expect((await ask('/pets', { method: 'POST', body: '{}' })).status).toBe(400)
    })

    it('tries again', async () => {
      store.control.faults.add({ operation: 'listPets', status: 503, times: 1 })
      expect((await ask('/pets')).status).toBe(503)
      expect((await ask('/pets')).status).toBe(200)
    })
  })

  describe(`part ${part} with sandboxes`, () => {
    const store = mockStore({ baseUrl: API, intercept: 'fetch', coverage: 'file', sandbox: true, journal: { entries: 1 } })

    it('has one for each key', async () => {
      for (const key of ['key-1', 'key-2', 'key-3']) await ask('/pets?status=sold', {}, key)
      store.control.sandbox('key-1').reset()
      store.control.removeSandbox('key-2')
      expect((await ask('/pets/1', {}, 'key-2')).status).toBe(200)
    })
  })
}
