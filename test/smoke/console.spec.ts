// The commonest tasks in the console, in a real browser. The others are in test/console.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import {
  expectPage,
  focused,
  openConsole,
  readCopied,
  useBrowser,
} from '../console/open-console.ts'

useBrowser()

const run = promisify(execFile)

it('the quick start is shown while there are no requests, and its example works when it is copied or sent', async () => {
  const { page, mock, origin, rows, click } = await openConsole()
  await expectPage(page.getByRole('heading', { level: 2 })).toContainText('18 animals')
  await page.getByRole('button', { name: 'Copy URL' }).click()
  await expectPage.poll(() => readCopied(page)).toBe(`${origin}/v1`)
  await click('Copy as curl')
  await expectPage.poll(() => readCopied(page)).toContain('curl')
  await run('sh', ['-c', await readCopied(page)])
  await expectPage(rows).toHaveCount(1)
  expect(mock.control.requests().map(({ status }) => status)).toEqual([200])
  mock.control.clearRequests()
  await click('Send it now')
  await expectPage.poll(() => mock.control.requests().map(({ status }) => status)).toEqual([200])
  await expectPage(rows).toHaveCount(1)
})

it('a refused request has its reason in its row and in its detail, where the wrong line is marked', async () => {
  const { create, rows, pane } = await openConsole()
  await create('{"name":"Nala","categoryId":"9007199254740993"}')
  await expectPage(rows).toContainText('categoryId: expected a 64-bit integer')
  await rows.click()
  await expectPage(pane.locator('.reason strong')).toContainText(
    'categoryId: expected a 64-bit integer',
  )
  await expectPage(pane.locator('.marked')).toContainText('"categoryId": "9007199254740993"')
  await pane.getByRole('radio', { name: 'Response' }).check()
  await expectPage(pane.getByLabel('Response body', { exact: true })).toContainText(
    '"code": "BadRequest"',
  )
})

it('animals can be added, edited, sold and deleted, changes can be undone, and the focus stays', async () => {
  const { page, mock, rows, pane, message, click } = await openConsole({
    view: 'animals',
    pets: [{ id: 1, name: 'Rex', categoryId: 1 }],
  })
  await page.getByRole('link', { name: 'Add animal' }).click()
  await expectPage(pane.getByLabel('name', { exact: true })).toBeFocused()
  await page.keyboard.type('Zebedee')
  await pane.getByLabel('categoryId').fill('9223372036854775807')
  await click('Add animal')
  await expectPage(rows.first()).toContainText('Zebedee')
  expect(mock.control.pets.get(2)).toEqual({
    id: 2,
    name: 'Zebedee',
    categoryId: 9223372036854775807n,
  })
  await expectPage(pane).toContainText('9223372036854775807')
  await pane.getByLabel('status').selectOption('pending')
  await click('Save')
  await expectPage(rows.first()).toContainText('pending')
  expect(await focused(page)).toBe('Save')
  await click('Sell')
  await expectPage(rows.first()).toContainText('sold')
  await expectPage(message).toContainText(/animal 2/i)
  await page.keyboard.press('z')
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

it('Undo takes back your last change, not that of a colleague', async () => {
  const { page, mock, message, conditions, click, choose } = await openConsole()
  await choose('Break', 'Fail with 503: listPets')
  await expectPage(conditions).toContainText('listPets fails with 503, twice')
  // A colleague changes something else.
  mock.control.pets.update(7, { status: 'sold' })
  await expectPage(page.locator('.row.change')).toHaveCount(2)
  await expectPage(message).toContainText('listPets')
  await page.keyboard.press('Escape')
  await page.keyboard.press('z')
  await expectPage(conditions).toHaveCount(0)
  expect(mock.control.pets.get(7)?.status).toBe('sold')
  await page.keyboard.press('Shift+Z')
  await expectPage(conditions).toHaveCount(1)
  await click('Undo')
  await expectPage(conditions).toHaveCount(0)
  await page.keyboard.press('z')
  await expectPage(message).toContainText('Nothing to undo')
  expect(mock.control.pets.get(7)?.status).toBe('sold')
})

it('going back folds what came after the moment, and Return brings it back', async () => {
  const { page, mock, create, ask, rows, click } = await openConsole()
  await ask('/pets?first')
  await create('{"name":"Mia","categoryId":1}')
  await ask('/pets/99')
  await expectPage(rows).toHaveCount(3)
  await rows.nth(1).click()
  await click('Before this')
  await click('Go back to here')
  const fold = page.locator('.row.fold')
  await expectPage(fold).toContainText('2 rows left behind')
  await expectPage(page.locator('.pane')).toContainText('Left behind')
  await expectPage(page.getByRole('link', { name: 'Show animal' })).toHaveCount(0)
  await expectPage(rows).toHaveCount(3)
  await page.keyboard.press('Escape')
  await expectPage(rows).toHaveCount(1)
  expect(mock.control.summary().pets).toBe(18)
  await fold.getByRole('button', { name: 'Return' }).click()
  await expectPage(rows).toHaveCount(3)
  expect(mock.control.summary().pets).toBe(19)
})
