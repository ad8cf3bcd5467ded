import { afterEach, expect, it, vi } from 'vitest'
import { createSql } from '../../../test/support/sql.ts'
import router, { Sandbox } from './index.ts'

vi.mock('cloudflare:workers', () => ({ DurableObject: class {}, env: undefined }))

afterEach(() => void vi.restoreAllMocks())

/** Bindings whose objects answer with their name. */
const toBindings = (more: object) => ({
  SANDBOXES: { idFromName: (name: string) => name, get: (id: unknown) => ({ fetch: async () => new Response(`object ${id}`) }) },
  ...more,
})
const ask = async (bindings: object, headers: HeadersInit = {}) =>
  router.fetch(new Request('http://mock/v1/pets', { headers }), bindings as Record<string, unknown>)

it('passes a request on to the object of its sandbox', async () => {
  expect(await (await ask(toBindings({}), { authorization: 'Bearer ann' })).text()).toBe('object ann')
  expect(await (await ask(toBindings({}))).text()).toBe('object  shared')
})

it('names what is wrong with a deployment in its responses and in the log', async () => {
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

it('leaves bugs to the platform, which logs them', async () => {
  const sandboxes = {
    idFromName() {
      throw new TypeError('a bug')
    },
  }
  await expect(ask(toBindings({ SANDBOXES: sandboxes }))).rejects.toThrow(TypeError)
})

it('answers with an error in the usual shape if an object cannot start or has ended', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const error = new Error('The storage failed: database disk image is malformed')
  const response = await ask(toBindings({ SANDBOXES: { idFromName: () => '', get: () => ({ fetch: () => Promise.reject(error) }) } }))
  expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/json'])
  const message = 'The sandbox of this request does not work; see the log'
  expect(await response.json()).toEqual({ code: 'InternalServerError', message, status: 500 })
  expect(log.mock.calls).toEqual([[error]])
})

it('exports a class with every method of an object', async () => {
  const { sql, tables, deleteAll } = createSql()
  const state = { storage: { sql, deleteAll }, blockConcurrencyWhile: (run: () => unknown) => run(), abort: () => {} }
  const object = new Sandbox(state, toBindings({ SCENARIO: '{"name":"mine","pets":[]}' }))
  expect(JSON.parse(await object.base())).toMatchObject({ name: 'mine' })
  await object.enlist('ann')
  expect([await object.count(), [...tables.keys()]]).toEqual([1, ['kept']])
  expect((await object.fetch(new Request('http://mock/v1/pets'))).status).toBe(401)
  await object.erase()
  expect([...tables.keys()]).toEqual([])
})

it('does not start with a wrong binding', async () => {
  vi.resetModules()
  vi.doMock('cloudflare:workers', () => ({ DurableObject: class {}, env: toBindings({ FROZEN: 'maybe' }) }))
  await expect(import('./index.ts')).rejects.toThrow('FROZEN: expected 1 or 0, got "maybe"')
})
