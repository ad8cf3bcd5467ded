// With `--sandbox`, every API key has a state.
import { expect, it } from 'vitest'
import { expectPage, openConsole, readCopied, useBrowser } from './open-console.ts'

useBrowser()

it('the console has no sandbox picker when sandboxes are off', async () => {
  const { page, ask, rows } = await openConsole()
  await ask('/pets')
  await expectPage(rows).toHaveCount(1)
  await expectPage(page.getByRole('button', { name: 'Sandbox' })).toHaveCount(0)
})

it('the console only offers to load a scenario until a sandbox is chosen', async () => {
  const { page, mock, conditions, go, ask, click } = await openConsole({
    sandbox: true,
    view: 'scenarios',
  })
  await click('Load single')
  await expectPage(page.getByRole('button', { name: 'Scenario single' })).toBeVisible()
  expect(mock.control.summary().scenario).toBe('single')
  await expectPage(page.getByRole('button', { name: 'Break' })).toHaveCount(0)
  await expectPage(conditions).toHaveCount(0)
  await ask('/pets', { key: 'ann-key' })
  for (const view of ['Animals', 'Faults', 'Assumptions']) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click()
    await expectPage(page.getByRole('heading', { level: 1 })).toHaveText('Choose a sandbox')
  }
  await page.locator('main').getByRole('link', { name: 'ann-key' }).click()
  await expectPage(page.getByRole('heading', { level: 1 })).toHaveText('Assumptions')
  await go('Animals')
  expect(await page.evaluate(() => location.hash)).toContain('sandbox=ann-key')
})

it('the console lists the requests of all sandboxes, and shows everything else for one sandbox', async () => {
  const { page, mock, create, ask, rows, go, conditions, choose, click, message } =
    await openConsole({ sandbox: true })
  await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
  await create('{"name":"Of Bob","categoryId":1}', 'bob-key')
  await expectPage(rows).toHaveCount(2)
  await expectPage(page.locator('a.row .key')).toHaveText(['bob-key', 'ann-key'])
  await rows.last().click()
  await choose('Copy as', 'curl')
  await expectPage.poll(() => readCopied(page)).toContain('Bearer ann-key')
  // A change from the list of all goes to the sandbox of the request, and the keys take it back
  // there.
  await click('Before this')
  await click('Go back to here')
  await expectPage(message).toContainText(/went back/i)
  expect(mock.control.sandbox('ann-key').summary().pets).toBe(18)
  await page.keyboard.press('z')
  await expectPage.poll(() => mock.control.sandbox('ann-key').summary().pets).toBe(19)
  await page.keyboard.press('Shift+Z')
  await expectPage.poll(() => mock.control.sandbox('ann-key').summary().pets).toBe(18)
  await page.keyboard.press('z')
  await expectPage.poll(() => mock.control.sandbox('ann-key').summary().pets).toBe(19)
  expect(mock.control.sandbox('bob-key').summary().pets).toBe(19)
  await page.keyboard.press('Escape')
  await choose('Sandbox', 'ann-key')
  await expectPage(rows).toHaveCount(1)
  await choose('Break', 'Fail with 503: createPet')
  await page.keyboard.press('Escape')
  await expectPage(conditions).toContainText('createPet fails with 503')
  await go('Animals')
  await expectPage(rows.first()).toContainText('Of Ann')
  await ask('/pets', { key: 'carl-key' })
  await ask('/pets', { key: 'ann-key' })
  await page.getByRole('button', { name: 'Sandbox' }).click()
  const menu = page.locator('.menu:popover-open')
  await expectPage(menu.locator('.item')).toHaveText([
    'All sandboxes',
    'ann-key',
    'bob-key',
    'carl-key',
  ])
  // An open menu has the letters, and no key acts behind it.
  for (const key of ['b', 'z', '/']) await page.keyboard.press(key)
  await expectPage(menu.getByText('bob-key')).toBeFocused()
  expect(mock.control.sandbox('ann-key').faults.list()).toHaveLength(1)
  await page.getByRole('searchbox').focus()
  await expectPage(menu).toHaveCount(0)
})

it('an address that names a change opens it, with and without its sandbox', async () => {
  const { page, ask, mock, pane } = await openConsole({ sandbox: true })
  await ask('/pets', { key: 'ann-key' })
  mock.control.sandbox('ann-key').pets.update(7, { status: 'sold' })
  for (const part of ['2', '2.ann-key']) {
    await page.goto(`${page.url().split('#')[0]}#/timeline/${part}`)
    await expectPage(pane).toContainText('animal 7')
    expect(await page.evaluate(() => location.hash)).toBe('#/timeline/2.ann-key')
  }
})

it.each([
  ['with its sandbox', 'requests/2.bob-key'],
  ['without its sandbox', 'timeline/2'],
  ['in the view of its sandbox', 'timeline/2?sandbox=bob-key'],
])('an address that names a request %s opens it', async (_, view) => {
  const { page, ask, mock, pane } = await openConsole({ sandbox: true })
  await ask('/pets?of=ann', { key: 'ann-key' })
  await ask('/pets?of=bob', { key: 'bob-key' })
  mock.control.sandbox('bob-key').latency.set(1)
  await expectPage(page.locator('.row.change')).toContainText('bob-key')
  await page.goto(`${page.url().split('#')[0]}#/${view}`)
  await page.reload()
  await expectPage(pane).toContainText('of=bob')
  await expectPage(page.locator('a.row[aria-current=true]')).toContainText('of=bob')
})
