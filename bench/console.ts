// The console: what its page weighs, and how soon it shows animals however many there are.
import { gzipSync } from 'node:zlib'
import type { serve as Serve } from '../src/hosts/node/index.ts'
import type { createMock as CreateMock } from '../src/mock/mock.ts'
import { launchChromium } from '../test/browser/chromium.ts'
import { importBuilt } from './built.ts'
import { atMost, type Figure } from './figures.ts'
import { median } from './measure.ts'

const ANIMALS = 100_000
const ROUNDS = 7
const FILES = ['/', '/console.js', '/console.css']

export async function measureConsole(): Promise<Figure[]> {
  const { createMock } = await importBuilt<{ createMock: typeof CreateMock }>('index.js')
  const { serve } = await importBuilt<{ serve: typeof Serve }>('node.js')
  const pets = Array.from({ length: ANIMALS }, (_, index) => ({
    id: index + 1,
    name: `Rex ${index}`,
    categoryId: 1,
    status: 'sold' as const,
  }))
  const { controlUrl = '', close } = await serve(createMock({ pets }))
  const browser = await launchChromium()
  try {
    const page = await Promise.all(
      FILES.map(async (file) => gzipSync(Buffer.from(await (await fetch(controlUrl + file)).arrayBuffer())).length),
    )
    const pageBytes = page.reduce((sum, bytes) => sum + bytes)
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await showAnimals(browser, controlUrl))
    const took = median(rounds.map(({ milliseconds }) => milliseconds))
    const bytes = Math.max(...rounds.map((round) => round.bytes))
    return [
      atMost('the whole page of the console, bytes gzipped', pageBytes, 60_000, pageBytes.toLocaleString('en')),
      atMost('console with 100,000 animals, ms to the first rows', took, 1_000, took.toFixed(0)),
      atMost('console with 100,000 animals, bytes of all responses until then', bytes, 300_000, bytes.toLocaleString('en')),
    ]
  } finally {
    await browser.close()
    await close()
  }
}

/** Opens the page anew, with nothing cached. */
async function showAnimals(browser: Awaited<ReturnType<typeof launchChromium>>, controlUrl: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  let bytes = 0
  page.on('response', (response) => {
    bytes += Number(response.headers()['content-length'] ?? 0)
  })
  const startedAt = performance.now()
  await page.goto(`${controlUrl}/`)
  await page.locator('.animals tbody tr').first().waitFor()
  const milliseconds = performance.now() - startedAt
  await context.close()
  return { milliseconds, bytes }
}
