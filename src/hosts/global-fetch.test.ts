import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BaseUrl } from '../mock/base-address.ts'
import { createMock } from '../mock/mock.ts'
import { installPassThrough, replaceFetch, replaceFetchBy } from './global-fetch.ts'

const original = vi.fn(async (..._given: unknown[]) => new Response('elsewhere'))
const headers = { authorization: 'Bearer k' }

beforeEach(() => void vi.stubGlobal('fetch', original))
afterEach(() => {
  vi.unstubAllGlobals()
  original.mockClear()
})

function replace(baseUrl?: BaseUrl) {
  const mock = createMock({ pets: [{ id: 1, name: 'Rex', categoryId: 1 }] })
  return { mock, restore: replaceFetch(mock, baseUrl) }
}

it.each<[baseUrl: BaseUrl | undefined, input: RequestInfo | URL, isOurs: boolean]>([
  [undefined, 'https://any.test/v1/pets/1', true],
  [undefined, new URL('https://any.test/v1/pets/1?x=y'), true],
  [undefined, new Request('https://any.test/v1/pets/1'), true],
  [undefined, '/v1/pets/1', true],
  [undefined, 'https://any.test/other', false],
  [undefined, new Request('https://any.test/other'), false],
  [undefined, 'http://', false],
  ['https://api.test/v1', 'https://api.test/v1/pets/1', true],
  ['https://api.test/v1', 'https://any.test/v1/pets/1', false],
  ['https://api.test/v1', 'https://any.test/?from=https://api.test/v1/pets', false],
  ['https://api.test/shop/v1', 'https://api.test/shop/v1/pets/1', true],
  [['https://a.test/v1', 'https://b.test/v1'], 'https://b.test/v1/pets/1', true],
])(
  'the replaced fetch with the base address %j answers a request to %s: %s',
  async (baseUrl, input, isOurs) => {
    replace(baseUrl)
    const init = { headers }
    const text = await (await fetch(input, init)).text()
    expect(text).toBe(isOurs ? '{"id":1,"name":"Rex","categoryId":1}' : 'elsewhere')
    expect(original.mock.calls).toEqual(isOurs ? [] : [[input, init]])
  },
)

it('the replaced fetch resolves a relative address against the page', async () => {
  vi.stubGlobal('location', new URL('https://shop.test/cart'))
  replace('https://shop.test/v1')
  expect((await fetch('/v1/pets/1', { headers })).status).toBe(200)
  expect(await (await fetch('/other')).text()).toBe('elsewhere')
})

it('restore puts the original fetch back, unless other code has replaced fetch since', () => {
  const first = replace()
  first.restore()
  expect(globalThis.fetch).toBe(original)
  const second = replace()
  const others = vi.fn()
  globalThis.fetch = others
  second.restore()
  expect(globalThis.fetch).toBe(others)
})

describe('the pass-through that is installed as fetch', () => {
  const mark = Symbol.for('animal-store-mock.fetch')
  const marks = globalThis as { [mark]?: unknown }
  const before = marks[mark]
  let captured: typeof fetch
  beforeEach(() => {
    delete marks[mark]
    installPassThrough()
    captured = globalThis.fetch
  })
  afterEach(() => {
    marks[mark] = before
  })

  const status = async (send: typeof fetch, url = 'https://api.test/v1/pets/1') =>
    (await send(url, { headers })).status
  const text = async (send: typeof fetch, url = 'https://api.test/v1/pets/1') =>
    (await send(url)).text()

  it('leads a client that has captured it to the store, while the store is active', async () => {
    const { restore } = replace('https://api.test/v1')
    expect(await status(captured)).toBe(200)
    expect(await text(captured, 'https://any.test/')).toBe('elsewhere')
    restore()
    expect(await text(captured)).toBe('elsewhere')
    expect(globalThis.fetch).toBe(captured)
  })

  it('calls the function that replaces fetch, whose own requests go to the original fetch', async () => {
    const stop = replaceFetchBy(() => {
      const below = globalThis.fetch
      globalThis.fetch = async (input) =>
        new Response(`replaced, ${await (await below(input)).text()}`)
    })
    expect(await text(captured)).toBe('replaced, elsewhere')
    expect(original).toHaveBeenCalledOnce()
    globalThis.fetch = original
    stop()
    expect(globalThis.fetch).toBe(captured)
    expect(await text(captured)).toBe('elsewhere')
  })

  it('causes no loop if other code has replaced fetch by a function that calls it', async () => {
    globalThis.fetch = async (input, init) => captured(input, init)
    const fake = globalThis.fetch
    const stop = replaceFetchBy(() => {
      globalThis.fetch = (input, init) => fake(input, init)
    })
    expect(await text(globalThis.fetch)).toBe('elsewhere')
    expect(await text(captured)).toBe('elsewhere')
    stop()
    expect(globalThis.fetch).not.toBe(captured)
  })
})
