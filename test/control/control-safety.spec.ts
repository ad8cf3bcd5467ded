// What keeps strangers out of the control API: pages of other origins, other names for this
// machine, and other machines.
import { describe, expect, it } from 'vitest'
import { extras, methods } from '../../src/control/methods.ts'
import { animals } from '../support/animals.ts'
import type { Answer } from '../support/client.ts'
import { type Ask, listen, startControl } from '../support/control-client.ts'
import { sendBytes } from '../support/raw-client.ts'

const json = { 'content-type': 'application/json' }
const situation = { scenario: { name: 'zoo', pets: animals, now: '2026-11-15', frozen: true } }
const forbidden = {
  code: 'Forbidden',
  message: 'The control API refuses requests from pages of other origins',
  status: 403,
}

/** Every route of the table, with an id where its path has one. */
const routes = [...Object.values(methods), ...Object.values(extras)].map(({ method, path }) => ({
  method,
  path: path.replace(/\{\w+\}/, '1'),
}))
const reads = [...new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))]
const writes = routes
  .filter(({ method }) => method !== 'GET')
  .map((route) => ({ ...route, body: {}, headers: json }))
const everything: Ask[] = [
  ...reads.flatMap((path) => [{ path }, { method: 'HEAD', path }]),
  ...writes,
  ...[...reads, '/nowhere', '/'].map((path) => ({ method: 'OPTIONS', path })),
]
/**
 * A read, a write, a stream and a preflight: for the second and later reasons of a refusal that
 * comes before any route.
 */
const some = everything.filter(
  ({ method, path }) =>
    path === '/clock' || path === '/events' || (path === '/' && method === 'OPTIONS'),
)

function expectNoCors({ headers }: Pick<Answer, 'headers'>): void {
  expect(
    Object.keys(headers).filter(
      (name) => name.startsWith('access-control-') || name === 'timing-allow-origin',
    ),
  ).toEqual([])
}

describe('responses of the control API', () => {
  it.each<[title: string, headers: Record<string, string>]>([
    ['no Origin', {}],
    ['a loopback origin that the API itself lets read', { origin: 'http://localhost:3000' }],
    ['a foreign origin', { origin: 'https://example.com' }],
    [
      'a preflight',
      {
        origin: 'http://localhost:3000',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-type',
      },
    ],
  ])('have no CORS header: %s', async (title, headers) => {
    const { ask } = await startControl({ ...situation, corsOrigins: ['*'] })
    const asks = title.startsWith('a loopback') ? everything : some
    for (const asked of asks.filter(
      ({ path, method }) => path !== '/events' || method === 'HEAD',
    )) {
      const answer = await ask({ ...asked, headers: { ...asked.headers, ...headers } })
      expect(answer.headers['cache-control']).toMatch(/^no-store/)
      expectNoCors(answer)
    }
  })

  it.each<[title: string, request: string, status: number]>([
    [
      'a method that the parser does not know',
      'BREW /__mock/state HTTP/1.1\r\nHost: localhost\r\n',
      501,
    ],
    [
      'fields over 16 KiB',
      `GET /__mock/state HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(17_000)}\r\n`,
      431,
    ],
    [
      'an unknown expectation',
      'GET /__mock/state HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: magic\r\n',
      417,
    ],
    [
      'a body that is announced as too large',
      'PUT /__mock/state HTTP/1.1\r\nHost: localhost\r\nContent-Length: 67108865\r\n',
      413,
    ],
    ['an invalid Host', 'GET /__mock/state HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n', 400],
    [
      'a target in absolute form',
      'GET http://localhost/__mock/state HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n',
      403,
    ],
  ])(
    'have no CORS header where the server refuses the request itself: %s',
    async (_, head, status) => {
      const { port } = await startControl({ ...situation, corsOrigins: ['*'] })
      const text = await sendBytes(port, `${head}Origin: http://localhost:3000\r\n\r\n`)
      expect(text).toContain(`HTTP/1.1 ${status} `)
      expect(text).not.toMatch(/access-control-/i)
    },
  )
})

