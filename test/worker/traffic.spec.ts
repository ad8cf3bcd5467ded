// The requests of all sandboxes of a worker, each of which is in an object of its own.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, startWorkerd, type Workerd } from '../support/workerd.ts'
import { type Client, createClient, TOKEN } from './http.ts'

interface Entry {
  readonly sandbox: string | null
  readonly status: number
}

let workerd: Workerd
let client: Client

beforeAll(async () => {
  workerd = await startWorkerd({ bindings: { CONTROL_TOKEN: TOKEN } })
  client = createClient(() => workerd.port)
  const calls = [
    ['/v1/pets', 'ann-key'],
    ['/v1/pets', 'bob-key'],
    ['/v1/pets/999', 'ann-key'],
    ['/v1/pets', 'invalid'],
    ['/v1/pets/1', 'bob-key'],
  ]
  for (const [path = '', key] of calls) {
    // Their order is that of the clock, which has milliseconds.
    const from = Date.now()
    await client.ask({ path, key })
    while (Date.now() <= from + 1) await new Promise(setImmediate)
  }
})
afterAll(() => workerd.stop())

const look = async (query = '') =>
  ((await client.control('GET', `/traffic${query}`)) as Entry[]).map(({ sandbox, status }) => [sandbox, status])

describe('the traffic of all worlds of a worker', () => {
  it('is in the order in which the requests were made, each as its sandbox has it', async () => {
    expect(await look()).toEqual([
      ['ann-key', 200],
      ['bob-key', 200],
      ['ann-key', 404],
      [null, 401],
      ['bob-key', 200],
    ])
    const entries = (await client.control('GET', '/traffic?operation=getPet')) as Entry[]
    const [, own] = (await client.control('GET', '/requests?sandbox=ann-key')) as object[]
    expect(entries[0]).toEqual({ ...own, sandbox: 'ann-key' })
  })

  it('is filtered, whatever world that leaves out', async () => {
    expect(await look('?status=200&limit=2')).toEqual([
      ['bob-key', 200],
      ['bob-key', 200],
    ])
    expect(await look('?limit=0')).toEqual([])
    expect((await client.ask({ path: '/__mock/traffic?limit=many', key: TOKEN })).status).toBe(400)
  })

  it('is that of all worlds, also for a call that names a sandbox', async () => {
    expect(await look('?sandbox=ann-key')).toHaveLength(5)
  })

  it('is emptied in all worlds', async () => {
    await client.control('DELETE', '/traffic')
    expect(await look()).toEqual([])
    expect(await client.control('GET', '/requests?sandbox=ann-key')).toEqual([])
  })

  it('is that of the others if the file of one is broken, which is named', async () => {
    const worlds = join(workerd.folder, 'worlds')
    const list = () => readdirSync(worlds, { recursive: true, encoding: 'utf8' }).filter((name) => /sqlite/.test(name))
    const before = new Set(list())
    await client.create('eve-key', 'Rex')
    const own = list().filter((name) => !before.has(name))
    await workerd.kill()
    for (const name of own) rmSync(join(worlds, name), { force: true })
    writeFileSync(join(worlds, own.find((name) => name.endsWith('.sqlite')) as string), 'no database '.repeat(1_000))
    workerd = await launch(workerd.folder, { isTemporary: true })
    await client.ask({ path: '/v1/pets', key: 'bob-key' })
    const { status, headers } = await client.ask({ path: '/__mock/traffic', key: TOKEN })
    expect([status, headers['x-mock-missing-sandboxes']]).toEqual([200, 'eve-key'])
    expect(await look()).toEqual([['bob-key', 200]])
    expect(workerd.log()).toContain('The sandbox …-key does not answer: ')
  })
})
