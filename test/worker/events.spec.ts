// Events of a worker: of one sandbox, and of all of them, which are in other objects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen, parseEvents } from '../support/control-client.ts'
import { startWorkerd, type Workerd } from '../support/workerd.ts'
import { type Client, createClient, TOKEN } from './http.ts'

let workerd: Workerd
let client: Client
const headers = { authorization: `Bearer ${TOKEN}` }

beforeAll(async () => {
  workerd = await startWorkerd({ bindings: { CONTROL_TOKEN: TOKEN } })
  client = createClient(() => workerd.port)
})
afterAll(() => workerd.stop())

const summarise = (text: string) =>
  parseEvents(text).map(({ event, data }) => {
    const { sandbox, what, entry } = data as { sandbox: string | null; what?: string; entry?: { status: number } }
    return [event, sandbox, what ?? entry?.status]
  })

describe('the stream of a sandbox', () => {
  it('tells of its exchanges and changes, and of no other', async () => {
    const events = await listen(workerd.port, '/events?sandbox=one', headers)
    expect([events.status, events.headers['content-type']]).toEqual([200, 'text/event-stream'])
    await client.create('other', 'Rex')
    await client.create('one', 'Rex')
    await client.control('PUT', '/clock?sandbox=one', { frozen: true })
    expect(summarise(await events.until(3))).toEqual([
      ['change', 'one', 'sandboxes'],
      ['exchange', 'one', 201],
      ['change', 'one', 'clock'],
    ])
    events.destroy()
  })

  it('ends when the sandbox is removed', async () => {
    await client.create('short-lived', 'Rex')
    const events = await listen(workerd.port, '/events?sandbox=short-lived', headers)
    await events.until(0)
    await client.control('DELETE', '/sandboxes/short-lived')
    await events.ended
  })
})

describe('the stream of all events', () => {
  it('tells of the shared world, of sandboxes that were there and of those that come', async () => {
    await client.create('early', 'Rex')
    const events = await listen(workerd.port, '/events', headers)
    await events.until(0)
    await client.ask({ path: '/v1/pets' })
    expect(summarise(await events.until(1))).toEqual([['exchange', null, 401]])
    // Listening to the sandboxes begins while the stream is open already.
    while (!summarise(events.text()).some(([, sandbox]) => sandbox === 'early')) await client.ask({ path: '/v1/pets', key: 'early' })
    await client.create('late', 'Rex')
    while (!summarise(events.text()).some(([type, sandbox]) => type === 'exchange' && sandbox === 'late'))
      await client.ask({ path: '/v1/pets', key: 'late' })
    expect(summarise(events.text())).toContainEqual(['change', 'late', 'sandboxes'])
    events.destroy()
  })

  it('requires the token', async () => {
    const { status } = await listen(workerd.port, '/events')
    expect(status).toBe(401)
  })
})
