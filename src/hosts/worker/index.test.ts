import { afterEach, expect, it, vi } from 'vitest'
import { createSql } from '../../../test/support/sql.ts'
import router, { World } from './index.ts'

vi.mock('cloudflare:workers', () => ({ DurableObject: class {}, env: undefined }))

afterEach(() => void vi.restoreAllMocks())

/** Bindings whose worlds answer with their name. */
const toBindings = (more: object) => ({
  WORLDS: { idFromName: (name: string) => name, get: (id: unknown) => ({ fetch: async () => new Response(`world ${id}`) }) },
  ...more,
})
const ask = async (bindings: object, headers: HeadersInit = {}) =>
  router.fetch(new Request('http://mock/v1/pets', { headers }), bindings as Record<string, unknown>)

it('passes a request on to the world that it is for', async () => {
  expect(await (await ask(toBindings({}), { authorization: 'Bearer ann' })).text()).toBe('world ann')
  expect(await (await ask(toBindings({}))).text()).toBe('world  shared')
})

it('says in its responses and in the log what is wrong with a deployment', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const response = await ask(toBindings({ FROZEN: 'maybe' }))
  expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/json'])
  const message = 'FROZEN: expected 1 or 0, got "maybe"'
  expect(await response.json()).toEqual({ code: 'InternalServerError', message, status: 500 })
  expect(log.mock.calls).toEqual([[message]])
})

it('reads the bindings of a deployment once', async () => {
  let reads = 0
  const bindings = toBindings({
    get FROZEN() {
      reads++
      return '1'
    },
  })
  await ask(bindings)
  const once = reads
  await ask(bindings)
  expect(reads).toBe(once)
})

it('passes on what is a bug, for the platform to log', async () => {
  const worlds = {
    idFromName() {
      throw new TypeError('a bug')
    },
  }
  await expect(ask(toBindings({ WORLDS: worlds }))).rejects.toThrow(TypeError)
})

it('says so in the shape of every error where a world cannot start or was given up', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const error = new Error('The storage failed: database disk image is malformed')
  const response = await ask(toBindings({ WORLDS: { idFromName: () => '', get: () => ({ fetch: () => Promise.reject(error) }) } }))
  expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/json'])
  const message = 'The world of this request does not work; see the log'
  expect(await response.json()).toEqual({ code: 'InternalServerError', message, status: 500 })
  expect(log.mock.calls).toEqual([[error]])
})

it('has worlds that can be asked everything that a world can', async () => {
  const { sql, tables, deleteAll } = createSql()
  const state = { storage: { sql, deleteAll, sync: async () => {} }, blockConcurrencyWhile: (run: () => unknown) => run(), abort: () => {} }
  const world = new World(state, toBindings({ SCENARIO: '{"name":"mine","pets":[]}' }))
  expect(JSON.parse(await world.base())).toMatchObject({ name: 'mine' })
  await world.enlist('ann')
  expect([await world.count(), [...tables.keys()]]).toEqual([1, ['keys']])
  const request = () => new Request('http://mock/v1/pets', { headers: { authorization: 'Bearer invalid' } })
  expect([(await world.fetch(request())).status, (await world.turnAway(request())).status]).toEqual([401, 401])
  await world.erase()
  expect([...tables.keys()]).toEqual([])
})

it('does not start with a wrong binding', async () => {
  vi.resetModules()
  vi.doMock('cloudflare:workers', () => ({ DurableObject: class {}, env: toBindings({ FROZEN: 'maybe' }) }))
  await expect(import('./index.ts')).rejects.toThrow('FROZEN: expected 1 or 0, got "maybe"')
})
