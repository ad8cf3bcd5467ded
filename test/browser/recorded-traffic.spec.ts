// Files of traffic as browsers write them: calibrate reads each, and blames the mock for nothing.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { calibrate } from '../../src/calibrate/calibrate.ts'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock, type Pet } from '../../src/index.ts'
import { createFolder } from '../support/cli-process.ts'
import { listen } from '../support/listen.ts'
import { launchChromium } from './chromium.ts'
import { recordNetwork } from './record-network.ts'

const KEY = 'page-key-0123456789'
const pets: Pet[] = [
  { id: 1, name: 'Rex', categoryId: 1, status: 'sold' },
  { id: 2, name: 'Misty', categoryId: 2 },
]
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
}, 60_000)
afterAll(() => browser.close())

/** Runs in the page, which is of another origin than the mock. */
async function useStore(base: string): Promise<void> {
  const headers = {
    authorization: 'Bearer page-key-0123456789',
    'content-type': 'application/json',
  }
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(base + path, { headers, ...init })
    await response.text()
  }
  await send('/pets')
  await send('/pets/2')
  await send('/pets', { method: 'POST', body: '{"name":"Bär 🐻","categoryId":1}' })
  await send('/pets', { method: 'POST', body: '{}' })
  await send('/pets/77')
  await send('/pets', { headers: {} })
  await Promise.all([send('/pets?limit=1'), send('/pets?status=sold'), send('/pets/3')])
  await send('/pets?limit=100')
}

/** A page of an app, before it has sent anything to its mock. */
async function openApp(context: BrowserContext) {
  const mock = createMock({ pets, apiKeys: [KEY] })
  const { url, close } = await serve(mock)
  onTestFinished(close)
  const origin = await listen((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>App</title>')
  })
  const page = await context.newPage()
  return { page, url, origin }
}

async function expectExplained(har: unknown): Promise<void> {
  const { findings, notes, rows, scenario } = await calibrate({ har, keepNames: true })
  const verdicts = new Set(findings.map(({ verdict }) => verdict))
  expect([...verdicts].sort()).toEqual(['confirmed', 'undecided'])
  expect(rows).toEqual({ judged: 10, explained: 10 })
  expect(notes.filter((note) => note.startsWith('animal'))).toEqual([])
  expect(scenario.pets).toEqual(pets)
}

it('calibrate reads what Playwright records', async () => {
  const path = join(createFolder(), 'traffic.har')
  const context = await browser.newContext({ recordHar: { path } })
  const { page, url, origin } = await openApp(context)
  await page.goto(origin)
  await page.evaluate(useStore, url)
  await context.close()
  await expectExplained(readFileSync(path, 'utf8'))
})

it("calibrate reads what Chromium's network events tell", async () => {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const { page, url, origin } = await openApp(context)
  const recording = await recordNetwork(page)
  await page.goto(origin)
  await page.evaluate(useStore, url)
  await vi.waitUntil(recording.isComplete)
  await expectExplained(await recording.har())
})
