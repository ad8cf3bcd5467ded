// Many sandboxes at once, sandboxes that are evicted, and deployments with wrong bindings.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, MANY_DEPLOYMENTS, startWorkerd, type Workerd } from '../support/workerd.ts'
import { type Client, createClient, TOKEN } from './http.ts'

describe('a thousand keys at once', () => {
  it('each get a sandbox, and find it again after a kill', async () => {
    let workerd = await startWorkerd({ bindings: { CONTROL_TOKEN: TOKEN } })
    const { stop } = workerd
    const client = createClient(() => workerd.port)
    const keys = Array.from({ length: 1_000 }, (_, index) => `tester-${index}`)
    try {
      const created = await Promise.all(keys.map((key) => client.create(key, `of ${key}`)))
      expect(created.map(({ text }) => text)).toEqual(keys.map((key) => `{"id":19,"name":"of ${key}","categoryId":1}`))
      expect(((await client.control('GET', '/sandboxes')) as string[]).toSorted()).toEqual(keys.toSorted())
      await workerd.kill()
      workerd = await launch(workerd.folder)
      const found = await Promise.all(keys.map((key) => client.ask({ path: '/v1/pets/19', key })))
      expect(found.map(({ text }) => text)).toEqual(created.map(({ text }) => text))
    } finally {
      await workerd.kill()
      await stop()
    }
  })
})

describe('a sandbox that is evicted', () => {
  let workerd: Workerd
  let client: Client
  const headers = { 'x-deployment': 'one' }

  beforeAll(async () => {
    workerd = await startWorkerd({ entry: MANY_DEPLOYMENTS })
    client = createClient(() => workerd.port)
    await client.ask({ method: 'PUT', path: '/deployments/one', body: { CONTROL_TOKEN: TOKEN } })
  })
  afterAll(() => workerd.stop())

  it.each(['tester', ' shared'])('comes back as it was: %s', async (name) => {
    const at = name === 'tester' ? '?sandbox=tester' : ''
    const control = async (method: string, path: string, body?: unknown) =>
      (await client.ask({ method, path: `/__mock${path}${at}`, key: TOKEN, body, headers })).text
    await control('POST', '/pets', { id: 77, name: 'Rex', categoryId: 1 })
    await control('PATCH', '/pets/1', { name: 'Renamed' })
    await control('DELETE', '/pets/2')
    await control('PUT', '/clock', { now: '2030-12-04T12:00:00Z', frozen: true })
    const look = async () => [await control('GET', '/state'), await control('GET', '/diff')]
    const before = await look()
    await client.ask({ method: 'PUT', path: `/evict/one/${encodeURIComponent(name)}`, body: {} })
    expect(await look()).toEqual(before)
    expect(JSON.parse(before[1] as string)).toMatchObject({
      pets: { added: [{ id: 77 }], changed: [{ after: { id: 1 } }], removed: [{ id: 2 }] },
    })
    expect(JSON.parse(await control('POST', '/pets', { name: 'Next', categoryId: 1 }))).toMatchObject({ id: 78 })
  })

  it('takes less than 50 kB of disk, its requests included', async () => {
    const disk = join(workerd.folder, 'sandboxes')
    const files = () => readdirSync(disk, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.sqlite'))
    const before = new Set(files())
    const create = { method: 'POST', path: '/v1/pets', key: 'small', body: { name: 'Rex', categoryId: 1 }, headers }
    for (let sent = 0; sent < 5; sent++) expect((await client.ask(create)).status).toBe(201)
    // An object that has started also has a log of its writes.
    const own = files().filter((name) => !before.has(name))
    expect(own.map((name) => name.replace(/^.*\.sqlite/, '')).toSorted()).toEqual(['', '-shm', '-wal'])
    const log = statSync(join(disk, own.find((name) => name.endsWith('-wal')) as string)).size
    // Until the request log is written too.
    while (statSync(join(disk, own.find((name) => name.endsWith('-wal')) as string)).size === log) await new Promise(setImmediate)
    await client.ask({ method: 'PUT', path: '/evict/one/small', body: {} })
    while (files().filter((name) => !before.has(name)).length > 1) await new Promise(setImmediate)
    const [file = ''] = files().filter((name) => !before.has(name))
    expect(statSync(join(disk, file)).blocks * 512).toBeLessThan(50_000)
  })
})

describe('a deployment with wrong bindings', () => {
  it('does not start, and names each of them', async () => {
    const bindings = {
      SCENARIO: 'nowhere',
      ASSUME: 'invalid-query=guess',
      CONTROL_TOKEN: 'short',
      FROZEN: 'maybe',
      CORS_ORIGIN: 'nowhere',
    }
    const refused = await startWorkerd({ bindings }).then(
      ({ stop }) => stop(),
      ({ message }: Error) => message,
    )
    for (const line of [
      'corsOrigins[0]: expected an origin',
      'SCENARIO: expected default, ',
      ', or a scenario as JSON, got "nowhere"',
      'ASSUME: invalid-query: unknown choice "guess"',
      'FROZEN: expected 1 or 0, got "maybe"',
      'CONTROL_TOKEN: expected at least 16 characters',
    ])
      expect(refused).toContain(line)
    expect(refused).not.toContain('short')
  })
})