describe('a request to the control API with', () => {
  it.each<[title: string, fields: (port: number) => Record<string, string>]>([
    ['a foreign Origin', () => ({ origin: 'https://example.com' })],
    ['the null Origin', () => ({ origin: 'null' })],
    ['an empty Origin', () => ({ origin: '' })],
    [
      'the Origin of another port of this machine',
      (port) => ({ origin: `http://127.0.0.1:${port + 1}` }),
    ],
    [
      'the Origin of another name of this machine',
      (port) => ({ origin: `http://localhost:${port}` }),
    ],
    ['an Origin without a scheme', (port) => ({ origin: `//127.0.0.1:${port}` })],
    [
      'an Origin that only begins like ours',
      (port) => ({ origin: `http://127.0.0.1:${port}.example.com` }),
    ],
    ['two Origins', (port) => ({ origin: `http://127.0.0.1:${port}, https://example.com` })],
    ['Sec-Fetch-Site: cross-site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['Sec-Fetch-Site: same-site', () => ({ 'sec-fetch-site': 'same-site' })],
    ['an unknown Sec-Fetch-Site', () => ({ 'sec-fetch-site': 'near-site' })],
    [
      'our Origin with Sec-Fetch-Site: cross-site',
      (port) => ({ origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'cross-site' }),
    ],
  ])('%s gets 403 on every route, and changes nothing', async (title, fields) => {
    const { ask, port, mock } = await startControl({
      ...situation,
      faults: [{ operation: 'getPet', drop: true }],
    })
    const before = mock.control.state()
    for (const asked of title === 'a foreign Origin' ? everything : some) {
      const answer = await ask({ ...asked, headers: { ...asked.headers, ...fields(port) } })
      expect(answer.status, `${asked.method} ${asked.path}`).toBe(403)
      if (asked.method !== 'HEAD') expect(answer.json).toEqual(forbidden)
    }
    expect(mock.control.state()).toEqual(before)
  })

  it.each<[title: string, fields: (port: number) => Record<string, string>]>([
    ['no Origin', () => ({})],
    ['the mock’s own Origin', (port) => ({ origin: `http://127.0.0.1:${port}` })],
    [
      'the mock’s own Origin by another name',
      (port) => ({ origin: `http://LOCALHOST:${port}`, host: `localhost:${port}` }),
    ],
    [
      'Sec-Fetch-Site: same-origin',
      (port) => ({ origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' }),
    ],
    [
      'Sec-Fetch-Site: none, for an address that the user typed',
      () => ({ 'sec-fetch-site': 'none' }),
    ],
  ])('%s is answered', async (_, fields) => {
    const { ask, port } = await startControl(situation)
    expect((await ask({ path: '/state', headers: fields(port) })).status).toBe(200)
    expect(
      (
        await ask({
          method: 'PUT',
          path: '/clock',
          body: { frozen: true },
          headers: { ...json, ...fields(port) },
        })
      ).status,
    ).toBe(200)
  })
})

describe('a proxy in front of the mock', () => {
  it.each([
    { forwarded: 'for=203.0.113.9' },
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-for': '' },
    { via: '1.1 tunnel.example' },
    { 'x-real-ip': '203.0.113.9' },
  ])('gets 403 on every route of a control API without a token: %j', async (fields) => {
    const { ask, mock } = await startControl(situation)
    const before = mock.control.state()
    for (const asked of fields.forwarded ? everything : some)
      expect((await ask({ ...asked, headers: { ...asked.headers, ...fields } })).status).toBe(403)
    expect(mock.control.state()).toEqual(before)
  })
})

describe('a write to the control API', () => {
  it('with neither Content-Type nor X-Mock-Control is refused on every route, and changes nothing', async () => {
    const { ask, mock } = await startControl({
      ...situation,
      faults: [{ operation: 'getPet', drop: true }],
    })
    const before = mock.control.state()
    const message =
      'A write needs Content-Type: application/json, or the header X-Mock-Control: 1 if it has no body'
    for (const { method, path, body } of writes) {
      expect(await ask({ method, path })).toMatchObject({
        status: 403,
        json: { code: 'Forbidden', message, status: 403 },
      })
      expect(await ask({ method, path, body })).toMatchObject({ status: 403 })
      expect(await ask({ method, path, headers: { 'x-mock-control': 'yes' } })).toMatchObject({
        status: 403,
      })
      expect(await ask({ method, path, body, headers: { 'x-mock-control': '1' } })).toMatchObject({
        status: 415,
      })
    }
    expect(mock.control.state()).toEqual(before)
  })
})

describe('reads from the control API', () => {
  it('change nothing: no state, no request log, no sandbox, not even which one has been idle longest', async () => {
    const { ask, call, mock } = await startControl({
      ...situation,
      sandbox: true,
      faults: [{ operation: '*', delay: 0, rate: 0.5 }],
    })
    await call('/v1/pets', 'first')
    await call('/v1/pets', 'second')
    const look = () => ({
      shared: mock.control.state(),
      first: mock.control.sandbox('first').state(),
      requestLog: mock.control.sandbox('first').requests(),
      sandboxes: mock.control.sandboxes(),
    })
    const before = look()
    for (const path of reads.filter((read) => read !== '/events')) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        for (const query of ['', '?sandbox=first', '?sandbox=never-used'])
          await ask({ method, path: path + query })
      }
    }
    expect(look()).toEqual(before)
  })
})

describe('the control token', () => {
  it('is generated for a mock that other machines can reach, a different one each time', async () => {
    const tokens = await Promise.all(
      [0, 1].map(async () => (await startControl(situation, { host: '0.0.0.0' })).controlToken),
    )
    for (const token of tokens) expect(token).toMatch(/^[\w-]{32}$/)
    expect(tokens[0]).not.toBe(tokens[1])
  })

  it.each<[title: string, serving: { host?: string; controlToken?: string }]>([
    ['if other machines can reach the mock', { host: '0.0.0.0' }],
    ['if one is given', { controlToken: 'open-sesame-open' }],
  ])('is needed on every route %s, for reads too', async (_, serving) => {
    const { ask, mock, controlToken, port } = await startControl(situation, serving)
    const before = mock.control.state()
    const refusal = {
      code: 'Unauthorized',
      status: 401,
      message: expect.stringContaining('Authorization: Bearer <token>'),
    }
    const realm = 'Bearer realm="animal-store-mock control"'
    const wrong: [authorization: string | undefined, challenge: string][] = [
      [undefined, realm],
      [`Basic ${controlToken}`, realm],
      ['Bearer', realm],
      ['Bearer wrong', `${realm}, error="invalid_token"`],
      [`Bearer ${controlToken}x`, `${realm}, error="invalid_token"`],
      [`Bearer ${controlToken?.slice(0, -1)}`, `${realm}, error="invalid_token"`],
      [`Bearer ${controlToken}, Bearer ${controlToken}`, `${realm}, error="invalid_token"`],
    ]
    for (const [authorization, challenge] of wrong) {
      for (const asked of [...(authorization ? some : everything), { path: '/nowhere' }]) {
        const answer = await ask({
          ...asked,
          headers: { ...asked.headers, ...(authorization ? { authorization } : {}) },
        })
        expect(answer, `${asked.method} ${asked.path}`).toMatchObject({
          status: 401,
          headers: { 'www-authenticate': challenge },
        })
        if (asked.method !== 'HEAD') expect(answer.json).toEqual(refusal)
      }
    }
    expect(mock.control.state()).toEqual(before)
    const authorization = `bearer  ${controlToken}`
    expect((await ask({ path: '/state', headers: { authorization } })).status).toBe(200)
    expect(
      (
        await ask({
          method: 'PUT',
          path: '/state',
          headers: { ...json, authorization },
          body: { name: 'empty' },
        })
      ).status,
    ).toBe(200)
    expect((await listen(port, '/events', { authorization })).status).toBe(200)
  })

  it('is not an API key: the service refuses it, makes no sandbox for it, and does not log it', async () => {
    const { call, mock } = await startControl(
      { ...situation, sandbox: true },
      { controlToken: 'open-sesame-open' },
    )
    const { status, json: body, headers } = await call('/v1/pets', 'open-sesame-open')
    expect([status, body]).toEqual([
      401,
      { code: 'Unauthorized', message: 'This is the control token, not an API key', status: 401 },
    ])
    expect(headers['www-authenticate']).toBe('Bearer realm="animal-store", error="invalid_token"')
    expect(mock.control.sandboxes()).toEqual([])
    expect(JSON.stringify(mock.control.requests())).not.toContain('open')
    expect(mock.control.requests()).toMatchObject([{ status: 401, key: null }])
  })
})

describe('a mock without the control API', () => {
  it('answers every path under /__mock with 404', async () => {
    const { ask, mock, controlUrl, controlToken } = await startControl(
      { ...situation, assume: { 'unknown-path-auth': 'unauthorized' } },
      { control: false, controlToken: 'x'.repeat(16) },
    )
    expect([controlUrl, controlToken]).toEqual([undefined, undefined])
    const before = mock.control.state()
    for (const asked of [...everything, { path: '' }, { path: '/' }, { path: '/nowhere' }]) {
      const answer = await ask({
        ...asked,
        headers: { ...asked.headers, authorization: 'Bearer x' },
      })
      expect(answer.status, `${asked.method} ${asked.path}`).toBe(404)
      expectNoCors(answer)
      const message =
        'The control API is off: the mock has control: false or --no-control, or, in a Worker, there is no CONTROL_TOKEN'
      if (asked.method !== 'HEAD')
        expect(answer.json).toEqual({ code: 'NotFound', message, status: 404 })
    }
    expect(mock.control.state()).toEqual(before)
  })
})
