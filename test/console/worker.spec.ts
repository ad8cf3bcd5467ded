// The console of a worker behind TLS, on an address that is not a loopback one.
import { expect, it, onTestFinished } from 'vitest'
import { startTlsProxy } from '../support/tls-proxy.ts'
import { startWorkerd } from '../support/workerd.ts'
import { createClient, TOKEN } from '../worker/http.ts'
import { expectPage, openPage, useBrowser } from './open-console.ts'

useBrowser()

/** A worker behind a proxy that speaks TLS, and a page that may look at it. */
async function startConsole() {
  const workerd = await startWorkerd({ bindings: { CONTROL_TOKEN: TOKEN } })
  const proxy = await startTlsProxy(workerd.port)
  const page = await openPage(proxy.origin, { ignoreHTTPSErrors: true })
  onTestFinished(async () => {
    await page.context().close()
    proxy.close()
    await workerd.stop()
  })
  const client = createClient(() => workerd.port)
  return { page, proxy, client }
}

it('the console of a worker asks for the token, lists the requests of all sandboxes, and resets one', async () => {
  const { page, proxy, client } = await startConsole()
  for (const key of ['ann-key', 'bob-key']) await client.ask({ path: `/v1/pets?of=${key}`, key })
  await page.goto(`${proxy.origin}/__mock/`)
  await page.getByLabel('Token').fill(TOKEN)
  await page.getByLabel('Token').press('Enter')
  const keys = page.locator('a.row .key')
  await expectPage(keys).toHaveText(['bob-key', 'ann-key'])
  // Each sandbox counts its own requests.
  for (const key of ['ann-key', 'bob-key']) await client.ask({ path: `/v1/pets?of=${key}`, key })
  await expectPage(keys).toHaveText(['bob-key', 'ann-key', 'bob-key', 'ann-key'])
  await page.locator('a.row').nth(3).click()
  await expectPage(page.locator('.pane')).toContainText('/v1/pets?of=ann-key')
  await expectPage(page.locator('a.row[aria-current=true]')).toHaveCount(1)
  await page.keyboard.press('Escape')

  // A write from the page carries an https Origin.
  await client.create('ann-key', 'Of Ann')
  await page.getByRole('button', { name: 'Sandbox' }).click()
  await page
    .locator('.menu:popover-open')
    .getByRole('link', { name: /^ann-key/ })
    .click()
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: 'Scenarios' })
    .click()
  await expectPage(page.getByRole('button', { name: 'Load sold-out' })).toBeVisible()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expectPage(page.locator('.toast')).toContainText(/reset/i)
  expect((await client.ask({ path: '/v1/pets/19', key: 'ann-key' })).status).toBe(404)
})

it('the control API of a worker refuses pages of other origins', async () => {
  const workerd = await startWorkerd({ bindings: { CONTROL_TOKEN: TOKEN } })
  onTestFinished(() => workerd.stop())
  const client = createClient(() => workerd.port)
  const host = 'mock.example.com'
  const statuses = [
    'https://mock.example.com',
    'http://mock.example.com',
    'https://evil.example.com',
    'null',
    'ftp://mock.example.com',
  ].map(
    async (origin) =>
      (await client.ask({ path: '/__mock/health', key: TOKEN, headers: { host, origin } })).status,
  )
  expect(await Promise.all(statuses)).toEqual([200, 200, 403, 403, 403])
})
