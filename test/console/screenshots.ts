// The pictures of the console, some of them for the README, made anew by `npm run screenshots`: on narrow, usual and wide pages, in light
// and in dark.
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions } from 'playwright'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'
import { launchChromium } from '../browser/chromium.ts'
import buildConsole from './build-console.ts'

const folder = fileURLToPath(new URL('./screenshots/', import.meta.url))
const usual = { width: 1280, height: 800 }
const wide = { width: 1920, height: 1000 }
const narrow = { width: 360, height: 740 }

const PICTURES: readonly { name: string; view: string; clicks?: readonly string[]; options: BrowserContextOptions }[] = [
  { name: 'light', view: 'traffic', options: { viewport: usual, colorScheme: 'light' } },
  { name: 'dark', view: 'faults', options: { viewport: usual, colorScheme: 'dark' } },
  { name: 'narrow', view: 'animals', options: { viewport: narrow, colorScheme: 'light' } },
  { name: 'narrow-dark', view: 'traffic', options: { viewport: narrow, colorScheme: 'dark' } },
  { name: 'wide', view: 'traffic', clicks: ['.traffic tr:nth-child(7) .open'], options: { viewport: wide, colorScheme: 'light' } },
  { name: 'wide-dark', view: 'scenarios/edit', options: { viewport: wide, colorScheme: 'dark' } },
]

await buildConsole()
mkdirSync(folder, { recursive: true })
const browser = await launchChromium()
for (const { name, view, clicks = [], options } of PICTURES) {
  const { page, close } = await openBusy(options)
  await page.goto(`${page.url().split('#')[0]}#/${view}`)
  for (const selector of clicks) await page.locator(selector).click()
  await page.waitForTimeout(1_500)
  await page.screenshot({ path: `${folder}${name}.png` })
  await close()
}
await browser.close()

/** A page that has looked on while clients were at work. */
async function openBusy(options: BrowserContextOptions) {
  const mock = createMock({ now: '2028-06-01T08:30:00Z' })
  const { url, controlUrl, close } = await serve(mock)
  const page = await browser.newPage(options)
  await page.goto(`${controlUrl}/`)
  await page.getByText('Live').waitFor()
  const ask = (target: string, init: RequestInit = {}, key = 'app-key-7f3a') =>
    fetch(url + target, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
    }).catch(() => {})
  const create = (pet: unknown) => ask('/pets', { method: 'POST', body: JSON.stringify(pet) })
  await ask('/pets')
  await ask('/pets?limit=5&status=available')
  await ask('/pets/12')
  await create({ name: 'Juno the Saluki', categoryId: 1, status: 'available' })
  await ask('/pets?limit=500')
  await ask('/pets/twelve')
  mock.control.faults.add({ operation: 'createPet', status: 503, times: 1, retryAfter: 1 })
  mock.control.faults.add({ operation: '*', delay: [40, 120], rate: 0.5 })
  await create({ name: 'Nala the Bengal' })
  await create({ name: 'Nala the Bengal', categoryId: 9007199254740993n.toString() })
  await ask('/pets', { method: 'POST', body: '{"name":"Nala the Bengal","categoryId":9007199254740993,"status":"pending"}' })
  await ask('/pets', { headers: { prefer: 'drop' } }, 'qa-key-19c0')
  await ask('/pets?status=pending', {}, 'qa-key-19c0')
  await ask('/store/orders', {}, 'qa-key-19c0')
  await ask('/pets', {}, 'invalid')
  await ask('/pets/51', {}, 'qa-key-19c0')
  return {
    page,
    async close() {
      await page.close()
      await close()
    },
  }
}
