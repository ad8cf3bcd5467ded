// A mock on a port and a real browser that looks at its console. A page that reports an error,
// calls another address or breaks its own content security policy fails the spec.
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright'
import { expect as playwrightExpect } from 'playwright/test'
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from 'vitest'
import { type ServeOptions, serve } from '../../src/hosts/node/serve.ts'
import { createMock, type Mock, type MockOptions } from '../../src/mock/mock.ts'
import { launchChromium } from '../browser/chromium.ts'

export interface Opened {
  readonly mock: Mock
  readonly page: Page
  readonly origin: string
  /** The rows of the list that is shown. */
  readonly rows: Locator
  /** The detail. */
  readonly pane: Locator
  /** What has just happened. */
  readonly message: Locator
  /** What the bar says is not normal. */
  readonly conditions: Locator
  /** Sends a request to the service, as a client would; a dropped connection gives undefined. */
  ask(target: string, init?: RequestInit & { key?: string }): Promise<Response | undefined>
  /** Adds an animal. */
  create(body: string, key?: string): Promise<Response | undefined>
  click(button: string): Promise<void>
  /** Opens a menu and clicks something in it. */
  choose(menu: string | RegExp, item: string): Promise<void>
  /** Goes to a view by its link. */
  go(view: string): Promise<void>
  close(): Promise<void>
}

export interface OpenOptions extends MockOptions {
  /** Instead of one with these options. */
  readonly mock?: Mock
  readonly view?: string
  readonly serve?: ServeOptions
  readonly context?: BrowserContextOptions
  /** Whether to wait until the view is there. */
  readonly isReady?: boolean
}

/** Waits for what a page will come to show. */
export const expectPage = playwrightExpect.configure({ timeout: 30_000 })

let browser: Browser
let problems: string[] = []

/** One browser for the file; each spec gets a separate profile. */
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

/** Forgets problems that a spec provoked. */
export function forgive(expected: RegExp): void {
  problems = problems.filter((problem) => !expected.test(problem))
}

export async function openConsole({
  view = '',
  serve: serveOptions,
  context,
  isReady = true,
  mock: given,
  ...options
}: OpenOptions = {}): Promise<Opened> {
  const mock = given ?? createMock(options)
  const { url, port, close } = await serve(mock, serveOptions)
  const origin = new URL(url).origin
  const page = await openPage(origin, context)
  onTestFinished(async () => {
    await page.context().close()
    await close()
  })
  await page.goto(`http://127.0.0.1:${port}/__mock/#/${view}`)
  if (isReady) await page.locator('main h1').waitFor({ state: 'attached' })
  const ask: Opened['ask'] = (target, { key = 'any-key', headers, ...init } = {}) =>
    fetch(url + target, { ...init, headers: { authorization: `Bearer ${key}`, ...headers } }).catch(
      () => undefined,
    )
  return {
    mock,
    page,
    origin,
    rows: page.locator('a.row'),
    pane: page.locator('.pane'),
    message: page.locator('.toast'),
    conditions: page.locator('.condition'),
    ask,
    create: (body, key) =>
      ask('/pets', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        ...(key ? { key } : {}),
      }),
    click: (name) => page.getByRole('button', { name, exact: true }).click(),
    async choose(menu, item) {
      await page.getByRole('button', { name: menu }).click()
      const [open, name] = [page.locator('.menu:popover-open'), new RegExp(`^${item}`)]
      await open.getByRole('button', { name }).or(open.getByRole('link', { name })).click()
    },
    async go(label) {
      await page
        .getByRole('navigation', { name: 'Views' })
        .getByRole('link', { name: label })
        .click()
      await page.getByRole('heading', { level: 1, name: label }).waitFor({ state: 'attached' })
    },
    close,
  }
}

/** A page that is watched for what it must not do. */
export async function openPage(origin: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  await context.addInitScript(() => {
    addEventListener('copy', ({ target }) =>
      Object.assign(window, { copied: (target as HTMLTextAreaElement).value }),
    )
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  watch(page, origin)
  return page
}

function watch(page: Page, origin: string): void {
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
    // The browser notes every response that is not a success; the specs say which of those are
    // right.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
}

/**
 * What this page copied last: all pages of a browser share its clipboard, and other specs copy too.
 */
export function readCopied(page: Page): Promise<string> {
  return page.evaluate(() => (window as { copied?: string }).copied ?? '')
}

/** What has the focus, as text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    return (
      element?.getAttribute('aria-label') ??
      element?.getAttribute('data-stop') ??
      element?.textContent ??
      ''
    ).trim()
  })
}
