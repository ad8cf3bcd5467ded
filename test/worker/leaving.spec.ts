// Clients of a worker that leave before their response is sent, as far as the runtime reports them.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorkerd, type Workerd } from '../support/workerd.ts'
import { type Client, createClient, TOKEN } from './http.ts'

let workerd: Workerd
let client: Client

beforeAll(async () => {
  workerd = await startWorkerd({ bindings: { CONTROL_TOKEN: TOKEN } })
  client = createClient(() => workerd.port)
})
afterAll(() => workerd.stop())

/** The entries of a sandbox, once there is one. */
async function untilLogged(key: string): Promise<object[]> {
  const entries = (await client.control('GET', `/requests?sandbox=${key}`)) as object[]
  return entries.length > 0 ? entries : untilLogged(key)
}

/** Sends a request with a delayed response, and leaves as soon as the delay begins. */
async function leave(key: string, delayMs: number, how: 'destroy' | 'resetAndDestroy'): Promise<void> {
  await client.control('PUT', `/latency?sandbox=${key}`, delayMs)
  const events = new AbortController()
  const stream = await fetch(`http://127.0.0.1:${workerd.port}/__mock/events?sandbox=${key}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
    signal: events.signal,
  })
  const socket = connect(workerd.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET /v1/pets/1 HTTP/1.1\r\nHost: mock\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  const decoder = new TextDecoder()
  let seen = ''
  for await (const chunk of stream.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    seen += decoder.decode(chunk)
    if (seen.includes('event: begin')) break
  }
  events.abort()
  socket[how]()
}

describe('a client that leaves a worker', () => {
  it('by a reset is aborted in the request log, long before the delay is over', async () => {
    await leave('reset-key', 50_000, 'resetAndDestroy')
    expect(await untilLogged('reset-key')).toMatchObject([
      { outcome: 'aborted', status: 0, notes: ['The client left before its 200 was sent'] },
    ])
  })

  it('by closing its side counts as answered after the delay: the runtime still waits for it', async () => {
    await leave('close-key', 300, 'destroy')
    expect(await untilLogged('close-key')).toMatchObject([{ outcome: 'sent', status: 200 }])
  })
})
