// The web site as its visitors get it: built, served as files, and opened in Chromium.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { launchChromium } from '../browser/chromium.ts'
import { pageOf, root } from '../support/documents.ts'
import { type ServedFolder, serveFolder } from './serve-folder.ts'

const ANSWER_TIMEOUT_MS = 2_000
const site = join(root, 'site')
const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

let browser: Browser
let served: ServedFolder
let page: Page
let leaving: string[]

beforeAll(async () => {
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: site, stdio: 'pipe' })
  if (!existsSync(join(site, 'node_modules'))) npm('ci', '--no-audit', '--no-fund')
  npm('run', 'build')
  served = await serveFolder(join(site, '.vitepress/dist'), new URL(homepage).pathname)
  browser = await launchChromium()
})

afterAll(async () => {
  served?.close()
  await browser?.close()
})

beforeEach(async () => {
  page = await browser.newPage()
  leaving = []
  page.on('request', (request) => {
    const url = request.url()
    if (/^https?:/.test(url) && !url.startsWith(served.url)) leaving.push(url)
  })
})

afterEach(async () => {
  expect(leaving).toEqual([])
  await page.close()
})

it('the home page answers a request in the page, and says why and what if', async () => {
  await page.goto(served.url)
  const detail = page.getByLabel('The open request')
  await page.getByRole('button', { name: 'Add Rex' }).click()
  await detail.getByText('Got 201').waitFor({ timeout: ANSWER_TIMEOUT_MS })
  await page.getByRole('button', { name: 'Ask for too many' }).click()
  await detail.getByText('limit: expected an integer from 1 to 100, got 500').first().waitFor()
  expect(await page.getByLabel('Timeline').getByRole('listitem').count()).toBe(2)
  await detail.getByRole('button', { name: 'What if?' }).click()
  await detail.getByText('invalid-query were clamp').waitFor()
  expect(await detail.locator('details').last().textContent()).toContain('Rex')
  await page.getByText('npx animal-store-mock').waitFor()
})

it('the playground starts from the scenario in its address', async () => {
  await page.goto(`${served.url}play/?scenario=sold-out`)
  await page.getByText('sold-out').first().waitFor()
})

it.each(['library', 'control', 'appendix/functions'])(
  'the snippets of %s that have a button print what the page shows',
  async (name) => {
    await page.goto(`${served.url}${name}`)
    const snippets = page.locator('.runnable')
    const outputs: (string | null)[] = []
    for (const snippet of await snippets.all()) {
      await snippet.getByRole('button', { name: 'Run' }).click()
      outputs.push(await snippet.locator('.output').textContent())
    }
    expect(outputs.length).toBeGreaterThan(0)
    const shown = pageOf(`docs/${name}.md`)
      .fences.filter(({ language }) => language === 'text')
      .map(({ text }) => text.trim())
    for (const output of outputs) expect(shown).toContain(output)
  },
)

it('the search finds a page, and a block that installs packages has a tab for pnpm', async () => {
  await page.goto(`${served.url}getting-started`)
  await page.locator('.vp-code-group label', { hasText: 'pnpm' }).first().click()
  expect(await page.locator('.vp-code-group .blocks .active').first().textContent()).toContain(
    'pnpm add -D',
  )
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('#localsearch-input').fill('retry with back-off')
  await page.locator('#localsearch-list a').first().waitFor()
})
