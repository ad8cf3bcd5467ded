// The mock inside another's server. What the service says is tested on the other hosts; here is
// what a server around it changes.
import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { ClientHttp2Session } from 'node:http2'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../src/control/client/connect.ts'
import { type MiddlewareOptions, middleware } from '../../src/hosts/node/index.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { startHttp2 } from '../support/hosts.ts'
import { listen } from '../support/listen.ts'

const authorization = 'Bearer any-key'

interface Settings extends MiddlewareOptions {
  mock?: MockOptions
  /** What the server does with a request before the mock sees it. */
  before?: (request: IncomingMessage, response: ServerResponse) => unknown
}

async function start({ mock: options = {}, before, ...rest }: Settings = {}) {
  const mock = createMock(options)
  const handle = middleware(mock, rest)
  const url = await listen(async (request, response) => {
    const work = before?.(request, response)
    if (work instanceof Promise) await work
    handle(request, response, (error) =>
      response.writeHead(error ? 500 : 299).end(error instanceof Error ? error.message : 'the app'),
    )
  })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { authorization, ...init.headers } })
  const create = (body: BodyInit) =>
    ask('/v1/pets', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return { mock, url, ask, create }
}

it('the middleware answers its own paths and passes all others on', async () => {
  const before = ({ headers }: IncomingMessage, response: ServerResponse) => {
    Object.assign(headers, { 'x-gone': undefined, 'x-number': 5, 'x-list': ['a'] })
    response.setHeader('x-powered-by', 'another')
  }
  const { ask, create, url, mock } = await start({ mock: { pets: [] }, before })
  expect(await (await create('{"name":"Rex","categoryId":1}')).text()).toBe(
    '{"id":1,"name":"Rex","categoryId":1}',
  )
  expect(await (await ask('/v1/pets')).text()).toBe('[{"id":1,"name":"Rex","categoryId":1}]')
  const { status, headers } = await ask('/v1/pets/2')
  expect([status, headers.has('x-powered-by')]).toEqual([404, false])
  expect(mock.control.requests()[0]?.request.headers).toMatchObject({
    'x-number': '5',
    'x-list': 'a',
  })
  expect(await (await ask('/__mock/health', { headers: { origin: url } })).json()).toMatchObject({
    pets: 1,
  })
  expect(
    (await ask('/__mock/', { headers: { accept: 'text/html' } })).headers.get('content-type'),
  ).toMatch('text/html')
  for (const path of [
    '/',
    '/favicon.ico',
    '/v1',
    '/v1/orders',
    '/v1/petshop',
    '/pets',
    '/src/main.ts',
  ]) {
    expect(await (await ask(path)).text()).toBe('the app')
  }
})

it('the middleware names addresses by the scheme of the request, in the spec and to agents', async () => {
  const { ask, url } = await start({
    before: ({ socket }) => Object.assign(socket, { encrypted: true }),
  })
  const secure = `${url.replace('http:', 'https:')}/v1`
  expect(await (await ask('/__mock/openapi.json')).json()).toMatchObject({
    servers: [{ url: secure }],
  })
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  expect(await (await ask('/__mock/mcp', { method: 'POST', headers, body })).text()).toContain(
    `API, at ${secure}.`,
  )
})

it('the middleware answers every path under baseUrl, and still the paths of the API for the console', async () => {
  const { ask, url } = await start({ baseUrl: '/api/v1' })
  expect((await ask('/api/v1/pets?limit=1')).status).toBe(200)
  expect((await ask('/api/v1/orders')).status).toBe(404)
  expect((await ask('/v1/orders')).status).toBe(299)
  expect((await ask('/v1/pets')).status).toBe(200)
  const { requests } = connect(`${url}/api/v1`)
  expect((await requests()).map(({ target }) => target)).toEqual([
    '/v1/pets?limit=1',
    '/v1/orders',
    '/v1/pets',
  ])
})

it.each<[string, (request: IncomingMessage) => unknown]>([
  ['has read its body', async (request) => void (await request.toArray())],
  ['is reading its body', (request) => request.on('data', () => {})],
  ['decodes its body', (request) => request.setEncoding('utf8')],
])('the middleware refuses a request if another handler %s', async (_, before) => {
  const { create } = await start({ before })
  const response = await create(JSON.stringify({ name: 'x'.repeat(200_000), categoryId: 1 }))
  expect([response.status, await response.text()]).toEqual([500, expect.stringMatching(/body/)])
})

it('the middleware delays and drops responses, and logs clients that leave', async () => {
  const { ask, mock } = await start({ mock: { faults: [{ operation: 'getPet', drop: true }] } })
  const startedAt = performance.now()
  expect((await ask('/v1/pets', { headers: { prefer: 'delay=60' } })).status).toBe(200)
  expect(performance.now() - startedAt).toBeGreaterThan(55)
  await expect(ask('/v1/pets/1')).rejects.toThrow()
  await expect(
    ask('/v1/pets', { headers: { prefer: 'delay=60000' }, signal: AbortSignal.timeout(50) }),
  ).rejects.toThrow()
  await vi.waitFor(() =>
    expect(mock.control.requests().map(({ outcome }) => outcome)).toEqual([
      'sent',
      'dropped',
      'aborted',
    ]),
  )
})

