// The commonest tasks in the console, in a real browser. The others are in test/console.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { expectPage, focused, openConsole, readClipboard, useBrowser } from '../console/open-console.ts'

useBrowser()

const run = promisify(execFile)

it('the quick start is shown while there are no requests, and its example works when it is copied or sent', async () => {
  const { page, mock, origin, rows, click } = await openConsole()
  await expectPage(page.getByRole('heading', { level: 2 })).toContainText('18 animals')
  await page.locator('.start').getByRole('button', { name: 'Copy the Base URL' }).click()
  await expectPage.poll(() => readClipboard(page)).toBe(`${origin}/v1`)
  await click('Copy as curl')
  await expectPage.poll(() => readClipboard(page)).toContain('curl')
  await run('sh', ['-c', await readClipboard(page)])
  await expectPage(rows).toHaveCount(1)
  await click('Clear')
  await click('Send it now')
  await expectPage(rows).toHaveCount(1)
  await click('Show 1 cleared row')
  await expectPage(rows).toHaveCount(2)
  expect(mock.control.requests().map(({ status }) => status)).toEqual([200, 200])
})

it('a refused request has its reason in its row and in its detail, where the wrong line is marked', async () => {
  const { create, rows, pane } = await openConsole()
  await create('{"name":"Nala","categoryId":"9007199254740993"}')
  await expectPage(rows).toContainText('categoryId: expected a 64-bit integer')
  await rows.click()
  await expectPage(pane.locator('.reason strong')).toContainText('categoryId: expected a 64-bit integer')
  await expectPage(pane.locator('.marked')).toContainText('"categoryId": "9007199254740993"')
  await pane.getByRole('radio', { name: 'Response' }).check()
  await expectPage(pane.getByLabel('Response body', { exact: true })).toContainText('"code": "BadRequest"')
})

it('animals can be added, edited, sold and deleted, changes can be undone, and the focus stays', async () => {
  const { page, mock, rows, pane, message, click, go } = await openConsole({
    view: 'animals',
    pets: [{ id: 1, name: 'Rex', categoryId: 1 }],
  })
  await page.getByRole('link', { name: 'Add animal' }).click()
  await pane.getByLabel('Body').fill('{"name":"Zebedee","categoryId":9223372036854775807}')
  await click('Send')
  await expectPage(pane).toContainText('201')
  await go('Animals')
  await expectPage(rows.first()).toContainText('Zebedee')
  await rows.first().click()
  expect(mock.control.pets.get(2)).toEqual({ id: 2, name: 'Zebedee', categoryId: 9223372036854775807n })
  await expectPage(pane).toContainText('9223372036854775807')
  await click('Edit')
  await pane.getByLabel('status').selectOption('pending')
  await click('Save')
  await expectPage(rows.first()).toContainText('pending')
  expect(await focused(page)).toBe('Edit')
  await click('Sell')
  await expectPage(rows.first()).toContainText('sold')
  await expectPage(message).toContainText('animal 2')
  await page.keyboard.press('Control+z')
  await expectPage(rows.first()).toContainText('pending')
  expect(await focused(page)).toBe('Sell')
  await click('Delete')
  await expectPage(rows).toHaveCount(1)
  await expectPage.poll(() => focused(page)).toBe('1')
  await click('Undo')
  await expectPage(rows).toHaveCount(2)
  expect(mock.control.pets.get(2)?.status).toBe('pending')
  expect(await focused(page)).toBe('1')
})
