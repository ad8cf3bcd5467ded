// With `--sandbox`, every API key has a state.
import { expect, it } from 'vitest'
import { expectPage, openConsole, readClipboard, useBrowser } from './open-console.ts'

useBrowser()

it('there is no picker without sandboxes', async () => {
  const { page, ask, rows } = await openConsole()
  await ask('/pets')
  await expectPage(rows).toHaveCount(1)
  await expectPage(page.getByLabel('Sandbox')).toHaveCount(0)
})

it('without a key, the bar says which scenario new sandboxes start from, and not what else changed', async () => {
  const { page, mock, conditions, click, go } = await openConsole({ sandbox: true, view: 'scenarios' })
  await click('Load single')
  await expectPage(page.locator('.bar-text')).toContainText('New sandboxes start from the scenario single')
  await go('Faults and clock')
  await click('Outage')
  await expectPage(page.getByRole('region', { name: 'Faults' })).toContainText('503')
  await expectPage(conditions).toHaveCount(0)
  expect(mock.control.sandbox('ann-key').faults.list()).toEqual([])
})

it('the requests of all sandboxes are in one list; the rest is about one', async () => {
  const { page, mock, create, ask, rows, go, conditions, click } = await openConsole({ sandbox: true })
  await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
  await create('{"name":"Of Bob","categoryId":1}', 'bob-key')
  await expectPage(rows).toHaveCount(2)
  await expectPage(page.locator('.key')).toHaveText(['bob-key', 'ann-key'])
  const picker = page.getByLabel('Sandbox')
  await expectPage(picker.locator('option')).toHaveText(['all', 'ann-key', 'bob-key'])
  // A fault from the list of all goes to the sandbox of the request.
  await rows.last().click()
  await click('Copy as curl')
  await expectPage.poll(() => readClipboard(page)).toContain('Bearer ann-key')
  await click('Fail always')
  await expectPage.poll(() => mock.control.sandbox('ann-key').faults.list()).toMatchObject([{ operation: 'createPet' }])
  expect(mock.control.sandbox('bob-key').faults.list()).toEqual([])
  await page.keyboard.press('Escape')
  await picker.selectOption('ann-key')
  await expectPage(rows).toHaveCount(1)
  await expectPage(conditions).toContainText('createPet → 503')
  await go('Animals')
  await expectPage(picker.locator('option').first()).not.toHaveText('all')
  await expectPage(rows.first()).toContainText('Of Ann')
  expect(await page.evaluate(() => location.hash)).toContain('sandbox=ann-key')
  await ask('/pets', { key: 'carl-key' })
  await expectPage(picker.locator('option')).toHaveCount(4)
})
