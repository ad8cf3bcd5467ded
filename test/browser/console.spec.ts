// The console inside an app's page, with MSW's worker and without a server: same console, and
// nothing of it in the app.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import axe from 'axe-core'
import type { Browser, FrameLocator, Page } from 'playwright'
import { expect as playwrightExpect } from 'playwright/test'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { launchChromium } from './chromium.ts'
import { openSite, type Site } from './site.ts'

const expectPage = playwrightExpect.configure({ timeout: 30_000 })
const app = fileURLToPath(new URL('./console-app.ts', import.meta.url))
const HOST = 'animal-store-console'

let site: Site
let browser: Browser

beforeAll(async () => {
  site = await openSite(app, 'development')
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  site?.close()
})
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())).then(() => {}))

async function openApp(
  width = 1280,
): Promise<{ page: Page; frame: FrameLocator; requests: string[]; problems: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 800 } })
  const requests: string[] = []
  const problems: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto(site.url)
  await expectPage(page).toHaveTitle('ready')
  return { page, frame: page.frameLocator('iframe'), requests, problems }
}

const ask = (page: Page, target: string) =>
  page.evaluate(
    async (path) => (await fetch(path, { headers: { authorization: 'Bearer any-key' } })).status,
    target,
  )

it('the console fills an element, at the given place, until it is removed', async () => {
  const { page, frame, problems } = await openApp()
  await page.evaluate(() => {
    const element = document.createElement('section')
    element.style.height = '400px'
    document.body.append(element)
    const { openIn } = globalThis as unknown as { openIn(element: Element): () => void }
    Object.assign(globalThis, { remove: openIn(element) })
  })
  await expectPage(frame.getByRole('heading', { level: 1 })).toHaveText('Animals')
  await expectPage(frame.locator('.url')).toHaveCount(0)
  expect(await page.locator('section iframe').evaluate((one) => one.clientHeight)).toBe(400)
  await frame.getByRole('link', { name: 'Timeline' }).click()
  await frame.getByRole('button', { name: 'Send it now' }).click()
  await expectPage(frame.locator('a.row')).toHaveCount(1)
  await page.evaluate(() => (globalThis as unknown as { remove(): void }).remove())
  await expectPage(page.locator('iframe')).toHaveCount(0)
  expect(problems).toEqual([])
})

