// The handlers in a real service worker of a real browser, in an app's own bundle. The specs of the service run in a page too (the
// project `page`); here is what they cannot see from inside one: the same bytes as the server's, the network, a reload.
import { fileURLToPath } from 'node:url'
import { createMock } from 'animal-store-mock'
import { serve } from 'animal-store-mock/node'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Asked } from './app.ts'
import { launchChromium } from './chromium.ts'
import { openSite, type Site } from './site.ts'

const API = 'https://api.example.test/v1'
const authorization = 'Bearer page-key'
const json = { authorization, 'content-type': 'application/json' }

let site: Site
let browser: Browser
let page: Page

beforeAll(async () => {
  site = await openSite(fileURLToPath(new URL('./app.ts', import.meta.url)))
  browser = await launchChromium()
  page = await browser.newPage()
  await page.goto(site.url)
  await page.waitForFunction(() => 'app' in globalThis)
})
afterAll(async () => {
  await browser?.close()
  site?.close()
})
beforeEach(() => page.evaluate(() => app.mock.control.reset()))

const ask = (asked: Asked) => page.evaluate((one) => app.ask(one), asked)

describe('the handlers in a service worker', () => {
  it('answer with the same bytes and fields as the server', async () => {
    const server = await serve(createMock({ apiKeys: ['page-key'], now: '2026-11-15T10:00:00Z', frozen: true }))
    const big = '{"name":"Zoë 🦊 \\u0000","categoryId":9223372036854775807,"status":"sold"}'
    const targets: [target: string, init: Omit<Asked, 'url'>][] = [
      ['/pets', { headers: { authorization } }],
      ['/pets?limit=3&status=sold', { headers: { authorization } }],
      ['/pets?limit=101', { headers: { authorization } }],
      ['/pets/7', { headers: { authorization } }],
      ['/pets/7', { method: 'HEAD', headers: { authorization } }],
      ['/pets/4711', { headers: { authorization } }],
      ['/pets', {}],
      ['/pets', { headers: { authorization: 'Bearer wrong' } }],
      ['/pets', { method: 'POST', headers: json, body: big }],
      ['/pets/19', { headers: { authorization } }],
      ['/pets', { method: 'POST', headers: json, body: '{"name":1}' }],
      ['/pets', { method: 'POST', headers: { authorization, 'content-type': 'text/plain' }, body: 'x' }],
      ['/pets', { method: 'POST', headers: json }],
      ['/pets', { method: 'PROPFIND', headers: { authorization } }],
      ['/pets/7', { method: 'DELETE', headers: { authorization } }],
      ['/store/orders', { headers: { authorization } }],
      ['', { headers: { authorization } }],
      ['/pets', { headers: { authorization, prefer: 'code=503' } }],
    ]
    for (const [target, init] of targets) {
      const response = await fetch(server.url + target, init)
      const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'connection' && name !== 'keep-alive'))
      const fromServer = { status: response.status, headers, bytes: Buffer.from(await response.arrayBuffer()).toString('base64') }
      for (const base of ['/v1', API]) {
        // A second creation would get a second id.
        if (base === API && init.method === 'POST' && init.body === big) continue
        expect(await ask({ url: base + target, ...init }), `${init.method ?? 'GET'} ${base}${target}`).toEqual(fromServer)
      }
    }
    await server.close()
  })

  it('do not notice an abort, which the service worker does not pass on', async () => {
    const entry = await page.evaluate(
      async ({ url, headers }) => {
        app.mock.control.faults.add({ operation: 'listPets', delay: 200 })
        const logged = new Promise<{ outcome: string; status: number }>((resolve) => {
          const unsubscribe = app.mock.control.subscribe((event) => {
            if (event.type !== 'request') return
            unsubscribe()
            resolve({ outcome: event.row.outcome, status: event.row.status })
          })
        })
        const error = await fetch(url, { headers, signal: AbortSignal.timeout(20) }).catch((reason: Error) => reason.name)
        return { error, ...(await logged) }
      },
      { url: `${API}/pets`, headers: { authorization } },
    )
    expect(entry).toEqual({ error: 'TimeoutError', outcome: 'sent', status: 200 })
  })

  it('answer an XMLHttpRequest too', async () => {
    const seen = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const request = new XMLHttpRequest()
          request.open('GET', 'https://api.example.test/v1/pets/1')
          request.setRequestHeader('Authorization', 'Bearer page-key')
          request.onload = () => resolve([request.status, request.getResponseHeader('Sunset'), JSON.parse(request.responseText).id])
          request.send()
        }),
    )
    expect(seen).toEqual([200, 'Thu, 05 Dec 2030 00:00:00 GMT', 1])
  })

  it('start from the scenario again when the page is reloaded', async () => {
    await ask({ url: '/v1/pets', method: 'POST', headers: json, body: '{"name":"Pip","categoryId":1}' })
    await page.reload()
    await page.waitForFunction(() => 'app' in globalThis)
    expect((await ask({ url: '/v1/pets/19', headers: { authorization } })).status).toBe(404)
  })
})
