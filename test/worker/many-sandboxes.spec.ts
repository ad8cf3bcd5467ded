import { afterAll, beforeAll, expect, it } from 'vitest'
import { MANY_DEPLOYMENTS, startWorkerd, type Workerd } from '../support/workerd.ts'
import { type Client, createClient, TOKEN } from './http.ts'

let workerd: Workerd
let client: Client
const headers = { 'x-deployment': 'one' }

beforeAll(async () => {
  workerd = await startWorkerd({ entry: MANY_DEPLOYMENTS })
  client = createClient(() => workerd.port)
  await client.ask({ method: 'PUT', path: '/deployments/one', body: { CONTROL_TOKEN: TOKEN } })
})
afterAll(() => workerd.stop())

it.each(['tester', ' shared'])('comes back with the same state: %s', async (name) => {
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
  expect(JSON.parse(await control('POST', '/pets', { name: 'Next', categoryId: 1 }))).toMatchObject(
    { id: 78 },
  )
})
