// The server as pages of other origins see it, with a browser to enforce what its fields say.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMock } from 'animal-store-mock'
import { type Serving, serve } from 'animal-store-mock/node'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchChromium } from './chromium.ts'

const blank = createServer((_, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Page</title>'),
)
const mock = createMock()
let api: Serving
let browser: Browser
let page: Page

beforeAll(async () => {
  api = await serve(mock)
  await new Promise<void>((resolve) => blank.listen(0, '127.0.0.1', resolve))
  browser = await launchChromium(['--host-resolver-rules=MAP *.test 127.0.0.1'])
})
afterAll(async () => {
  await browser?.close()
  await api?.close()
  blank.closeAllConnections()
  blank.close()
})
beforeEach(async () => {
  mock.control.reset()
  page = await browser.newPage()
})
afterEach(() => page.close())

const open = (host: string) => page.goto(`http://${host}:${(blank.address() as AddressInfo).port}/`)

/** What the page gets to know of an answer. */
const ask = (target: string, init: RequestInit = {}) =>
  page.evaluate(
    async ([url, options]) => {
      const response = await fetch(url, options).catch((error: Error) => error.name)
      if (typeof response === 'string') return response
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
    },
    [api.url + target, { ...init, headers: { authorization: 'Bearer key', ...init.headers } }] as const,
  )

describe('the server', () => {
  it.each(['localhost', '127.0.0.1', 'app.localhost'])('lets a page of %s create and read', async (host) => {
    await open(host)
    const body = '{"name":"Pip","categoryId":1}'
    const created = await ask('/pets', { method: 'POST', body, headers: { 'content-type': 'application/json', prefer: 'delay=1' } })
    expect(created).toMatchObject({
      status: 201,
      headers: { 'preference-applied': 'delay=1' },
      text: '{"id":19,"name":"Pip","categoryId":1}',
    })
    expect(await ask('/pets/19')).toMatchObject({ status: 200, headers: { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' } })
    // The browser asked for leave first, and was not asked for a key.
    expect(mock.control.requests({ method: 'OPTIONS' }).map(({ status, key }) => [status, key])).toContainEqual([204, null])
  })

  it('lets it read why a request failed', async () => {
    await open('localhost')
    expect(await ask('/pets', { headers: { authorization: 'Bearer invalid' } })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="animal-store", error="invalid_token"' },
    })
    expect(await ask('/pets/1', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    expect(await ask('/pets?limit=0')).toMatchObject({ status: 400, headers: { 'x-mock-assumption': 'invalid-query' } })
    expect(await ask('/pets', { headers: { prefer: 'code=503' } })).toMatchObject({ status: 503 })
  })

  it('keeps a method outside the interface from being sent at all', async () => {
    await open('localhost')
    expect(await ask('/pets/1', { method: 'DELETE' })).toBe('TypeError')
    expect(mock.control.requests({ method: 'DELETE' })).toEqual([])
  })

  it('tells a foreign page nothing', async () => {
    await open('shop.test')
    expect(await ask('/pets')).toBe('TypeError')
    expect(mock.control.requests().map(({ method, status }) => [method, status])).toEqual([['OPTIONS', 204]])
  })
})
