// The examples that need a browser, each run as its reader would run it.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { preview } from 'vite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { findFreePort } from '../matrix/project.ts'
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

it('examples/browser answers the requests of a page in development, and has no mock in its production build', async () => {
  const { folder, run } = createExampleProject('browser')
  await run('npm run build', { NODE_ENV: 'production' })
  const shipped = readdirSync(join(folder, 'dist/assets')).map((file) =>
    readFileSync(join(folder, 'dist/assets', file), 'utf8'),
  )
  expect(shipped.join('')).toContain('/v1/pets')
  expect(shipped.join('').length).toBeLessThan(5000)
  await run('npm run build', { NODE_ENV: 'development' })
  const server = await preview({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    preview: { port: 0, host: '127.0.0.1' },
  })
  onTestFinished(() => server.close())
  const { port } = server.httpServer.address() as AddressInfo
  // MSW's worker needs a secure context, which localhost is.
  const page = await openPage(`http://localhost:${port}`)
  await page.locator('li').nth(17).waitFor()
  expect(await page.locator('li').count()).toBe(18)
  expect(await page.locator('li').first().textContent()).toMatch(/^\w+ the /)
})

it('examples/storybook gives every story the scenario that it asks for', async () => {
  const { folder } = createExampleProject('storybook')
  // What Storybook does with a loader: it runs before each story, with the story's parameters.
  const entry = join(folder, 'stories.ts')
  writeFileSync(
    entry,
    `import { scenarios } from 'animal-store-mock/scenarios'
import { loaders } from './.storybook/preview.ts'
globalThis.showStory = (id, viewMode, name) =>
  loaders[0]({ id, viewMode, parameters: name ? { store: { scenario: scenarios[name] } } : {} })`,
  )
  const site = await openSite(entry)
  onTestFinished(() => site.close())
  const page = await openPage(site.url)
  await page.waitForFunction(() => 'showStory' in globalThis)
  type ShowStory = (
    id: string,
    viewMode: string,
    scenario?: string,
  ) => Promise<{ store: { apiKey: string } }>
  const show = (id: string, viewMode: string, scenario?: string) =>
    page.evaluate(
      async ([story, mode, name]) =>
        (
          await (globalThis as unknown as { showStory: ShowStory }).showStory(
            story as string,
            mode as string,
            name,
          )
        ).store.apiKey,
      [id, viewMode, scenario],
    )
  const statusesOf = (key: string) =>
    page.evaluate(async (own) => {
      const response = await fetch('https://api.example.com/v1/pets?limit=100', {
        headers: { authorization: `Bearer ${own}` },
      })
      return [
        ...new Set(
          ((await response.json()) as { status?: string }[]).map(({ status }) => status ?? 'none'),
        ),
      ].sort()
    }, key)
  const all = ['available', 'none', 'pending', 'sold']
  await show('sold-out', 'story', 'sold-out')
  expect(await statusesOf('app-key')).toEqual(['sold'])
  await show('default', 'story')
  expect(await statusesOf('app-key')).toEqual(all)
  // On one docs page: each story's own key has its own scenario, and a key of the app has the one
  // that was loaded last.
  const keys = [await show('sold-out', 'docs', 'sold-out'), await show('default', 'docs')]
  expect(await Promise.all(keys.map(statusesOf))).toEqual([['sold'], all])
  expect(await statusesOf('app-key')).toEqual(all)
})

it('examples/playwright gives every test a sandbox of one mock, or a separate server', async () => {
  const { run } = createExampleProject('playwright')
  const output = await run('npm test', {
    APP_PORT: String(await findFreePort()),
    CHROMIUM_PATH: getChromium(),
  })
  expect(output).toContain('7 passed')
})
