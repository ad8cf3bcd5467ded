// The examples of the README that need a browser, each run as its reader would run it.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { getChromium, launchChromium } from './chromium.ts'
import { openSite } from './site.ts'

const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

async function open(script: string): Promise<Page> {
  const site = await openSite(script)
  const page = await browser.newPage()
  onTestFinished(async () => {
    await page.close()
    site.close()
  })
  await page.goto(site.url)
  return page
}

const list = (page: Page, url: string) =>
  page.evaluate(async (address) => {
    const response = await fetch(address, { headers: { authorization: 'Bearer any-key' } })
    return (await response.json()) as { status?: string }[]
  }, url)

it('answers a page that starts the ready handlers', async () => {
  const page = await open(example('browser.ts'))
  // Nothing tells a page that it may begin, if the app does not: the first 401 can only be ours.
  await page.waitForFunction(async () => (await fetch('/v1/pets')).status === 401)
  expect(await list(page, '/v1/pets?limit=100')).toHaveLength(50)
})

it('gives every story of a Storybook the scenario that it asks for', async () => {
  const page = await open(fileURLToPath(new URL('./storybook.ts', import.meta.url)))
  await page.waitForFunction(() => 'showStory' in globalThis)
  const show = (scenario?: string) =>
    page.evaluate((name) => (globalThis as unknown as { showStory(name?: string): void }).showStory(name), scenario)
  await show('sold-out')
  const animals = await list(page, 'https://api.example.com/v1/pets?limit=100')
  expect(new Set(animals.map(({ status }) => status))).toEqual(new Set(['sold']))
  await show()
  expect(await list(page, 'https://api.example.com/v1/pets?limit=100')).toHaveLength(50)
})

it('serves every Playwright test a store of its own, and every worker a sandbox of a shared one', async () => {
  const app = readFileSync(example('playwright/app.html'))
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(app))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const output = mkdtempSync(join(tmpdir(), 'playwright-'))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    rmSync(output, { recursive: true, force: true })
  })
  const cli = fileURLToPath(new URL('../../node_modules/@playwright/test/cli.js', import.meta.url))
  const env = {
    ...process.env,
    APP_URL: `http://localhost:${(server.address() as AddressInfo).port}`,
    CHROMIUM: getChromium(),
    OUTPUT: output,
  }
  const bin = fileURLToPath(new URL('../../bin/animal-store-mock.js', import.meta.url))
  const command = [bin, 'exec', '--sandbox', '--', process.execPath, cli, 'test', '--config', example('playwright')]
  const { stdout } = await promisify(execFile)(process.execPath, command, { env })
  expect(stdout).toContain('6 passed')
})
