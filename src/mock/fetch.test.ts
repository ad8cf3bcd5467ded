import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import type { Call, Reply } from '../service/call.ts'
import type { BaseUrl } from './base-address.ts'
import { createFetch } from './fetch.ts'
import { createMock } from './mock.ts'

/** A service that gives one reply, and keeps what it was asked. */
function stub(reply: Partial<Reply> = {}) {
  const calls: Call[] = []
  return {
    calls,
    answer(call: Call): Reply {
      calls.push(call)
      return { status: 200, headers: { 'Content-Type': 'application/json' }, body: '[]', ...reply }
    },
  }
}

const ADDRESS = 'http://mock.test/v1/pets?limit=1#top'

describe('createFetch', () => {
  it('passes method, target, header fields and body to the service', async () => {
    const service = stub()
    await createFetch(service)(
      new Request(ADDRESS, { method: 'POST', body: 'é', headers: { 'X-One': '1' } }),
    )
    const [call] = service.calls
    const headers = { 'content-type': 'text/plain;charset=UTF-8', 'x-one': '1' }
    expect(call).toMatchObject({
      method: 'POST',
      target: '/v1/pets?limit=1',
      headers,
      body: new TextEncoder().encode('é'),
    })
  })
})

describe('the fetch of a mock', () => {
  const pip = '{"name":"Pip","categoryId":1}'
  const init = {
    method: 'POST',
    headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
  }

  it('takes a string, a URL or a Request, with or without init', async () => {
    const { fetch } = createMock({ pets: [] })
    const clientFetch: typeof globalThis.fetch = fetch
    const url = 'https://any.test/v1/pets'
    const given = [
      () => clientFetch(url, { ...init, body: pip }),
      () => clientFetch(new URL(url), { ...init, body: pip }),
      () => clientFetch(new Request(url, { ...init, body: pip })),
      () => clientFetch(new Request(url, { ...init, body: 'no JSON' }), { body: pip }),
      () => clientFetch(new Request(url), new Request(url, { ...init, body: pip })),
    ]
    for (const [index, ask] of given.entries()) {
      const response = await ask()
      expect([response.status, response.url, await response.json()]).toEqual([
        201,
        url,
        { id: index + 1, name: 'Pip', categoryId: 1 },
      ])
    }
  })

  it.each<[title: string, body: () => BodyInit]>([
    ['an ArrayBuffer', () => new TextEncoder().encode(pip).buffer],
    [
      'a view of an ArrayBuffer',
      () => new Uint8Array([0, ...new TextEncoder().encode(pip)]).subarray(1),
    ],
    ['a Blob', () => new Blob([pip])],
    ['a stream', () => toStream([pip.slice(0, 9), pip.slice(9)])],
  ])('takes a body that is %s', async (_, body) => {
    const { fetch } = createMock({ pets: [] })
    const response = await fetch('http://any.test/v1/pets', {
      ...init,
      body: body(),
      duplex: 'half',
    } as RequestInit)
    expect([response.status, await response.json()]).toEqual([
      201,
      { id: 1, name: 'Pip', categoryId: 1 },
    ])
  })

  it('takes a request object of another library', async () => {
    const service = stub()
    const headers = { forEach: (add: (value: string, name: string) => void) => add('1', 'x-one') }
    const foreign = { url: ADDRESS, method: 'GET', headers, body: null } as unknown as Request
    expect((await createFetch(service)(foreign)).status).toBe(200)
    expect(service.calls).toMatchObject([
      { method: 'GET', target: '/v1/pets?limit=1', headers: { 'x-one': '1' } },
    ])
  })

  it('rejects a request whose body was read already, as the platform does', async () => {
    const request = new Request(ADDRESS, { method: 'POST', body: pip })
    await request.text()
    await expect(createFetch(stub())(request)).rejects.toThrow(TypeError)
  })

  it.each([
    ['http://app.test:3000/shop/cart', '/v1/pets', 'http://app.test:3000/v1/pets'],
    ['http://app.test:3000/shop/cart', 'v1/pets', 'http://app.test:3000/shop/v1/pets'],
    ['about:blank', '/v1/pets', 'http://localhost/v1/pets'],
  ])('on the page %s resolves the address %s to %s', async (page, given, url) => {
    vi.stubGlobal('location', new URL(page))
    onTestFinished(() => void vi.unstubAllGlobals())
    expect((await createFetch(stub())(given)).url).toBe(url)
  })

  it.each([
    ['http://', 'fetch failed: expected an http or https URL, got "http://"'],
    [
      'ftp://example.com/v1/pets',
      'fetch failed: expected an http or https URL, got "ftp://example.com/v1/pets"',
    ],
    [
      'xhttp://example.com/v1/pets',
      'fetch failed: expected an http or https URL, got "xhttp://example.com/v1/pets"',
    ],
    ['data:,x', 'fetch failed: expected an http or https URL, got "data:,x"'],
    ['http://user:secret@any.test/v1/pets', 'includes credentials'],
  ])('rejects the address %s', async (url, message) => {
    const service = stub()
    const rejected = await createFetch(service)(url).catch((error: unknown) => error)
    expect(rejected).toBeInstanceOf(TypeError)
    expect((rejected as TypeError).message).toContain(message)
    expect(service.calls).toEqual([])
  })
})

