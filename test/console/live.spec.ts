// The page stays in step with the mock: in eight tabs, across restarts, under a path, behind a
// control token.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { middleware } from '../../src/hosts/node/middleware.ts'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'
import { toCall } from '../support/call.ts'
import { expectPage, openConsole, openPage, useBrowser } from './open-console.ts'

useBrowser()

it('eight windows live with one event stream, and another window takes over when its window closes', async () => {
  const { page, ask, origin, mock } = await openConsole({ pets: [] })
  const pages = [page]
  while (pages.length < 8) {
    const next = await page.context().newPage()
    await next.goto(`${origin}/__mock/#/timeline`)
    pages.push(next)
  }
  for (const one of pages) {
    expect(await one.evaluate(() => document.visibilityState)).toBe('visible')
    await expectPage(one.locator('.live')).toHaveText('Live')
  }
  await ask('/pets?limit=1')
  for (const one of pages) await expectPage(one.locator('a.row')).toHaveCount(1)
  await page.close()
  await pages[1]?.close()
  for (const one of pages.slice(2)) await expectPage(one.locator('.live')).toHaveText('Live')
  // What a window sends needs a connection, too.
  await pages[7]?.goto(`${origin}/__mock/#/timeline/new`)
  await pages[7]?.getByRole('button', { name: 'Send', exact: true }).click()
  for (const one of pages.slice(2, 7)) await expectPage(one.locator('a.row')).toHaveCount(2)
  expect(mock.control.requests()).toHaveLength(2)
})

it('a window with a wrong token shows no requests, also beside a window with the right one', async () => {
  const controlToken = 'the-right-token-1'
  const { page, ask, origin, rows } = await openConsole({ serve: { controlToken }, isReady: false })
  const other = await page.context().newPage()
  await other.goto(`${origin}/__mock/`)
  await page.getByLabel('Token').fill(controlToken)
  await page.keyboard.press('Enter')
  await expectPage(page.locator('.live')).toHaveText('Live')
  await other.getByLabel('Token').fill('wrong-token-123456')
  await other.keyboard.press('Enter')
  await expectPage(other.getByRole('alert')).toHaveText('This token is not valid.')
  await ask('/pets')
  await expectPage(rows).toHaveCount(1)
  await expectPage(other.locator('a.row')).toHaveCount(0)
})

it('the console works in a server that mounts the mock under a path', async () => {
  const mock = createMock({ pets: [] })
  const handle = middleware(mock)
  const server = createServer((request, response) => {
    request.url = request.url?.replace(/^\/api/, '')
    handle(request, response)
  }).listen(0)
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const page = await openPage(origin)
  onTestFinished(async () => {
    await page.context().close()
    server.closeAllConnections()
    server.close()
  })
  await page.goto(`${origin}/api/__mock/`)
  await expectPage(page.locator('.live')).toHaveText('Live')
  await expectPage(page.locator('.url')).toContainText(`${origin}/api/v1`)
  await page.getByRole('button', { name: 'Send it now' }).click()
  await expectPage(page.locator('a.row')).toHaveCount(1)
  expect(mock.control.requests()).toMatchObject([
    { target: '/v1/pets?status=available&limit=3', status: 200 },
  ])
})

it('the console says when the mock has stopped and when it has restarted; a form stays, not a request: another may get its id', async () => {
  const { page, close, origin, ask, pane, rows, message } = await openConsole()
  await ask('/pets?before')
  await rows.click()
  const other = await page.context().newPage()
  await other.goto(`${origin}/__mock/#/timeline/new`)
  await other.getByLabel('Path').fill('/v1/mine')
  await close()
  await expectPage(message).toContainText('The mock is not responding.')
  await expectPage(page.locator('.live')).toHaveText('Disconnected')
  await expectPage(pane).toContainText('before')
  await other.getByRole('link', { name: 'Animals' }).click()
  await expectPage(other.locator('main')).toContainText('not responding')
  await other.goBack()
  const again = await serve(createMock(), { port: Number(new URL(origin).port) })
  onTestFinished(again.close)
  await expectPage(message).toContainText('restarted', { timeout: 20_000 })
  await expectPage(page.locator('.live')).toHaveText('Live')
  await expectPage(pane).toHaveCount(0)
  await ask('/pets?after')
  await expectPage(rows).toContainText('after')
  await expectPage(other.getByLabel('Path')).toHaveValue('/v1/mine')
})

