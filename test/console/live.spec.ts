// The page stays in step with the mock: in eight windows at once, across restarts, behind a control token.
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'
import { expectPage, openConsole, useBrowser } from './open-console.ts'

useBrowser()

it('eight windows are live through one event stream, and another one takes over', async () => {
  const { page, ask, origin } = await openConsole({ pets: [] })
  const streams: string[] = []
  page.context().on('request', (request) => {
    if (request.url().includes('/events')) streams.push(request.url())
  })
  const pages = [page]
  for (let index = 1; index < 8; index++) {
    const next = await page.context().newPage()
    await next.goto(`${origin}/__mock/#/requests`)
    pages.push(next)
  }
  for (const one of pages) await expectPage(one.locator('.live')).toHaveText('Live')
  await ask('/pets?first')
  for (const one of pages) await expectPage(one.locator('a.row')).toHaveCount(1)
  expect(streams).toEqual([])
  await page.close()
  await expectPage.poll(() => streams.length).toBe(1)
  for (const one of pages.slice(1)) await expectPage(one.locator('.live')).toHaveText('Live')
  await ask('/pets?second')
  for (const one of pages.slice(1)) await expectPage(one.locator('a.row')).toHaveCount(2)
})

it('without locks every window listens for itself', async () => {
  const { page, ask, origin } = await openConsole({ pets: [] })
  const context = page.context()
  await context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
  const pages = [await context.newPage(), await context.newPage()]
  for (const one of pages) {
    await one.goto(`${origin}/__mock/`)
    await expectPage(one.locator('.live')).toHaveText('Live')
  }
  await ask('/pets')
  for (const one of pages) await expectPage(one.locator('a.row')).toHaveCount(1)
})

it('says when the mock is gone, finds it again, and shows what it has become', async () => {
  const { page, close, origin, ask, rows, message, click } = await openConsole({ view: 'requests' })
  await ask('/pets')
  await expectPage(rows).toHaveCount(1)
  await close()
  await expectPage(message).toContainText('The mock is not responding.')
  await expectPage(page.locator('.live')).toHaveText('Disconnected')
  await expectPage(rows).toHaveCount(1)
  await click('Retry now')
  await page.getByRole('link', { name: 'Animals' }).click()
  const again = await serve(createMock({ pets: [{ id: 7, name: 'Rex', categoryId: 1 }] }), { port: Number(new URL(origin).port) })
  onTestFinished(again.close)
  await expectPage(page.locator('.live')).toHaveText('Live', { timeout: 20_000 })
  await expectPage(rows).toHaveCount(1)
  await expectPage(message).toHaveText('Times are UTC')
})

it('asks for the control token, takes only the right one, and shares it with other windows', async () => {
  const controlToken = 'the-right-token-1'
  const { page, origin, rows } = await openConsole({ view: 'animals', serve: { controlToken }, isReady: false })
  await expectPage(page.getByLabel('Token')).toBeFocused()
  await expectPage(page.getByRole('navigation', { name: 'Views' })).toHaveText('')
  const waiting = await page.context().newPage()
  await waiting.goto(`${origin}/__mock/#/animals`)
  await expectPage(waiting.getByLabel('Token')).toBeVisible()
  await page.getByLabel('Token').fill('wrong-token-123456')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expectPage(page.getByRole('alert')).toHaveText('This token is not valid.')
  await page.getByLabel('Token').fill(controlToken)
  await page.keyboard.press('Enter')
  await expectPage(rows).toHaveCount(18)
  await expectPage(waiting.locator('a.row')).toHaveCount(18)
  await page.reload()
  await expectPage(rows).toHaveCount(18)
  const later = await page.context().newPage()
  await later.goto(`${origin}/__mock/#/animals`)
  await expectPage(later.locator('a.row')).toHaveCount(18)
})

it('shows 100,000 animals at once, page by page', async () => {
  const pets = Array.from({ length: 100_000 }, (_, index) => ({ id: index + 1, name: `Animal ${index + 1}`, categoryId: 1 }))
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
  await page.goto(`${page.url().split('#')[0]}#/animals?sort=name&page=3&q=Animal+1`)
  await expectPage(page.locator('.pager')).toContainText('101–150 of')
})

it('leaves no trace in the request log', async () => {
  const { page, mock } = await openConsole({ faults: [{ operation: '*', status: 503 }], view: 'animals' })
  await expectPage(page.locator('a.row')).toHaveCount(18)
  expect(mock.control.requests()).toEqual([])
  expect(mock.control.faults.list()).toMatchObject([{ seen: 0 }])
})
