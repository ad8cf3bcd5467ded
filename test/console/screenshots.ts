// Takes the picture of the console for the README: a request that was refused, and a fault that
// counts down.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'
import { launchChromium } from '../browser/chromium.ts'
import buildConsole from './build-console.ts'

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url))
/** The default port, so that the picture shows the address that people see. */
const PORT = 7387

await buildConsole()
mkdirSync(folder, { recursive: true })
const browser = await launchChromium()
const mock = createMock()
const { url, controlUrl, close } = await serve(mock, { port: PORT })
await work()
const page = await browser.newPage({
  viewport: { width: 1280, height: 620 },
  deviceScaleFactor: 1,
  colorScheme: 'light',
})
await page.goto(`${controlUrl}/`)
await page.locator('.row', { hasText: 'categoryId' }).click()
await page.locator('.marked').waitFor()
await page.mouse.move(0, 0)
// Playwright itself takes no WebP, which is half as large as a PNG.
const session = await page.context().newCDPSession(page)
const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 50 })
writeFileSync(`${folder}console.webp`, Buffer.from(data, 'base64'))
await browser.close()
await close()

/** What a client under development sends. */
async function work(): Promise<void> {
  const ask = (target: string, init: RequestInit = {}, key = 'app-key-7f3a') =>
    fetch(url + target, {
      ...init,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...init.headers,
      },
    }).catch(() => {})
  const create = (body: string) => ask('/pets', { method: 'POST', body })
  await ask('/pets')
  await ask('/pets?limit=5&status=available')
  await ask('/pets/12')
  await create('{"name":"Juno the Saluki","categoryId":1,"status":"available"}')
  await ask('/pets?limit=500')
  await ask('/pets/twelve')
  mock.control.faults.add({ operation: 'createPet', status: 503, times: 3, retryAfter: 1 })
  await create('{"name":"Nala the Bengal","categoryId":2,"status":"pending"}')
  await create('{"name":"Nala the Bengal","categoryId":2,"status":"pending"}')
  await ask('/pets', { headers: { prefer: 'drop' } }, 'qa-key-19c0')
  await ask('/pets?status=pending', { headers: { prefer: 'delay=140' } }, 'qa-key-19c0')
  await ask('/store/orders', {}, 'qa-key-19c0')
  await ask('/pets', {}, 'invalid')
  const [fault] = mock.control.faults.list()
  mock.control.faults.clear()
  await create('{"name":"Nala the Bengal","categoryId":"9007199254740993","status":"pending"}')
  if (fault) mock.control.faults.add(fault)
  await create('{"name":"Nala the Bengal","categoryId":9007199254740993,"status":"pending"}')
  mock.control.faults.clear()
  if (fault) mock.control.faults.add(fault)
  await ask('/pets/19')
}
