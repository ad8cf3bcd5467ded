// The control API against a page that means harm, in a real browser: it can send, and neither
// change nor learn a thing.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { animals } from '../support/animals.ts'
import { startControl } from '../support/control-client.ts'
import { listen } from '../support/listen.ts'
import { launchChromium } from './chromium.ts'

const situation = { scenario: { name: 'zoo', pets: animals, now: '2026-11-15', frozen: true } }
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
}, 60_000)
afterAll(() => browser.close())

/** A web server with one empty page; gives its port. */
async function serveBlankPage(): Promise<number> {
  const page = '<!doctype html><title>Free kittens</title>'
  return Number(
    new URL(
      await listen((_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(page),
      ),
    ).port,
  )
}

async function open(url: string): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(url)
  return page
}

/**
 * What the control API answers during the test, as method and status: the browser hides some of it
 * even from its owner.
 */
function recordAnswers(): string[] {
  const answers: string[] = []
  const onFinish = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (request.url?.startsWith('/__mock/'))
      answers.push(`${request.method} ${response.statusCode}`)
  }
  subscribe('http.server.response.finish', onFinish)
  onTestFinished(() => void unsubscribe('http.server.response.finish', onFinish))
  return answers
}

/**
 * Everything that a page can try on another origin without its leave. Runs in the page; gives what
 * it got to know.
 */
async function attack(api: string): Promise<string[]> {
  const learnt: string[] = []
  const settle = (name: string, attempt: Promise<unknown>) =>
    attempt.then(
      (what) => void (what !== undefined && learnt.push(`${name}: ${what}`)),
      () => {},
    )
  const body = JSON.stringify({ operation: '*', drop: true })
  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(api + path, init)
    return response.type === 'opaque' ? undefined : `${response.status} ${await response.text()}`
  }
  const load = (tag: 'img' | 'script' | 'link', field: 'src' | 'href', path: string) =>
    new Promise<string | undefined>((resolve) => {
      const element = Object.assign(document.createElement(tag), {
        [field]: api + path,
        rel: 'stylesheet',
      })
      element.onload = () => resolve('loaded')
      element.onerror = () => resolve(undefined)
      document.head.append(element)
    })
  const submit = (path: string, enctype: string) =>
    new Promise<undefined>((resolve) => {
      const frame = Object.assign(document.createElement('iframe'), {
        name: `frame${path}${enctype}`,
      })
      document.body.append(frame)
      const form = Object.assign(document.createElement('form'), {
        method: 'POST',
        enctype,
        action: api + path,
        target: frame.name,
      })
      form.append(
        Object.assign(document.createElement('input'), {
          name: '{"operation":"*","drop":true,"x":"',
          value: '"}',
        }),
      )
      document.body.append(form)
      frame.onload = () => setTimeout(() => resolve(undefined), 50)
      form.submit()
    })
  const listen = new Promise<string | undefined>((resolve) => {
    const source = new EventSource(`${api}/events`)
    source.onopen = () => resolve('opened')
    source.onerror = () => {
      source.close()
      resolve(undefined)
    }
  })

  const json = { 'content-type': 'application/json' }
  await Promise.all([
    ...['/state', '/requests', '/health', '/openapi.json'].flatMap((path) => [
      settle(`read ${path}`, send(path, {})),
      settle(`read ${path} blindly`, send(path, { mode: 'no-cors' })),
      settle(`image ${path}`, load('img', 'src', path)),
      settle(`script ${path}`, load('script', 'src', path)),
      settle(`style ${path}`, load('link', 'href', path)),
    ]),
    ...['/reset', '/faults'].flatMap((path) => [
      settle(`text to ${path}`, send(path, { method: 'POST', mode: 'no-cors', body })),
      settle(
        `bytes to ${path}`,
        send(path, { method: 'POST', mode: 'no-cors', body: new Blob([body]) }),
      ),
      settle(`nothing to ${path}`, send(path, { method: 'POST', mode: 'no-cors' })),
      settle(`JSON to ${path}`, send(path, { method: 'POST', headers: json, body })),
      settle(
        `the header to ${path}`,
        send(path, { method: 'POST', headers: { 'x-mock-control': '1' } }),
      ),
      settle(`a form to ${path}`, submit(path, 'text/plain')),
      settle(`a plain form to ${path}`, submit(path, 'application/x-www-form-urlencoded')),
    ]),
    settle('a beacon', Promise.resolve(void navigator.sendBeacon(`${api}/faults`, body))),
    settle('a put', send('/state', { method: 'PUT', headers: json, body: '{"name":"empty"}' })),
    settle('a delete', send('/faults', { method: 'DELETE' })),
    settle('events', listen),
  ])
  return learnt
}

describe('a hostile page', () => {
  it.each<[title: string, address: (evil: number) => string]>([
    ['on another port of the same machine', (evil) => `http://127.0.0.1:${evil}/`],
    ['on another site', (evil) => `http://kittens.localhost:${evil}/`],
  ])('%s learns nothing and changes nothing', async (_, address) => {
    const { mock, controlUrl = '' } = await startControl({
      ...situation,
      sandbox: true,
      faults: [{ operation: 'getPet', status: 500 }],
    })
    const before = mock.control.state()
    const page = await open(address(await serveBlankPage()))
    const answers = recordAnswers()
    expect(await page.evaluate(attack, controlUrl)).toEqual([])
    expect(mock.control.state()).toEqual(before)
    expect(mock.control.requests()).toEqual([])
    // The attempts did get through to the mock: it was the mock that refused them, all of them.
    expect(answers.length).toBeGreaterThan(25)
    expect(new Set(answers)).toEqual(new Set(['GET 403', 'POST 403', 'OPTIONS 403']))
  })

  it('without an origin learns nothing and changes nothing', async () => {
    const { mock, controlUrl = '' } = await startControl(situation)
    const before = mock.control.state()
    const page = await open(`http://127.0.0.1:${await serveBlankPage()}/`)
    const answers = recordAnswers()
    const learnt = await page.evaluate(
      ([source, api]) =>
        new Promise((resolve) => {
          addEventListener('message', ({ data }) => resolve(data))
          const frame = document.createElement('iframe')
          frame.setAttribute('sandbox', 'allow-scripts allow-forms')
          frame.srcdoc = `<script type="module">parent.postMessage(await (${source})(${JSON.stringify(api)}), '*')</script>`
          document.body.append(frame)
        }),
      [attack.toString(), controlUrl],
    )
    expect(learnt).toEqual([])
    expect(mock.control.state()).toEqual(before)
    expect(new Set(answers)).toEqual(new Set(['GET 403', 'POST 403', 'OPTIONS 403']))
  })

  it('can do less than a page of the mock itself, whose requests are answered', async () => {
    const { mock, controlUrl = '' } = await startControl(situation)
    const page = await open(`${controlUrl}/health`)
    const learnt = await page.evaluate(attack, controlUrl)
    expect(learnt).toContainEqual(expect.stringMatching(/^read \/health: 200 /))
    expect(learnt).toContainEqual(expect.stringMatching(/^JSON to \/faults: 201 /))
    expect(learnt).toContain('events: opened')
    expect(mock.control.summary().scenario).toBe('empty')
  })
})