it('the console asks for the control token, accepts only the right one, and keeps it after a reload', async () => {
  const controlToken = 'the-right-token-1'
  const { page, rows } = await openConsole({
    view: 'animals',
    serve: { controlToken },
    isReady: false,
  })
  await expectPage(page.getByLabel('Token')).toBeFocused()
  await page.getByLabel('Token').fill('the-right-token-…')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expectPage(page.getByRole('alert')).toHaveText('This token is not valid.')
  await expectPage(page.getByLabel('Token')).toHaveAttribute('aria-invalid', 'true')
  await expectPage(page.getByRole('navigation', { name: 'Views' })).toHaveText('')
  await page.getByLabel('Token').fill('wrong-token-123456')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expectPage(page.getByRole('alert')).toHaveText('This token is not valid.')
  await expectPage(page.getByLabel('Token')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Token').fill(controlToken)
  await page.keyboard.press('Enter')
  await expectPage(rows).toHaveCount(18)
  await expectPage(page.locator('h1')).toBeFocused()
  await page.reload()
  await expectPage(rows).toHaveCount(18)
})

it('the console shows 100,000 animals page by page', async () => {
  const pets = Array.from({ length: 100_000 }, (_, index) => ({
    id: index + 1,
    name: `Animal ${index + 1}`,
    categoryId: 1,
  }))
  const { page, rows, create, click } = await openConsole({ pets, view: 'animals' })
  await expectPage(rows).toHaveCount(50)
  const startedAt = performance.now()
  await click('Next')
  await expectPage(rows.first()).toContainText('99950')
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  await page.getByRole('searchbox').fill('77777')
  await expectPage(rows).toHaveCount(1)
  await page.getByRole('searchbox').fill('')
  await create('{"name":"Last","categoryId":9223372036854775807}')
  await expectPage(rows.first()).toContainText('9223372036854775807')
  await page.goto(`${page.url().split('#')[0]}#/animals?page=3&q=Animal+1`)
  await expectPage(page.getByLabel('Page, of')).toHaveValue('3')
})

it('the console leaves no trace in the request log', async () => {
  const { page, mock } = await openConsole({
    faults: [{ operation: '*', status: 503 }],
    view: 'animals',
  })
  await expectPage(page.locator('a.row')).toHaveCount(18)
  expect(mock.control.requests()).toEqual([])
  expect(mock.control.faults.list()).toMatchObject([{ seen: 0 }])
})

it('the open row stays in its place while others come, and its detail also after it has left the log', async () => {
  const { page, mock, rows, pane, click } = await openConsole()
  const burst = (amount: number) => {
    for (let id = 1; id <= amount; id++) mock.answer(toCall('GET', `/v1/pets/${id}`))
  }
  burst(40)
  await rows.nth(3).click()
  const open = page.locator('.row[aria-current=true]')
  const before = await open.boundingBox()
  burst(400)
  await expectPage(page.locator('.fresh')).toContainText('400')
  expect(await open.boundingBox()).toEqual(before)
  await page.keyboard.press('j')
  await expectPage(pane.locator('.target')).toHaveText('/v1/pets/36')
  // Your own row is in sight.
  await click('Before this')
  await click('Go back to here')
  await expectPage(page.locator('.row.fold')).toBeInViewport({ ratio: 1 })
  await expectPage(page.locator('.fresh')).toHaveCount(0)
  await click('Edit and resend')
  await pane.getByLabel('Path').fill('/v1/pets/7')
  burst(1_100)
  await expectPage(rows.first()).toContainText('/v1/pets/1100')
  await expectPage(pane.getByLabel('Path')).toHaveValue('/v1/pets/7')
  await pane.getByRole('button', { name: 'Previous' }).click()
  await expectPage(pane.locator('.target')).toHaveText('/v1/pets/101')
  await expectPage(page.locator('.scroller > .empty')).toContainText('1,000')
})
