import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'
import { animals } from '../support/animals.ts'
import { expectPage, openConsole, useBrowser } from './open-console.ts'

useBrowser()

describe('the connection', () => {
  it('says when the mock is gone, finds it again, and shows what it has become', async () => {
    const { page, close, origin } = await openConsole({ pets: animals })
    await expectPage(page.getByText('Live')).toBeVisible()
    await close()
    await expectPage(page.getByText('The mock is not responding.')).toBeVisible()
    await expectPage(page.getByText(/Retrying in \d+ s/)).toBeVisible()
    await expectPage(page.locator('.link')).toHaveText('Disconnected')
    // What was known stays on the page.
    await expectPage(page.locator('.animals tbody tr')).toHaveCount(animals.length)
    await page.getByRole('link', { name: 'Faults and clock' }).click()
    await page.getByRole('button', { name: 'Outage' }).click()
    await expectPage(page.getByText('The mock does not respond: is it still running?')).toBeVisible()
    const again = await serve(createMock({ pets: animals.slice(0, 1) }), { port: Number(new URL(origin).port) })
    onTestFinished(again.close)
    await expectPage(page.locator('.link')).toHaveText('Live', { timeout: 20_000 })
    await expectPage(page.getByText('The mock is not responding.')).toBeHidden()
    await expectPage(page.getByText('The mock does not respond: is it still running?')).toBeHidden()
    await page.getByRole('link', { name: 'Animals' }).click()
    await expectPage(page.locator('.animals tbody tr')).toHaveCount(1)
  })

  it('waits longer each time, and can be told not to', async () => {
    const { page, close, origin } = await openConsole({ pets: animals })
    await expectPage(page.getByText('Live')).toBeVisible()
    await close()
    await expectPage(page.getByText(/Retrying in [4-8] s/)).toBeVisible({ timeout: 20_000 })
    const again = await serve(createMock({ pets: animals }), { port: Number(new URL(origin).port) })
    onTestFinished(again.close)
    await page.getByRole('button', { name: 'Retry now' }).click()
    await expectPage(page.locator('.link')).toHaveText('Live', { timeout: 2_000 })
  })

  it('asks for the token where one is needed, and takes none but the right one', async () => {
    const { page, create, close, origin } = await openConsole({ pets: animals, serve: { controlToken: 'the-right-token-1' } })
    await expectPage(page.getByRole('heading', { level: 1 })).toHaveText('Enter the control token')
    await expectPage(page.locator('.unlock')).toContainText('If none was set, the mock printed one when it started.')
    await expectPage(page.getByRole('alert')).toHaveText('')
    await expectPage(page.getByLabel('Token')).toBeFocused()
    await page.getByLabel('Token').fill('wrong-token')
    await page.getByRole('button', { name: 'Unlock' }).click()
    await expectPage(page.getByRole('alert')).toHaveText('Wrong token.')
    await page.getByLabel('Token').fill('the-right-token-1')
    await page.keyboard.press('Enter')
    await expectPage(page.locator('.animals tbody tr')).toHaveCount(animals.length)
    await create('{"name":"Bella","categoryId":1}')
    await expectPage(page.locator('.animals tbody tr').first()).toContainText('Bella')
    await page.reload()
    await expectPage(page.locator('.animals tbody tr')).toHaveCount(animals.length + 1)
    await close()
    const again = await serve(createMock({ pets: animals }), { port: Number(new URL(origin).port), controlToken: 'the-other-token-2' })
    onTestFinished(again.close)
    await page.getByRole('button', { name: 'Retry now' }).click()
    await expectPage(page.getByRole('alert')).toHaveText('The remembered token is not valid any more.')
    await expectPage(page.getByRole('link', { name: /^Animals/ })).toHaveText('Animals')
  })

  it('leaves no trace in the journal, and the service its own faults', async () => {
    const { page, mock } = await openConsole({ pets: animals, faults: [{ operation: '*', status: 503 }] })
    await expectPage(page.locator('.animals tbody tr')).toHaveCount(animals.length)
    expect(mock.control.requests()).toEqual([])
    expect(mock.control.faults.list()).toMatchObject([{ seen: 0 }])
  })

  it('takes the token from another tab of the same mock, and tells it to one that waits for it', async () => {
    const { page } = await openConsole({ pets: animals, isReady: false, serve: { controlToken: 'the-right-token-1' } })
    const waiting = await page.context().newPage()
    await waiting.goto(page.url())
    await expectPage(waiting.getByLabel('Token')).toBeVisible()
    await expectPage(page.getByLabel('Token')).toBeFocused()
    await page.getByLabel('Token').fill('the-right-token-1')
    await page.getByRole('button', { name: 'Unlock' }).click()
    const later = await page.context().newPage()
    await later.goto(page.url())
    for (const tab of [page, waiting, later]) await expectPage(tab.locator('.animals tbody tr')).toHaveCount(animals.length)
    await waiting.reload()
    await expectPage(waiting.locator('.animals tbody tr')).toHaveCount(animals.length)
  })

  it('holds no stream in a hidden tab, so that a seventh tab works too', async () => {
    const { page, create } = await openConsole({ pets: animals })
    const url = page.url()
    for (let tab = 0; tab < 6; tab++) {
      const other = await page.context().newPage()
      await other.goto(url)
      await expectPage(other.locator('.link')).toHaveText('Live')
      await other.evaluate(() => {
        Object.defineProperty(document, 'hidden', { value: true, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      })
      await expectPage(other.locator('.link')).toHaveText('Paused')
    }
    const last = await page.context().newPage()
    await last.goto(url)
    await expectPage(last.locator('.animals tbody tr')).toHaveCount(animals.length)
    await create('{"name":"Bella","categoryId":1}')
    for (const shown of [page, last]) await expectPage(shown.locator('.animals tbody tr').first()).toContainText('Bella')
    const [, first = page] = page.context().pages()
    await first.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expectPage(first.locator('.animals tbody tr').first()).toContainText('Bella')
  })
})
