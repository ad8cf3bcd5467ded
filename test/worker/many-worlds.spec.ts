// Many worlds at once, worlds that are evicted, and deployments that are set up wrong.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, MANY_DEPLOYMENTS, startWorkerd, type Workerd } from '../support/workerd.ts'
import { type Client, createClient, TOKEN } from './http.ts'

describe('a thousand keys at once', () => {
  it('each get a world of their own, and find it again after a kill', async () => {
    let workerd = await startWorkerd({ bindings: { CONTROL_TOKEN: TOKEN } })
    const { stop } = workerd
    const client = createClient(() => workerd.port)
    const keys = Array.from({ length: 1_000 }, (_, index) => `tester-${index}`)
    try {
      const created = await Promise.all(keys.map((key) => client.create(key, `of ${key}`)))
      expect(created.map(({ text }) => text)).toEqual(keys.map((key) => `{"id":51,"name":"of ${key}","categoryId":1}`))
      expect(((await client.control('GET', '/sandboxes')) as string[]).toSorted()).toEqual(keys.toSorted())
      await workerd.kill()
      workerd = await launch(workerd.folder)
      const found = await Promise.all(keys.map((key) => client.ask({ path: '/v1/pets/51', key })))
      expect(found.map(({ text }) => text)).toEqual(created.map(({ text }) => text))
    } finally {
      await workerd.kill()
      await stop()
    }
  })
})

describe('a world that is evicted', () => {
  let workerd: Workerd
  let client: Client
  const headers = { 'x-deployment': 'one' }

  beforeAll(async () => {
    workerd = await startWorkerd({ entry: MANY_DEPLOYMENTS })
    client = createClient(() => workerd.port)
    await client.ask({ method: 'PUT', path: '/deployments/one', body: { CONTROL_TOKEN: TOKEN } })
  })
  afterAll(() => workerd.stop())

  it.each(['tester', ' shared'])('comes back as it was: %s', async (world) => {
    const at = world === 'tester' ? '?sandbox=tester' : ''
    const control = async (method: string, path: string, body?: unknown) =>
      (await client.ask({ method, path: `/__mock${path}${at}`, key: TOKEN, body, headers })).text
    await control('POST', '/pets', { id: 77, name: 'Rex', categoryId: 1 })
    await control('PATCH', '/pets/1', { name: 'Renamed' })
    await control('DELETE', '/pets/2')
    await control('PUT', '/clock', { now: '2030-12-04T12:00:00Z', frozen: true })
    const look = async () => [await control('GET', '/state'), await control('GET', '/changes')]
    const before = await look()
    await client.ask({ method: 'PUT', path: `/evict/one/${encodeURIComponent(world)}`, body: {} })
    expect(await look()).toEqual(before)
    expect(JSON.parse(before[1] as string)).toMatchObject({ added: [77], changed: [1], removed: [2] })
    expect(JSON.parse(await control('POST', '/pets', { name: 'Next', categoryId: 1 }))).toMatchObject({ id: 78 })
  })
})

describe('a deployment with wrong bindings', () => {
  it('does not start, and names every one of them', async () => {
    const bindings = {
      SCENARIO: 'nowhere',
      API_KEYS: 'good, b%d',
      ASSUME: 'invalid-query=guess',
      CONTROL_TOKEN: 'short',
      FROZEN: 'maybe',
      CORS_ORIGIN: '*',
    }
    const refused = await startWorkerd({ bindings }).then(
      ({ stop }) => stop(),
      ({ message }: Error) => message,
    )
    for (const line of [
      'CORS_ORIGIN: did you mean CORS_ORIGINS?',
      'SCENARIO: expected default, ',
      ', or a scenario as JSON, got "nowhere"',
      'API_KEYS: expected a bearer token (RFC 6750)',
      'ASSUME: expected invalid-query=reject, invalid-query=clamp or invalid-query=ignore',
      'FROZEN: expected 1 or 0, got "maybe"',
      'CONTROL_TOKEN: expected at least 16 characters',
    ])
      expect(refused).toContain(line)
    expect(refused).not.toContain('short')
  })
})
