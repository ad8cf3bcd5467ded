import { describe, expect, it } from 'vitest'
import { animals, rex } from '../support/animals.ts'
import { type Api, onEveryHost } from '../support/hosts.ts'

const WORKERS = 10
const keys = Array.from({ length: WORKERS }, (_, index) => `worker-${index}`)
const pip = (name: string) => ({ name, categoryId: 1, status: 'pending' as const })

/** What one worker does, and must see as if it were alone. */
async function work(api: Api, key: string): Promise<void> {
  const own = api.mock.control.sandbox(key)
  const add = async (turn: number) =>
    expect((await api.create(pip(`${key}/${turn}`), { key })).json).toEqual({
      id: 4 + turn,
      ...pip(`${key}/${turn}`),
    })
  const list = async () => (await api.ask({ target: '/v1/pets', key })).json
  await add(1)
  await add(2)
  expect(await list()).toEqual([
    ...animals,
    { id: 5, ...pip(`${key}/1`) },
    { id: 6, ...pip(`${key}/2`) },
  ])
  own.clock.set('2030-12-06')
  expect((await api.ask({ target: '/v1/pets/5', key })).status).toBe(404)
  own.faults.add({ operation: 'createPet', status: 400, times: 1 })
  expect((await api.create(pip('unlucky'), { key })).status).toBe(400)
  expect(
    own.requests().map(({ operation, status, faults }) => [operation, status, ...faults]),
  ).toEqual([
    ['createPet', 201],
    ['createPet', 201],
    ['listPets', 200],
    ['getPet', 404],
    ['createPet', 400, '1'],
  ])
  own.reset()
  expect(own.requests()).toEqual([])
  expect(await list()).toEqual(animals)
  await add(1)
  expect((await api.ask({ target: '/v1/pets/5', key })).json).toEqual({ id: 5, ...pip(`${key}/1`) })
}

describe('with sandboxes', () => {
  onEveryHost((start, host) => {
    it('ten workers at once create, list and reset, and none sees another', async () => {
      const api = await start({ pets: animals, sandbox: true })
      const before = api.mock.control.state()
      await Promise.all(keys.map((key) => work(api, key)))
      expect(api.mock.control.sandboxes().sort()).toEqual([...keys].sort())
      expect(api.mock.control.state()).toEqual(before)
      expect(api.mock.control.requests()).toEqual([])
    })

    it('a world starts with the first request of its key, from the scenario that is loaded then', async () => {
      const api = await start({ pets: animals, sandbox: true })
      expect((await api.ask({ key: 'early' })).json).toEqual(animals)
      api.mock.control.load({ pets: [rex] })
      expect((await api.ask({ key: 'late' })).json).toEqual([rex])
      expect((await api.ask({ key: 'early' })).json).toEqual(animals)
      api.mock.control.sandbox('early').reset()
      expect((await api.ask({ key: 'early' })).json).toEqual(animals)
      // The worker lists them in alphabetical order: it would have to write an order of use with
      // every request.
      expect(api.mock.control.sandboxes()).toEqual(
        host === 'worker' ? ['early', 'late'] : ['late', 'early'],
      )
    })

    it('a key that is not listed gets 401, whatever is done in its sandbox, until a scenario that lists it is loaded there', async () => {
      const api = await start({ pets: animals, apiKeys: ['listed-key'], sandbox: true })
      const own = api.mock.control.sandbox('other-key')
      own.pets.add({ name: 'Rex', categoryId: 1 })
      expect((await api.ask({ key: 'other-key' })).status).toBe(401)
      own.load({ pets: [rex], apiKeys: ['other-key'] })
      expect((await api.ask({ key: 'other-key' })).json).toEqual([rex])
      expect((await api.ask({ key: 'listed-key' })).json).toEqual(animals)
    })

    it('a request without a valid key belongs to the shared state', async () => {
      const api = await start({ pets: animals, sandbox: true })
      await api.ask({ key: null })
      await api.ask({ key: 'invalid' })
      expect(api.mock.control.sandboxes()).toEqual([])
      // The worker does not log a refused key that has no sandbox.
      expect(api.mock.control.requests().map(({ status }) => status)).toEqual(
        host === 'worker' ? [401] : [401, 401],
      )
    })

    it('a sandbox that was removed starts again', async () => {
      const api = await start({ pets: animals, sandbox: true })
      await api.create(pip('gone'), { key: 'a' })
      expect(api.mock.control.removeSandbox('a')).toBe(true)
      expect(api.mock.control.removeSandbox('a')).toBe(false)
      expect((await api.ask({ key: 'a' })).json).toEqual(animals)
    })
  })
})

describe('without sandboxes', () => {
  onEveryHost((start) => {
    it('every key is in the one world', async () => {
      const api = await start({ pets: animals })
      await api.create(pip('seen'), { key: 'a' })
      expect((await api.ask({ key: 'b' })).json).toHaveLength(5)
      expect(api.mock.control.sandboxes()).toEqual([])
      expect(() => api.mock.control.sandbox('a')).toThrow(
        'Sandboxes are off; start the mock with --sandbox, or sandbox: true',
      )
    })
  })
})