it.each([
  [
    'begun',
    (response: ServerResponse) => response.setHeader('x-a', 'b').writeHead(207).write('x'),
    'cut',
  ],
  ['ended', (response: ServerResponse) => response.writeHead(207).end('x'), 'x'],
])(
  'the middleware survives another handler that has %s the response, before it or meanwhile',
  async (_, respond, result) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => log.mockRestore())
    const before = ({ headers }: IncomingMessage, response: ServerResponse) => {
      if (headers['x-when'] === 'before') respond(response)
      if (headers['x-when'] === 'meanwhile') setTimeout(() => respond(response), 10)
    }
    const { ask } = await start({ before })
    const read = (headers: Record<string, string>) =>
      ask('/v1/pets', { headers }).then((response) => response.text())
    for (const when of ['before', 'meanwhile'])
      expect(await read({ 'x-when': when, prefer: 'delay=50' }).catch(() => 'cut')).toBe(result)
    expect((await ask('/v1/pets')).status).toBe(200)
    expect(log).toHaveBeenCalledTimes(result === 'cut' ? 2 : 0)
  },
)

it('the middleware lets clients on other machines control the mock with its token only', async () => {
  const before = (request: IncomingMessage) =>
    Object.defineProperty(request.socket, 'remoteAddress', { value: '10.0.0.9' })
  const open = await start({ before })
  expect(await (await open.ask('/__mock/health')).json()).toMatchObject({
    status: 403,
    message: expect.stringContaining('controlToken'),
  })
  expect((await open.ask('/v1/pets')).status).toBe(200)
  const token = 'a-token-of-some-length'
  const guarded = await start({ before, controlToken: token })
  expect(
    (await guarded.ask('/__mock/health', { headers: { authorization: `Bearer ${token}` } })).status,
  ).toBe(200)
  expect((await guarded.ask('/__mock/health')).status).toBe(401)
  // A server that listens on a file knows no addresses.
  const onFile = await start({
    before: ({ socket }) => Object.defineProperty(socket, 'remoteAddress', { value: undefined }),
  })
  expect((await onFile.ask('/__mock/health')).status).toBe(200)
  // A tunnel on this machine lets everyone in.
  const tunnel = { 'x-forwarded-for': '203.0.113.9' }
  const near = await start()
  expect((await near.ask('/__mock/health', { headers: tunnel })).status).toBe(403)
  expect((await near.ask('/v1/pets', { headers: tunnel })).status).toBe(200)
  const known = { authorization: `Bearer ${token}`, ...tunnel }
  expect((await guarded.ask('/__mock/health', { headers: known })).status).toBe(200)
  const off = await start({ control: false })
  expect((await off.ask('/__mock/health')).status).toBe(404)
})

it.each([
  [undefined, 403],
  [['app.test'], 200],
  [true, 200],
] as const)(
  'the middleware with allowedHosts %j answers a request for the host app.test with %i',
  async (allowedHosts, status) => {
    const { url } = await start(allowedHosts ? { allowedHosts } : {})
    const sent = request(`${url}/v1/pets`, { headers: { host: 'app.test', authorization } }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(status)
  },
)

it.each([
  ['middleware', () => middleware({} as never)],
  ['baseUrl', () => middleware(createMock(), { baseUrl: 'http://localhost/v1' })],
  ['baseUrl', () => middleware(createMock(), { baseUrl: 1 as never })],
  [
    'allowedHosts',
    () => middleware(createMock(), { allowedHosts: ['app.test', 'http://app.test'] }),
  ],
  ['allowedHosts', () => middleware(createMock(), { allowedHosts: [1 as never] })],
  ['controlToken', () => middleware(createMock(), { controlToken: 'short' })],
])('the middleware refuses wrong arguments at once, and names them: %s', (word, mount) =>
  expect(mount).toThrow(new RegExp(`middleware.*${word}|^${word}`)),
)

// The specs of the service run over HTTP/2 too: test/support/hosts.ts.
it('the middleware over HTTP/2 has the control API, logs clients that leave, and checks the authority', async () => {
  const mock = createMock()
  const { session, authority } = await startHttp2(mock)
  expect(
    await askHttp2(session, { ':path': '/__mock/health', origin: `https://${authority}` }),
  ).toMatchObject({ status: 200 })
  const leaving = session.request({ ':path': '/v1/pets', authorization, prefer: 'delay=60000' })
  leaving.on('error', () => {})
  await vi.waitFor(() => expect(mock.control.requests({ waiting: true })).toHaveLength(1))
  leaving.close(8)
  await vi.waitFor(() =>
    expect(mock.control.requests().map(({ outcome }) => outcome)).toEqual(['aborted']),
  )
  expect(mock.control.requests()[0]?.request.headers).toEqual({
    authorization: 'Bearer …-key',
    prefer: 'delay=60000',
    host: authority,
  })
  // What :authority names counts, not Host (RFC 9113 §8.3.1).
  expect(
    await askHttp2(session, {
      ':path': '/v1/pets',
      ':authority': 'evil.example',
      host: 'localhost',
    }),
  ).toMatchObject({ status: 403 })
  expect(await askHttp2(session, { ':path': '/' })).toMatchObject({ status: 404 })
  const post = { ':method': 'POST', ':path': '/v1/pets', 'content-type': 'application/json' }
  expect(await askHttp2(session, post, '{"name":"Rex","categoryId":1}')).toMatchObject({
    status: 201,
  })
  // A client that has sent everything still waits. HTTP/2 forbids the Connection field of a 413.
  expect(await askHttp2(session, { ':path': '/v1/pets', prefer: 'delay=20' })).toMatchObject({
    status: 200,
  })
  expect(await askHttp2(session, { ...post, 'content-length': '99999999' }, '')).toMatchObject({
    status: 413,
  })
  await expect(askHttp2(session, { ':path': '/v1/pets', prefer: 'drop' })).rejects.toThrow()
  expect(await askHttp2(session, { ':path': '/v1/pets' })).toMatchObject({ status: 200 })
})

async function askHttp2(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: string,
) {
  const stream = session.request({ authorization, ...headers }, { endStream: body === undefined })
  if (body) stream.end(body)
  const [head] = (await once(stream, 'response')) as [Record<string, unknown>]
  stream.resume()
  return { status: head[':status'] }
}
