// The examples that need a browser, each run as its reader would run it.

import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { preview } from 'vite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createExampleProject } from '../support/example-project.ts'
import { getChromium, launchChromium } from './chromium.ts'
import { openSite } from './site.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

async function openPage(url: string): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(url)
  return page
}

it('browser: answers the requests of a page that Vite has built', async () => {
  const { folder, run } = createExampleProject('browser')
  await run('npm run build')
  const server = await preview({ root: folder, configFile: false, logLevel: 'warn', preview: { port: 0, host: '127.0.0.1' } })
  onTestFinished(() => server.close())
  const { port } = server.httpServer.address() as AddressInfo
  // MSW's worker needs a secure context, which localhost is.
  const page = await openPage(`http://localhost:${port}`)
  await page.locator('li').nth(19).waitFor()
  expect(await page.locator('li').count()).toBe(20)
  expect(await page.locator('li').first().textContent()).toMatch(/^\w+ the /)
})

it('storybook: gives every story the scenario that it asks for', async () => {
  const { folder } = createExampleProject('storybook')
  // What Storybook does with a preview: its hooks run before all stories and before each of them.
  const entry = join(folder, 'stories.ts')
  writeFileSync(
    entry,
    `import preview from './.storybook/preview.ts'
await preview.beforeAll()
globalThis.showStory = (scenario) => preview.beforeEach({ parameters: scenario ? { scenario } : {} })`,
  )
  const site = await openSite(entry)
  onTestFinished(() => site.close())
  const page = await openPage(site.url)
  await page.waitForFunction(() => 'showStory' in globalThis)
  const showStory = (scenario?: string) =>
    page.evaluate(async (name) => {
      ;(globalThis as unknown as { showStory(name?: string): void }).showStory(name)
      const response = await fetch('https://api.example.com/v1/pets?limit=100', { headers: { authorization: 'Bearer any-key' } })
      return (await response.json()) as { status?: string }[]
    }, scenario)
  expect(new Set((await showStory('sold-out')).map(({ status }) => status))).toEqual(new Set(['sold']))
  expect(await showStory()).toHaveLength(50)
})

it('playwright: gives every test a store of its own, and every worker a sandbox of a shared one', async () => {
  const { run } = createExampleProject('playwright')
  const output = await run('npm test', { APP_PORT: String(await findFreePort()), CHROMIUM_PATH: getChromium() })
  expect(output).toContain('6 passed')
})

/** The example's web server takes a port rather than choosing one. */
async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
