// What is particular to MSW: which requests the handlers claim, and how they live with other
// handlers and with an app's other APIs. What they answer is in the specs that run on every host.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHandlers } from '../../src/hosts/msw.ts'
import { createMock, UsageError } from '../../src/index.ts'
import { animals, coco, rex } from '../support/animals.ts'

const BASE = 'https://api.example.test/v1'
const KEY = { headers: { authorization: 'Bearer spec-key' } }
const passed = { from: 'another API' }

/** Answers what no handler claims. */
const others = createServer((_, response) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(passed)),
)
const server = setupServer()
let elsewhere: string

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'bypass' })
  await new Promise<void>((resolve) => others.listen(0, '127.0.0.1', resolve))
  elsewhere = `http://127.0.0.1:${(others.address() as AddressInfo).port}`
})
afterEach(() => {
  server.resetHandlers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
afterAll(() => {
  server.close()
  others.close()
})

const get = async (url: string, init: RequestInit = KEY) => {
  const response = await fetch(url, init)
  return { status: response.status, json: JSON.parse(await response.text()) as unknown }
}
const notFound = (message: string) => ({
  status: 404,
  json: { code: 'NotFound', message, status: 404 },
})

describe('handlers with a base address', () => {
  const mock = createMock({ pets: animals })
  beforeEach(() => {
    mock.control.reset()
    server.use(...createHandlers(mock, { baseUrl: [BASE, `${elsewhere}/store/v1`] }))
  })

  it('answer every path under it, unknown ones too', async () => {
    expect(await get(`${BASE}/pets`)).toEqual({ status: 200, json: animals })
    expect(await get(`${BASE}/pets/3`)).toEqual({ status: 200, json: coco })
    expect(await get(`${BASE}/store/orders`)).toEqual(notFound('Path not found: /v1/store/orders'))
    expect(await get(BASE)).toEqual(notFound('Path not found: /v1'))
    expect(await get(`${BASE}?limit=1`)).toEqual(notFound('Path not found: /v1'))
    expect(await get(`${BASE}/`)).toEqual(notFound('Path not found: /v1/'))
  })

  it('answer a path without the version segment with a hint', async () => {
    expect(await get('https://api.example.test/pets/3')).toEqual(
      notFound('Missing /v1; did you mean /v1/pets/3?'),
    )
    expect(await get(`${elsewhere}/store/pets`)).toEqual(
      notFound('Missing /v1; did you mean /v1/pets?'),
    )
    expect(await get(`${elsewhere}/pets`)).toEqual({ status: 200, json: passed })
  })

  it('answer a path with too many slashes with a hint', async () => {
    expect(await get('https://api.example.test//v1/pets')).toEqual(
      notFound('Extra slash; did you mean /v1/pets?'),
    )
    expect(await get(`${BASE}//pets/3`)).toEqual(notFound('Extra slash; did you mean /v1/pets/3?'))
  })

  it('let all other requests pass', async () => {
    for (const path of ['/', '/v1/pets', '/store/v1x', '/store', '/store/v2/pets']) {
      expect(await get(elsewhere + path)).toEqual({ status: 200, json: passed })
    }
    expect(mock.control.requests()).toEqual([])
  })

  it.each([
    ['a slash at its end', 'http://base.test/v1/', 'http://base.test/v1/pets/1'],
    [
      'capitals in its host, and the usual port',
      'HTTP://Base.Test:80/v1',
      'http://base.test/v1/pets/1',
    ],
    ['an IPv6 address', 'http://[::1]:8123/v1', 'http://[::1]:8123/v1/pets/1'],
    ['letters that a URL encodes', 'http://base.test/läden/v1', 'http://base.test/läden/v1/pets/1'],
    [
      'characters that mean something in a RegExp',
      'http://base.test/a+b(c)$/v1',
      'http://base.test/a+b(c)$/v1/pets/1',
    ],
  ])('take a base with %s', async (_, baseUrl, url) => {
    server.use(...createHandlers(mock, { baseUrl }))
    expect(await get(url)).toEqual({ status: 200, json: rex })
  })

  it.each([
    ...[
      '',
      'v1',
      'api.example.com/v1',
      'ftp://example.com',
      'https://',
      '//example.com/v1',
      'https://a b/v1',
      '/v1?x',
      '/v1#x',
    ],
    ...['https://*.example.com/v1', '*/v1', 'https://example.com/*'],
  ])('refuse %j as a base', (baseUrl) => {
    expect(() => createHandlers({}, { baseUrl })).toThrow(UsageError)
    expect(() => createHandlers({}, { baseUrl: [BASE, baseUrl] })).toThrow(
      `baseUrl: expected an address like https://api.example.com/v1 or a path like /v1, got ${JSON.stringify(baseUrl)}`,
    )
  })

  it.each([
    ['https://example.com', '; did you mean https://example.com/v1?'],
    ['https://example.com/store/', '; did you mean https://example.com/store/v1?'],
    ['/', '; did you mean /v1?'],
    ['/store', '; did you mean /store/v1?'],
    ['/v1/pets', ''],
  ])('refuse the base %j without the version at its end, and say why', (baseUrl, near) => {
    const expected = 'expected an address like https://api.example.com/v1 or a path like /v1'
    const why = `every path of the API begins with /v1${near}`
    const message = `baseUrl: ${expected}, got ${JSON.stringify(baseUrl)}; ${why}`
    expect(() => createHandlers({}, { baseUrl })).toThrow(expect.objectContaining({ message }))
  })
})

describe('handlers with a relative base', () => {
  const use = (baseUrl: string) => server.use(...createHandlers({ pets: animals }, { baseUrl }))

  it('answer on every origin if there is no page', async () => {
    use('/store/v1')
    expect(await get('https://one.test/store/v1/pets/1')).toEqual({ status: 200, json: rex })
    expect(await get(`${elsewhere}/store/v1/pets/1`)).toEqual({ status: 200, json: rex })
    expect(await get(`${elsewhere}/v1/pets/1`)).toEqual({ status: 200, json: passed })
  })

  it('answer on the origin of the page if there is one', async () => {
    vi.stubGlobal('location', new URL('http://app.test:3000/some/page'))
    use('/store/v1')
    expect(await get('http://app.test:3000/store/v1/pets/1')).toEqual({ status: 200, json: rex })
    expect(await get('http://app.test:3000/store//v1/pets/1')).toEqual(
      notFound('Extra slash; did you mean /v1/pets/1?'),
    )
    expect(await get(`${elsewhere}/store/v1/pets/1`)).toEqual({ status: 200, json: passed })
  })
})

it('handlers with a full base on the origin of the page leave paths without the version to the app', async () => {
  vi.stubGlobal('location', new URL(`${elsewhere}/some/page`))
  server.use(...createHandlers({ pets: animals }, { baseUrl: `${elsewhere}/v1` }))
  expect(await get(`${elsewhere}/v1/pets/1`)).toEqual({ status: 200, json: rex })
  for (const path of ['/pets', '/pets/1', '/pets/new'])
    expect(await get(elsewhere + path)).toEqual({ status: 200, json: passed })
})

describe('handlers without a base', () => {
  const mock = createMock({ pets: animals })
  beforeEach(() => {
    mock.control.reset()
    server.use(...createHandlers(mock))
  })

  it('answer for the paths of the contract, and below, on any origin', async () => {
    expect(await get('https://one.test/v1/pets')).toEqual({ status: 200, json: animals })
    expect(await get('http://two.test:81/v1/pets/1')).toEqual({ status: 200, json: rex })
    expect(await get(`${elsewhere}/v1/pets/1/toys`)).toEqual(
      notFound('Path not found: /v1/pets/1/toys'),
    )
    expect(await get(`${elsewhere}/v1/pets/`)).toEqual(
      notFound('Extra slash; did you mean /v1/pets?'),
    )
    expect(await get(`${elsewhere}//v1/pets`)).toEqual(
      notFound('Extra slash; did you mean /v1/pets?'),
    )
    expect((await get(`${elsewhere}/v1/pets`, { ...KEY, method: 'PUT' })).status).toBe(405)
  })

  it("let an app's other APIs pass", async () => {
    for (const path of ['/v1/orders', '/v1', '/v1/petshop', '/pets', '/api/v1/pets', '/v2/pets']) {
      expect(await get(elsewhere + path)).toEqual({ status: 200, json: passed })
    }
  })
})

describe('handlers beside others', () => {
  const mock = createMock({ pets: animals })
  beforeEach(() => {
    mock.control.reset()
    server.use(...createHandlers(mock, { baseUrl: BASE }))
  })

  it('keep their animals when handlers are reset, and lose them when the mock is reset', async () => {
    const own = createHandlers(mock, { baseUrl: BASE })
    const body = JSON.stringify({ name: 'Pip', categoryId: 1 })
    await fetch(`${BASE}/pets`, {
      method: 'POST',
      body,
      headers: { ...KEY.headers, 'content-type': 'application/json' },
    })
    server.resetHandlers(...own)
    expect((await get(`${BASE}/pets/5`)).status).toBe(200)
    mock.control.reset()
    expect((await get(`${BASE}/pets/5`)).status).toBe(404)
    expect(await get(`${BASE}/pets`)).toEqual({ status: 200, json: animals })
  })
})

describe('a request that MSW intercepts', () => {
  const start = (options: Parameters<typeof createMock>[0]) => {
    const mock = createMock({ pets: animals, ...options })
    server.use(...createHandlers(mock, { baseUrl: BASE }))
    return mock
  }

  it('can be aborted while its response is delayed, without a message in the console', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const mock = start({ faults: [{ operation: '*', delay: 60_000 }] })
    const controller = new AbortController()
    const answer = fetch(`${BASE}/pets`, { ...KEY, signal: controller.signal })
    await vi.waitUntil(() => mock.control.faults.list()[0]?.applied === 1)
    expect(mock.control.requests()).toEqual([])
    controller.abort()
    await expect(answer).rejects.toThrow('aborted')
    // The handler notices too, and ends; what it logged would be here by now.
    await vi.waitUntil(() => mock.control.requests().length === 1)
    expect(mock.control.requests()).toMatchObject([
      { outcome: 'aborted', status: 0, notes: ['The client left before its 200 was sent'] },
    ])
    await new Promise((resolve) => setImmediate(resolve))
    expect(log).not.toHaveBeenCalled()
  })
})
