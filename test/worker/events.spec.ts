// The events of a worker: those of one sandbox, and those of the shared object.
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
    const { sandbox, row } = data as {
      sandbox: string | null
      row?: { method: string; status?: number }
    }
    return [event, sandbox, row?.status ?? row?.method]
  })

describe('the event stream of a sandbox', () => {
  it('has its requests and changes, and no others', async () => {
    const events = await listen(workerd.port, '/events?sandbox=one', headers)
    expect([events.status, events.headers['content-type']]).toEqual([200, 'text/event-stream'])
    await client.create('other', 'Rex')
    await client.create('one', 'Rex')
    await client.control('PUT', '/clock?sandbox=one', { frozen: true })
    expect(summarise(await events.until(3))).toEqual([
      ['sandbox', 'one', undefined],
      ['request', 'one', 201],
      ['change', 'one', 'clock.freeze'],
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

describe('the event stream without a sandbox', () => {
  it('has the requests without a key, and new sandboxes', async () => {
    const events = await listen(workerd.port, '/events', headers)
    await events.until(0)
    await client.ask({ path: '/v1/pets' })
    await client.create('late', 'Rex')
    expect(summarise(await events.until(2))).toEqual([
      ['request', null, 401],
      ['sandbox', 'late', undefined],
    ])
    events.destroy()
  })
})