it('the console in a page shows the requests of the app with reasons, and makes an operation fail', async () => {
  const { page, frame, problems } = await openApp()
  await ask(page, '/store/v1/pets?limit=500')
  await page.getByRole('button', { name: 'Animal Store mock' }).click()
  const rows = frame.locator('a.row')
  await expectPage(frame.locator('.live')).toHaveText('Live')
  await expectPage(rows).toContainText('limit: expected')
  await frame.getByRole('button', { name: 'Break' }).click()
  await frame.getByRole('button', { name: 'Fail with 503: listPets' }).click()
  await expectPage(frame.locator('.condition')).toContainText('twice')
  expect(await ask(page, '/store/v1/pets')).toBe(503)
  await expectPage(rows).toHaveCount(2)
  await expectPage(rows.first()).toContainText('1 of 2')
  await page.mouse.click(5, 5)
  await expectPage(frame.locator('.menu:popover-open')).toHaveCount(0)
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  await frame.getByRole('button', { name: 'Close the console' }).click()
  const button = page.getByRole('button', { name: 'Animal Store mock' })
  await expectPage(button).toHaveText('Animal Store mock 1 fault')
  await button.click()
  await rows.first().click()
  await frame.getByRole('button', { name: 'Send again' }).click()
  await expectPage(rows.first()).toContainText('2 of 2')
  // Before the fault was added, there is none.
  await rows.last().click()
  await frame.getByRole('button', { name: 'Before this' }).click()
  await frame.getByRole('button', { name: 'Go back to here' }).click()
  await expectPage(frame.locator('.condition')).toHaveCount(0)
  expect(await ask(page, '/store/v1/pets')).toBe(200)
  // Links stay inside of the frame.
  await frame.getByRole('navigation').getByRole('link', { name: 'Animals' }).click()
  await expectPage(rows).toHaveCount(18)
  expect(problems.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
})

it('the console in a page names one address, and its first request works where it is copied to', async () => {
  const { page, frame } = await openApp()
  await page.getByRole('button', { name: 'Animal Store mock' }).click()
  const start = frame.locator('.start')
  await expectPage(start.locator('code').first()).toHaveText(new URL('/store/v1', site.url).href)
  const example = await start.locator('pre').innerText()
  expect(example.match(/http:[^'"]*\/v1/g)).toEqual([new URL('/store/v1', site.url).href])
  await page.evaluate(`(async () => { ${example} })()`)
  await expectPage(frame.locator('a.row')).toContainText('200')
})

it('the console in a page adds one element to the app, and no style, global, request or history entry', async () => {
  const { page, frame, requests } = await openApp()
  const look = () =>
    page.evaluate(() => ({
      elements: document.querySelectorAll('*').length,
      children: [...document.documentElement.children].map(({ localName }) => localName),
      sheets: document.styleSheets.length + document.adoptedStyleSheets.length,
      globals: Object.keys(globalThis).length,
      hash: location.hash,
      history: history.length,
      margin: getComputedStyle(document.body).margin,
    }))
  const before = await look()
  expect(before.children).toEqual(['head', 'body', HOST])
  const sent = requests.length
  await page.getByRole('button', { name: 'Animal Store mock' }).click()
  await frame.getByRole('link', { name: 'Scenarios' }).click()
  await frame.getByRole('button', { name: 'Load empty' }).click()
  await expectPage(frame.locator('.toast')).toContainText('empty')
  expect(await look()).toEqual(before)
  // Only files of this package are loaded, and the frame.
  expect(requests.slice(sent).filter((url) => !/^(about|data|blob):|\/assets\//.test(url))).toEqual(
    [],
  )
  await frame.getByRole('button', { name: 'Close the console' }).click()
  await expectPage(page.locator('iframe')).toBeHidden()
  await expectPage(page.getByRole('button', { name: 'Animal Store mock' })).toBeFocused()
})

it('the button of the console counts failures until you look', async () => {
  const { page, frame } = await openApp()
  const button = page.getByRole('button', { name: 'Animal Store mock' })
  await ask(page, '/store/v1/pets')
  await expectPage(button).toHaveText('Animal Store mock')
  await ask(page, '/store/v1/pets/99')
  await ask(page, '/store/v1/pets/98')
  await expectPage(button).toHaveText('Animal Store mock 2')
  await button.click()
  await expectPage(frame.locator('a.row')).toHaveCount(3)
  await frame.locator('a.row').first().click()
  await expectPage(frame.locator('.pane')).toHaveCount(1)
  await frame.getByRole('button', { name: 'Close the console' }).click()
  await expectPage(button).toHaveText('Animal Store mock')
  await ask(page, '/store/v1/pets/97')
  await button.click()
  await expectPage(frame.locator('a.row')).toHaveCount(4)
  await expectPage(frame.locator('.pane')).toHaveCount(0)
})

it('the drawer pushes the app, takes the focus and gives it back, and is the same after a reload', async () => {
  const { page, frame } = await openApp()
  const room = () => page.evaluate(() => getComputedStyle(document.documentElement).padding)
  await page.evaluate(() => {
    document.body.innerHTML =
      '<style>html, body { height: 100%; margin: 0 }</style><button>Of the app</button>'
    document.querySelector('button')?.focus()
  })
  const button = page.getByRole('button', { name: 'Animal Store mock' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expectPage(frame.locator('.live')).toHaveText('Live')
  expect(await room()).toBe('0px 0px 400px')
  // Also an app that fills the window.
  expect(await page.evaluate(() => document.body.clientHeight)).toBe(400)
  // The focus is inside: keys reach the console.
  await page.keyboard.press('/')
  await expectPage(frame.getByRole('searchbox')).toHaveCount(0)
  await frame.getByRole('button', { name: 'Dock at the right' }).click()
  expect(await room()).toBe('0px 512px 0px 0px')
  await expectPage(frame.getByRole('button', { name: 'Keys' })).toBeVisible()
  await page.getByRole('separator').focus()
  for (let index = 0; index < 16; index++) await page.keyboard.press('ArrowLeft')
  await expectPage.poll(room).toBe('0px 960px 0px 0px')
  for (let index = 0; index < 16; index++) await page.keyboard.press('ArrowRight')
  await expectPage.poll(room).toBe('0px 428px 0px 0px')
  // No further than its least size, so that the first step back shows.
  await page.keyboard.press('ArrowLeft')
  await expectPage.poll(room).toBe('0px 460.8px 0px 0px')
  await frame.getByRole('button', { name: 'Dock at the bottom' }).click()
  expect(await room()).toBe('0px 0px 400px')
  await frame.getByRole('button', { name: 'Dock at the right' }).click()
  await frame.getByRole('navigation').getByRole('link', { name: 'Animals' }).click()
  await expectPage(frame.locator('a.row')).toHaveCount(18)
  await page.reload()
  await expectPage(page).toHaveTitle('ready')
  await expectPage(frame.locator('a.row')).toHaveCount(18)
  const addresses = page.frames().map((one) => one.url())
  expect(addresses).toEqual([site.url, 'about:srcdoc#/animals'])
  expect(await room()).toBe('0px 460.8px 0px 0px')
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('body')
  await frame.getByRole('navigation').getByRole('link', { name: 'Animals' }).click()
  await page.keyboard.press('Escape')
  await expectPage(page.locator('iframe')).toBeHidden()
  expect(await room()).toBe('0px')
  await page.reload()
  await expectPage(page).toHaveTitle('ready')
  await expectPage(page.locator('iframe')).toBeHidden()
})

it('the drawer keeps what you typed while it is closed, and after a reload', async () => {
  const { page, frame } = await openApp()
  const button = page.getByRole('button', { name: 'Animal Store mock' })
  await button.click()
  await frame.getByRole('navigation').getByRole('link', { name: 'Animals' }).click()
  await frame.locator('a.row').first().click()
  await frame.getByRole('textbox', { name: 'name' }).fill('Mine')
  await frame.getByRole('button', { name: 'Close the console' }).click()
  await expectPage(page.locator('iframe')).toBeHidden()
  await button.click()
  await expectPage(frame.getByRole('textbox', { name: 'name' })).toHaveValue('Mine')
  // The focus is inside again.
  await page.keyboard.press('Escape')
  await expectPage(frame.locator('.pane')).toHaveCount(0)
  await page.reload()
  await expectPage(frame.locator('a.row', { hasText: 'unsaved' })).toHaveCount(1)
})

it('a detail is closed after a reload, since the rows of another mock have its id', async () => {
  const { page, frame } = await openApp()
  await ask(page, '/store/v1/pets')
  await page.getByRole('button', { name: 'Animal Store mock' }).click()
  await frame.locator('a.row').click()
  await expectPage(frame.locator('.pane')).toHaveCount(1)
  await page.reload()
  await expectPage(frame.locator('.start')).toBeVisible()
  await expectPage(frame.locator('.pane')).toHaveCount(0)
})

it('the button of the console can be dragged, stays there after a reload, and opens with a click or a key', async () => {
  const { page, frame } = await openApp()
  const button = page.getByRole('button', { name: 'Animal Store mock' })
  const box = async () => (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const start = await box()
  await page.mouse.move(start.x + 20, start.y + 10)
  await page.mouse.down()
  await page.mouse.move(start.x - 280, start.y - 90, { steps: 5 })
  await page.mouse.up()
  const moved = { ...start, x: start.x - 300, y: start.y - 100 }
  expect(await box()).toEqual(moved)
  await expectPage(page.locator('iframe')).toBeHidden()
  await button.press('Enter')
  await expectPage(frame.locator('.live')).toHaveText('Live')
  await page.keyboard.press('Escape')
  await expectPage(page.locator('iframe')).toBeHidden()
  await page.reload()
  await expectPage(page).toHaveTitle('ready')
  expect(await box()).toEqual(moved)
  // It never leaves the window.
  await page.setViewportSize({ width: 300, height: 200 })
  await expectPage(button).toBeInViewport({ ratio: 1 })
  await button.click()
  await expectPage(page.locator('iframe')).toHaveCount(1)
})

it('the views and the buttons of the drawer fit on a telephone', async () => {
  const { page, frame } = await openApp(390)
  await ask(page, '/store/v1/pets?limit=500')
  await page.getByRole('button', { name: 'Animal Store mock' }).click()
  // Most of the height, so that What if… can be read.
  expect(await page.evaluate(() => document.documentElement.style.paddingBottom)).toBe('70vh')
  await expectPage(frame.getByRole('link', { name: 'Timeline' })).toBeVisible()
  for (const name of ['Timeline', 'Animals', 'Scenarios', 'Faults', 'Assumptions'])
    await expectPage(frame.getByRole('link', { name })).toBeInViewport({ ratio: 1 })
  const topOf = async (part: string) => (await frame.locator(part).boundingBox())?.y ?? 0
  expect(Math.abs((await topOf('.head > :last-child')) - (await topOf('.head nav')))).toBeLessThan(
    10,
  )
  // There is room at the bottom only.
  await expectPage(frame.getByRole('button', { name: /^Dock/ })).toHaveCount(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await frame.getByRole('button', { name: 'Dock at the right' }).click()
  // A detail covers the list, and never what closes and moves the drawer.
  await frame.locator('a.row').click()
  await expectPage(frame.getByRole('button', { name: 'Dock at the bottom' })).toBeInViewport({
    ratio: 1,
  })
  await page.setViewportSize({ width: 390, height: 800 })
  await expectPage(frame.getByRole('button', { name: /^Dock/ })).toHaveCount(0)
  const { paddingBottom, paddingRight } = await page.evaluate(() => ({
    ...document.documentElement.style,
  }))
  expect({ paddingBottom, paddingRight }).toEqual({ paddingBottom: '70vh', paddingRight: '' })
  await expectPage(frame.getByRole('button', { name: 'Close the console' })).toBeInViewport({
    ratio: 1,
  })
  await frame.getByRole('button', { name: 'Close the console' }).click()
  await expectPage(page.locator('iframe')).toBeHidden()
})

it('axe finds no problem in the drawer, on both sides', async () => {
  const { page, frame } = await openApp()
  await ask(page, '/store/v1/pets?limit=500')
  await page.getByRole('button', { name: 'Animal Store mock' }).click()
  await frame.locator('a.row').click()
  for (const side of ['bottom', 'right']) {
    const inside = page.frames()[1]
    await inside?.evaluate(axe.source)
    const run = () =>
      (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] })
    const issues = (await inside?.evaluate(run))?.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`,
    )
    expect({ side, issues }).toEqual({ side, issues: [] })
    if (side === 'right') return
    await page.keyboard.press('Escape')
    await frame.getByRole('button', { name: 'Dock at the right' }).click()
  }
})

it('the console in a page is at most 80 kB, and absent from a production build', async () => {
  const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
  const size = ['console.js', 'shared/console.js'].reduce(
    (sum, path) => sum + gzipSync(readFileSync(join(dist, path))).length,
    0,
  )
  expect(size).toBeLessThanOrEqual(80_000)
  const production = await openSite(app, 'production')
  const page = await browser.newPage()
  const bodies: Promise<string>[] = []
  page.on('response', (response) => response.url().endsWith('.js') && bodies.push(response.text()))
  await page.goto(production.url)
  await expectPage(page).toHaveTitle('ready')
  expect((await Promise.all(bodies)).join('')).not.toContain(HOST)
  await expectPage(page.locator(HOST)).toHaveCount(0)
  production.close()
})
