import { expect, it, vi } from 'vitest'
import { createLocalFetch } from '../../hosts/local-fetch.ts'
import type { EventStream } from '../event-streams.ts'
import { HEADERS } from '../protocol.ts'
import { type ClientOptions, createClient } from './client.ts'
import { connect } from './connect.ts'
import type { ControlFetch } from './send.ts'

const MOCK = {
  [HEADERS.mock]: 'animal-store-mock/1.0.0',
  'content-type': 'application/json; charset=utf-8',
}

/** A client of a server with this response, and what it sends. */
function ask(body: BodyInit | null, init: ResponseInit = {}, options: ClientOptions = {}) {
  const sent: Parameters<ControlFetch>[] = []
  const fetch: ControlFetch = async (...request) => {
    sent.push(request)
    return new Response(body, { headers: MOCK, ...init })
  }
  return { client: createClient('http://mock.test', { fetch, ...options }), sent }
}

it('a read has no header, a write has one that no link can send, and both have the token', async () => {
  const { client, sent } = ask('{}')
  const locked = ask('{}', {}, { token: () => 'secret', sandbox: 'own-key' })
  await Promise.all([
    client.summary(),
    client.reset(),
    client.load('empty'),
    client.undo(),
    client.clearRequests({ sandbox: '*' }),
  ])
  await Promise.all([locked.client.removeSandbox('a/b'), locked.client.events()])
  expect(
    [...sent, ...locked.sent].map(([url, { method, headers, body }]) => [
      method,
      url,
      headers,
      body,
    ]),
  ).toEqual([
    ['GET', 'http://mock.test/__mock/health', {}, undefined],
    ['POST', 'http://mock.test/__mock/reset', { 'x-mock-control': '1' }, undefined],
    ['PUT', 'http://mock.test/__mock/state', { 'content-type': 'application/json' }, '"empty"'],
    ['POST', 'http://mock.test/__mock/undo', { 'content-type': 'application/json' }, '{}'],
    ['DELETE', 'http://mock.test/__mock/requests?sandbox=*', { 'x-mock-control': '1' }, undefined],
    [
      'DELETE',
      'http://mock.test/__mock/sandboxes/a%2Fb',
      { 'x-mock-control': '1', authorization: 'Bearer secret' },
      undefined,
    ],
    [
      'GET',
      'http://mock.test/__mock/events?sandbox=own-key',
      { authorization: 'Bearer secret' },
      undefined,
    ],
  ])
})

it.each<[what: string, status: number, body: string | null, init: ResponseInit]>([
  ['another server', 0, '{}', { headers: { [HEADERS.mock]: 'other/1' } }],
  ['a server without a body', 0, null, { headers: {} }],
  ['a mock that sends half a response', 0, '{"id', {}],
  ['a server that refuses a long address', 431, null, { status: 431, headers: {} }],
  ['a control API that is off', 404, '{"message":"off"}', { status: 404 }],
  [
    'another version',
    400,
    '{"message":"Other","problems":[{"kind":"mismatch","got":5}]}',
    { status: 400 },
  ],
])('a call of %s fails with status %i', async (_, status, body, init) => {
  const problems =
    status === 404
      ? [{ kind: 'text', text: 'off' }]
      : [{ kind: status === 400 ? 'mismatch' : 'text' }]
  const message = expect.stringMatching(status === 0 ? 'http://mock.test' : /./)
  const { pets, events } = ask(body, init).client
  for (const call of [pets.get, pets.remove]) {
    await expect(call(1)).rejects.toMatchObject({ name: 'UsageError', status, problems, message })
  }
  if (status > 0) await expect(events()).rejects.toMatchObject({ status })
})

it('connect refuses what is not an address, and options that it does not have', () => {
  for (const wrong of ['', '/v1', '7387', 'ws+http://mock.test'])
    expect(() => connect(wrong)).toThrow(`connect: url: expected an address`)
  for (const right of ['mock.test:80/v1', 'HTTP://mock.test'])
    expect(() => connect(right)).not.toThrow()
  for (const wrong of [{ key: 'a' }, { sandbox: null }, { token: 'a-token-of-some-length…' }])
    expect(() => connect('http://mock.test', wrong as never)).toThrow('connect: ')
  const { sandbox } = connect('http://mock.test')
  for (const wrong of [undefined, null, 5, ['a']])
    expect(() => sandbox(wrong as never)).toThrow('sandbox')
})

it('a scenario that has only a name is empty, as in your process: it is not the shipped one', async () => {
  const { client, sent } = ask('{}')
  await client.load({ name: 'single' })
  expect(sent[0]?.[1].body).toBe('{"name":"single","pets":[]}')
})

