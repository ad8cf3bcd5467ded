import { expect, it } from 'vitest'
import type { MockEvent } from '../control/control.ts'
import { HEADERS } from '../control/methods.ts'
import { type ControlFetch, createClient, readEvents } from './client.ts'

const CHANGE = { type: 'sandbox', sandbox: 'ä-\u2028key' }
const BIG = { type: 'sandbox', sandbox: 'b-key', id: 9223372036854775807n }
const TEXT = `data: ${JSON.stringify(CHANGE)}\n\n: no data: 1\n\nevent: sandbox\ndata: {"type":"sandbox","sandbox":"b-key","id":9223372036854775807}\n\ndata: {"cut`

function toStream(text: string, length: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + length))
      at += length
    },
  })
}

it.each([1, 7, 10_000])('readEvents yields whole events, without comments, from chunks of %i bytes', async (length) => {
  const events: MockEvent[] = []
  for await (const event of readEvents(toStream(TEXT, length))) events.push(event)
  expect(events).toEqual([CHANGE, BIG])
})

it('readEvents cancels the stream when the loop over it stops early', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(TEXT)),
    cancel() {
      isCancelled = true
    },
  })
  for await (const event of readEvents(body)) {
    expect(event).toEqual(CHANGE)
    break
  }
  expect(isCancelled).toBe(true)
})

const MOCK = { [HEADERS.mock]: 'animal-store-mock/1.0.0', 'content-type': 'application/json' }

/** A client of a server with this response, and what it sends. */
function ask(body: BodyInit | null, init: ResponseInit = {}, token?: string) {
  const sent: Parameters<ControlFetch>[] = []
  const fetch: ControlFetch = async (...request) => {
    sent.push(request)
    return new Response(body, { headers: MOCK, ...init })
  }
  return { client: createClient('http://mock.test/v1//', { fetch, token: () => token }), sent }
}

it('a read has no header, a write has one that no link can send, and both have the token', async () => {
  const { client, sent } = ask('{}')
  const locked = ask('{}', {}, 'secret')
  await Promise.all([client.summary(), client.reset(), client.load('empty'), locked.client.removeSandbox('a/b')])
  expect([...sent, ...locked.sent].map(([url, { method, headers, body }]) => [method, url, headers, body])).toEqual([
    ['GET', 'http://mock.test/__mock/health', {}, undefined],
    ['POST', 'http://mock.test/__mock/reset', { 'x-mock-control': '1' }, undefined],
    ['PUT', 'http://mock.test/__mock/state', { 'content-type': 'application/json' }, '"empty"'],
    ['DELETE', 'http://mock.test/__mock/sandboxes/a%2Fb', { 'x-mock-control': '1', authorization: 'Bearer secret' }, undefined],
  ])
})

it.each<[what: string, status: number, body: string | null, init: ResponseInit]>([
  ['another server', 0, '{}', { headers: { [HEADERS.mock]: 'other/1' } }],
  ['a server without a body', 0, null, { headers: {} }],
  ['a mock that sends half a response', 0, '{"id', {}],
  ['a control API that is off', 404, '{"message":"off"}', { status: 404 }],
])('a call of %s fails with status %i', async (_, status, body, init) => {
  const problems = status === 0 ? [] : [{ kind: 'text', text: 'off' }]
  const { get, remove } = ask(body, init).client.pets
  for (const call of [get, remove]) await expect(call(1)).rejects.toMatchObject({ name: 'ControlError', status, problems })
})

it('a call of a method that does not exist, or with wrong arguments, rejects as if the mock had refused it', async () => {
  const { client, sent } = ask('{}')
  const known = { kind: 'mismatch', path: 'name', got: '"fautls.add"', near: 'faults.add' }
  await expect(client.call('fautls.add' as never)).rejects.toMatchObject({ name: 'ControlError', status: 400, problems: [known] })
  await expect(client.call('pets.get')).rejects.toThrow('id is required')
  const problems = [{ kind: 'mismatch', path: 'input', expected: 'an object', got: 'null' }]
  await expect(client.call('requests', null as never)).rejects.toMatchObject({ name: 'ControlError', problems })
  for (const wrong of [client.requests({ method: null as never }), client.pets.get('x' as never)]) {
    await expect(wrong).rejects.toMatchObject({ name: 'ControlError', status: 400 })
  }
  expect(sent).toEqual([])
})

it('a call by name has the defaults of the method', async () => {
  const { client, sent } = ask('{}')
  await client.call('clock.freeze')
  expect(sent).toMatchObject([[expect.anything(), { body: '{"frozen":true}' }]])
})

it('the client of a sandbox has no methods for the whole mock', () => {
  expect(ask('{}').client.sandbox('own-key')).not.toHaveProperty('removeSandbox')
  expect(createClient('http://mock.test', { sandbox: 'own-key' })).toHaveProperty('removeSandbox')
})
