// A mock on a port and a real browser that looks at its console. Whatever the page does that it must not do fails the spec:
// an error, a request to elsewhere, something that its own policy forbids.
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { expect as playwrightExpect } from 'playwright/test'
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from 'vitest'
import { type ServeOptions, serve } from '../../src/hosts/node/serve.ts'
import { createMock, type Mock, type MockOptions } from '../../src/mock/mock.ts'
import type { JournalEntry } from '../../src/world/journal-entry.ts'
import { launchChromium } from '../browser/chromium.ts'

export interface Opened {
  readonly mock: Mock
  readonly page: Page
  readonly origin: string
  /** Sends a request to the service, as a client would; a dropped connection gives undefined. */
  ask(target: string, init?: RequestInit & { key?: string }): Promise<Response | undefined>
  /** Adds an animal. */
  create(body: string, key?: string): Promise<Response | undefined>
  /** Goes to a view by its link. */
  go(view: string): Promise<void>
  close(): Promise<void>
}

export interface OpenOptions extends MockOptions {
  readonly view?: string
  readonly serve?: ServeOptions
  readonly context?: BrowserContextOptions
  /** Whether to wait until the world is there. */
  readonly isReady?: boolean
}

/** Waits for what a page will come to show. */
export const expectPage = playwrightExpect.configure({ timeout: 15_000 })

let browser: Browser
let problems: string[] = []

/** One browser for the file; each spec gets a profile of its own. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await launchChromium()
  }, 120_000)
  afterAll(() => browser.close())
  afterEach(() => {
    const seen = problems
    problems = []
    expect(seen).toEqual([])
  })
}

/** Takes back what was deliberately provoked. */
export function forgive(expected: RegExp): void {
  problems = problems.filter((problem) => !expected.test(problem))
}

export async function openConsole({
  view = 'animals',
  serve: serveOptions,
  context,
  isReady = true,
  ...options
}: OpenOptions = {}): Promise<Opened> {
  const mock = createMock({ now: '2026-11-15T08:30:00Z', frozen: true, ...options })
  const { url, port, close } = await serve(mock, serveOptions)
  const origin = new URL(url).origin
  const page = await openPage(origin, context)
  onTestFinished(async () => {
    await page.context().close()
    await close()
  })
  await page.goto(`http://127.0.0.1:${port}/__mock/#/${view}`)
  if (isReady) await page.locator('main h1:visible').waitFor()
  const ask: Opened['ask'] = (target, { key = 'any-key', headers, ...init } = {}) =>
    fetch(url + target, { ...init, headers: { authorization: `Bearer ${key}`, ...headers } }).catch(() => undefined)
  return {
    mock,
    page,
    origin,
    ask,
    create: (body, key) => ask('/pets', { method: 'POST', body, headers: { 'content-type': 'application/json' }, ...(key ? { key } : {}) }),
    async go(label) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: label }).click()
      await page.getByRole('heading', { level: 1, name: label }).waitFor()
    },
    close,
  }
}

/** A page that is watched for what it must not do. */
export async function openPage(origin: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!/^(data|blob|about):/.test(request.url()) && new URL(request.url()).origin !== origin)
      problems.push(`a request to ${request.url()}`)
  })
  page.on('console', (message) => {
    // The browser itself notes every answer that is not a success; which of those are right is for the specs to say.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) problems.push(message.text())
  })
  return page
}

/** What is on the clipboard. */
export function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

/** What a request is about, and what came of it, without what every client adds of its own. */
export function toSent(entry: JournalEntry | undefined) {
  if (!entry) return undefined
  const { method, target, key, status, request } = entry
  const { 'content-type': type, prefer } = request.headers
  return { method, target, key, status, type, prefer, body: request.body }
}