it('a call resolves with the row of its change and how many rows match, if the mock says so', async () => {
  const rows: number[] = []
  const options = { onRow: (id: number) => rows.push(id) }
  const { client } = ask(
    '[1]',
    { headers: { ...MOCK, [HEADERS.row]: '7', [HEADERS.total]: '30' } },
    options,
  )
  expect(await client.call('reset')).toEqual({ result: [1], row: 7, total: 30 })
  expect(await ask('{}', {}, options).client.call('reset')).toStrictEqual({
    result: {},
    row: undefined,
  })
  expect(rows).toEqual([7])
})

it.each([false, true])(
  'a subscription reports requests with their values, and its end unless it was stopped: %s',
  async (isStopped) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const [{ client, sent }, stream] = [ask(readable), writable.getWriter()]
    const send = (type: string) =>
      stream.write(
        new TextEncoder().encode(
          `data: {"type":"${type}","row":{"target":"/v1/pets?limit=1"}}\n\n`,
        ),
      )
    const seen: unknown[] = []
    const stop = await client.subscribe(
      (event) => seen.push('row' in event && 'query' in event.row && event.row.query),
      () => seen.push('end'),
    )
    void send('begin')
    void send('request')
    await vi.waitFor(() => expect(seen).toEqual([{ limit: '1' }, { limit: '1' }]))
    if (isStopped) stop()
    void send('change')
    await new Promise(setImmediate)
    void stream.abort(new Error('broken'))
    await new Promise(setImmediate)
    expect(seen.slice(2)).toEqual(isStopped ? [] : [false, 'end'])
    expect(sent).toMatchObject([
      ['http://mock.test/__mock/events?sandbox=*', { signal: { aborted: isStopped } }],
    ])
  },
)

it('a stream in the same process stops when its signal aborts, and when its reader stops', async () => {
  let stops = 0
  const stream: EventStream = {
    start: (write) =>
      write('data: {"type":"sandbox","sandbox":"a"}\n\ndata: {"type":"sandbox","sandbox":"b"}\n\n'),
    stop: () => void stops++,
  }
  const client = createClient('', {
    fetch: createLocalFetch(async () => ({ status: 200, headers: MOCK, body: '', stream })),
  })
  const aborted = new AbortController()
  for await (const _ of await client.events(false, aborted.signal)) aborted.abort()
  expect(stops).toBe(1)
  for await (const _ of await client.events()) break
  expect(stops).toBe(2)
  for await (const _ of await client.events(false, aborted.signal))
    throw new Error('the signal had aborted')
  expect(stops).toBe(3)
})

it('a call of a method that does not exist, or with wrong arguments, rejects as if the mock had refused it', async () => {
  const { client, sent } = ask('{}')
  const known = { kind: 'mismatch', path: 'name', got: '"fautls.add"', near: 'faults.add' }
  await expect(client.call('fautls.add' as never)).rejects.toMatchObject({
    name: 'UsageError',
    status: 400,
    problems: [known],
  })
  await expect(client.call('pets.get')).rejects.toThrow('id is required')
  const problems = [{ kind: 'mismatch', path: 'input', expected: 'an object', got: 'null' }]
  await expect(client.call('requests', null as never)).rejects.toMatchObject({
    name: 'UsageError',
    problems,
  })
  for (const wrong of [
    client.requests({ method: null as never }),
    client.timeline(null as never),
    client.pets.get('x' as never),
  ]) {
    await expect(wrong).rejects.toMatchObject({ name: 'UsageError', status: 400 })
  }
  expect(sent).toEqual([])
})

it('a call by name has the defaults of the method', async () => {
  const { client, sent } = ask('{}')
  await client.call('clock.freeze')
  expect(sent).toMatchObject([[expect.anything(), { body: '{"frozen":true}' }]])
  const all = ask('[]', {}, { sandbox: '*' })
  await all.client.call('timeline')
  expect(all.sent[0]?.[0]).toBe('http://mock.test/__mock/timeline?sandbox=*&limit=1000')
})

it('the client of a sandbox has no methods for the whole mock', () => {
  expect(ask('{}').client.sandbox('own-key')).not.toHaveProperty('removeSandbox')
  expect(createClient('http://mock.test', { sandbox: 'own-key' })).toHaveProperty('removeSandbox')
})

it('a base address with a prefix is that of a sandbox, unless another is named', async () => {
  const sent: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    sent.push(url)
    return new Response('{}', { headers: MOCK })
  })
  const url = 'http://mock.test/app/__sandbox/team%2Fw1/v1'
  await connect(url).summary()
  await connect(url, { sandbox: 'w2' }).summary()
  await connect(url).sandbox('w3').summary()
  await connect(url).sandboxes()
  vi.unstubAllGlobals()
  const control = 'http://mock.test/app/__mock'
  expect(sent).toEqual([
    `${control}/health?sandbox=team%2Fw1`,
    `${control}/health?sandbox=w2`,
    `${control}/health?sandbox=w3`,
    `${control}/sandboxes`,
  ])
})
