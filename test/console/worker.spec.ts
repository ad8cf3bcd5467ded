// The console of a worker behind TLS: the page of a place where nobody is on loopback.
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

it('asks for the token, follows a sandbox, and changes its world', async () => {
  const { page, proxy, client } = await startConsole()
  await page.goto(`${proxy.origin}/__mock/#/animals`)
  await page.getByLabel('Token').fill(TOKEN)
  await page.getByLabel('Token').press('Enter')
  await expectPage(page.getByLabel('World')).toBeEnabled()

  // A sandbox that comes while the page is open, and what happens in it.
  await client.create('ann-key', 'Of Ann')
  await expectPage(page.getByLabel('World')).toHaveValue('ann-key')
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Traffic' }).click()
  await expectPage(page.locator('.traffic tbody tr')).toHaveCount(1)
  await client.ask({ path: '/v1/pets/999', key: 'ann-key' })
  await expectPage(page.locator('.traffic tbody tr')).toHaveCount(2)
  if (process.env.SCREENSHOTS) await page.screenshot({ path: process.env.SCREENSHOTS })

  // A write from the page carries an https Origin.
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Scenarios' }).click()
  await page.getByRole('button', { name: 'Reset' }).first().click()
  await expectPage.poll(async () => client.control('GET', '/changes?sandbox=ann-key')).toMatchObject({ added: [] })
  expect((await client.ask({ path: '/v1/pets/51', key: 'ann-key' })).status).toBe(404)
})

it('shows the requests of all sandboxes, each of which counts its own', async () => {
  const { page, proxy, client } = await startConsole()
  for (const key of ['ann-key', 'bob-key']) await client.ask({ path: `/v1/pets?of=${key}`, key })
  await page.goto(`${proxy.origin}/__mock/#/traffic`)
  await page.getByLabel('Token').fill(TOKEN)
  await page.getByLabel('Token').press('Enter')
  const keys = page.locator('.traffic tbody .at-key')
  await expectPage(keys).toHaveText(['bob-key', 'ann-key'])
  // As they happen, too.
  for (const key of ['ann-key', 'bob-key']) await client.ask({ path: `/v1/pets?of=${key}`, key })
  await expectPage(keys).toHaveText(['bob-key', 'ann-key', 'bob-key', 'ann-key'])
  await page.locator('.traffic .open').nth(3).click()
  const dialog = page.getByRole('dialog')
  await expectPage(dialog).toContainText('/v1/pets?of=ann-key')
  await dialog.getByRole('button', { name: 'Newer' }).click()
  await expectPage(dialog).toContainText('/v1/pets?of=bob-key')
  await page.reload()
  await expectPage(dialog).toContainText('/v1/pets?of=bob-key')
  await expectPage(page.locator('.traffic .opened')).toHaveCount(1)
})

it('refuses pages of other origins, whatever the scheme', async () => {
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
  ].map(async (origin) => (await client.ask({ path: '/__mock/health', key: TOKEN, headers: { host, origin } })).status)
  expect(await Promise.all(statuses)).toEqual([200, 200, 403, 403, 403])
})
