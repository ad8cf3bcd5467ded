import { afterEach, expect, it, vi } from 'vitest'
import { createSql } from '../../../test/support/sql.ts'

afterEach(() => void vi.restoreAllMocks())

/** The module in a deployment with these bindings; by default its objects answer with their name. */
async function deploy(more: object = {}) {
  const get = (id: unknown) => ({ fetch: async () => new Response(`object ${id}`) })
  const env = { SANDBOXES: { idFromName: (name: string) => name, get }, ...more }
  vi.resetModules()
  vi.doMock('cloudflare:workers', () => ({ DurableObject: class {}, env }))
  const { default: router, Sandbox } = await import('./index.ts')
  return { Sandbox, ask: (headers: HeadersInit = {}) => router.fetch(new Request('http://mock/v1/pets', { headers })) }
}

it('passes a request on to the object of its sandbox', async () => {
  const { ask } = await deploy()
  expect(await (await ask({ authorization: 'Bearer ann' })).text()).toBe('object ann')
  expect(await (await ask()).text()).toBe('object  shared')
})

it('does not start with a wrong binding, and names it', async () => {
  await expect(deploy({ FROZEN: 'maybe' })).rejects.toThrow('FROZEN: expected 1 or 0, got "maybe"')
})

it('leaves bugs to the platform, which logs them', async () => {
  const idFromName = () => {
    throw new TypeError('a bug')
  }
  await expect((await deploy({ SANDBOXES: { idFromName } })).ask()).rejects.toThrow(TypeError)
})

it('answers with an error in the usual shape if an object cannot start or has ended', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const error = new Error('The storage failed: database disk image is malformed')
  const { ask } = await deploy({ SANDBOXES: { idFromName: () => '', get: () => ({ fetch: () => Promise.reject(error) }) } })
  const response = await ask()
  expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/json'])
  const message = 'The sandbox of this request does not work; see the log'
  expect(await response.json()).toEqual({ code: 'InternalServerError', message, status: 500 })
  expect(log.mock.calls).toEqual([[error]])
})

it('exports a class with every method of an object', async () => {
  const { sql, tables, deleteAll } = createSql()
  const state = { storage: { sql, deleteAll }, blockConcurrencyWhile: (run: () => unknown) => run(), abort: () => {} }
  const { Sandbox } = await deploy({ SCENARIO: '{"name":"mine","pets":[]}' })
  const object = new Sandbox(state, {})
  expect(JSON.parse(await object.base())).toMatchObject({ name: 'mine' })
  await object.enlist('ann')
  expect([...tables.keys()]).toEqual(['kept'])
  expect((await object.fetch(new Request('http://mock/v1/pets'))).status).toBe(401)
  await object.erase()
  expect([...tables.keys()]).toEqual([])
})