describe('a fetch with base addresses', () => {
  const start = (baseUrl: BaseUrl) => {
    const service = stub()
    return { service, fetch: createFetch(service, { baseUrl }) }
  }

  it('answers under each base address, with or without a path before /v1', async () => {
    const { service, fetch } = start([
      'https://api.example.test/v1',
      new URL('https://staging.example.test/store/v1/'),
    ])
    await fetch('https://api.example.test/v1/pets?limit=1')
    await fetch('https://staging.example.test/store/v1/pets/7')
    await fetch('https://api.example.test/v1')
    await fetch('https://api.example.test//v1/pets')
    await fetch('https://staging.example.test/store//v1//pets/')
    expect(service.calls.map(({ target }) => target)).toEqual([
      '/v1/pets?limit=1',
      '/v1/pets/7',
      '/v1',
      '//v1/pets',
      '//v1//pets/',
    ])
  })

  it.each([
    'https://api.example.test/v2/pets',
    'https://other.test/v1/pets',
    'http://api.example.test/v1/pets',
    '/v1/pets',
  ])('rejects %s, which is under none of them', async (url) => {
    const { service, fetch } = start('https://api.example.test/v1')
    const href = new URL(url, 'http://localhost').href
    await expect(fetch(url)).rejects.toThrow(
      new TypeError(`fetch failed: ${href} is not under the mock's baseUrl`),
    )
    expect(service.calls).toEqual([])
  })
})

describe('the body of a request', () => {
  it('is read up to the limit, and no further', async () => {
    const service = stub()
    const read: number[] = []
    const body = new ReadableStream(
      {
        pull: (controller) => controller.enqueue(new Uint8Array(MAX_BODY_BYTES / 2)),
        cancel: () => void read.push(-1),
      },
      { highWaterMark: 0 },
    )
    await createFetch(service)(
      new Request(ADDRESS, { method: 'POST', body, duplex: 'half' } as RequestInit),
    )
    expect([service.calls[0]?.body?.length, read]).toEqual([1.5 * MAX_BODY_BYTES, [-1]])
  })

  it('is read whole, also where a Request has no body property', async () => {
    const service = stub()
    for (const hasBody of [true, false]) {
      const request = new Request(ADDRESS, {
        method: 'POST',
        body: new Uint8Array(MAX_BODY_BYTES + 1),
      })
      if (!hasBody) Object.defineProperty(request, 'body', { value: undefined })
      await createFetch(service)(request)
    }
    expect(service.calls.map(({ body }) => body?.length)).toEqual([
      MAX_BODY_BYTES + 1,
      MAX_BODY_BYTES + 1,
    ])
  })
})

describe('an aborted fetch', () => {
  const reason = new Error('changed my mind')

  it('does not reach the service if its signal was aborted before, in init or in the request', async () => {
    const service = stub()
    const signal = AbortSignal.abort(reason)
    await expect(createFetch(service)(ADDRESS, { signal })).rejects.toBe(reason)
    await expect(createFetch(service)(new Request(ADDRESS), { signal })).rejects.toBe(reason)
    await expect(createFetch(service)(new Request(ADDRESS, { signal }))).rejects.toBe(reason)
    expect(service.calls).toEqual([])
    await expect(
      createFetch(service)(new Request(ADDRESS, { signal }), { signal: null }),
    ).resolves.toMatchObject({ status: 200 })
  })

  it.each(['init', 'request'])('stops reading the body of its %s', async (place) => {
    const service = stub()
    const controller = new AbortController()
    let isCancelled = false
    const source: UnderlyingDefaultSource = {
      // It gives nothing, so that a reader would wait for ever.
      pull: () => controller.abort(reason),
      cancel() {
        isCancelled = true
      },
    }
    const body = new ReadableStream(source, { highWaterMark: 0 })
    const init = { method: 'POST', body, duplex: 'half', signal: controller.signal } as RequestInit
    const fetch = createFetch(service)
    const sent = place === 'init' ? fetch(ADDRESS, init) : fetch(new Request(ADDRESS, init))
    await expect(sent).rejects.toBe(reason)
    expect([isCancelled, service.calls]).toEqual([true, []])
  })

  it('is rejected while its response is delayed, and leaves no listener and no timer behind', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const controller = new AbortController()
    const added = vi.spyOn(controller.signal, 'addEventListener')
    const removed = vi.spyOn(controller.signal, 'removeEventListener')
    const sent = createFetch(stub({ delay: 60_000 }))(ADDRESS, { signal: controller.signal })
    const rejected = expect(sent).rejects.toBe(reason)
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    controller.abort(reason)
    await rejected
    expect(vi.getTimerCount()).toBe(0)
    expect(removed.mock.calls.length).toBe(added.mock.calls.length)
  })
})

function toStream(texts: readonly string[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })
}

it('other code can redefine the url of a response, as MSW 2.3 does', async () => {
  const response = await createMock().fetch('http://localhost/v1/pets')
  Object.defineProperty(response, 'url', { value: 'https://api.example.com/v1/pets' })
  expect(response.url).toBe('https://api.example.com/v1/pets')
})
