// The strip above the list, and a moment before now: all views show it, and what you do there is
// only supposed.
import { expect, it } from 'vitest'
import { expectPage, openConsole, readCopied, useBrowser } from './open-console.ts'

useBrowser()

const REX = '{"name":"Rex","categoryId":1}'

it('the playhead moves with keys, each view shows its moment, and Escape returns to now', async () => {
  const { page, mock, create, ask, rows, conditions, go } = await openConsole()
  mock.control.faults.add({ operation: 'createPet', status: 503, times: 1 })
  await create(REX)
  await create(REX)
  mock.control.assume({ 'list-order': 'newest-first' })
  await ask('/pets')
  await expectPage(rows).toHaveCount(3)
  await expectPage(conditions).toHaveText(/list-order/)
  const playhead = page.getByRole('slider', { name: 'Moment' })
  await expectPage(playhead).toHaveAttribute('aria-valuetext', 'now')
  for (let index = 0; index < 4; index++) await playhead.press('ArrowLeft')
  await expectPage(playhead).toHaveAttribute('aria-valuetext', 'before row 2')
  await expectPage(conditions.first()).toContainText('createPet fails with 503, once')
  await go('Animals')
  await expectPage(rows).toHaveCount(18)
  await expectPage(page.getByRole('region', { name: 'Moment' })).toContainText('before row 2')
  await page.keyboard.press('Escape')
  await expectPage(rows).toHaveCount(19)
  await expectPage(page.getByRole('region', { name: 'Moment' })).toHaveCount(0)
})

it('dragging on the strip goes to a moment, and right of all rows is now', async () => {
  const { page, ask, rows } = await openConsole()
  for (const id of [1, 2, 3]) await ask(`/pets/${id}`)
  await expectPage(rows).toHaveCount(3)
  const strip = page.locator('.strip .scrub')
  const { x = 0, y = 0, width = 0 } = (await strip.boundingBox()) ?? {}
  await page.mouse.move(x + width - 4, y + 20)
  await page.mouse.down()
  await page.mouse.move(x + 2, y + 20, { steps: 4 })
  await expectPage(page.locator('.moment-line')).toHaveText('before row 1')
  await page.mouse.move(x + width, y + 20, { steps: 4 })
  await page.mouse.up()
  await expectPage(page.locator('.moment-line')).toHaveCount(0)
})

it('what you change at a moment is only supposed, and says which responses it would have changed', async () => {
  const { page, mock, ask, rows, pane, click, go } = await openConsole()
  await ask('/pets/7')
  await ask('/pets/8')
  await expectPage(rows).toHaveCount(2)
  const before = JSON.stringify(mock.control.timeline())
  await rows.last().click()
  await click('edit an animal…')
  await page.locator('a.row', { hasText: 'Lola' }).first().click()
  await click('Sell')
  const moment = page.getByRole('region', { name: 'Moment' })
  await expectPage(moment).toContainText('1 of 2 responses differs')
  await expectPage(pane.getByLabel('status')).toHaveValue('sold')
  expect(JSON.stringify(mock.control.timeline())).toBe(before)
  await go('Timeline')
  await expectPage(page.locator('.row.differs')).toHaveCount(1)
  await page.locator('.row.differs').click()
  const both = pane.getByRole('region', { name: 'Both responses' })
  await expectPage(both.locator('mark').last()).toHaveText('sold')
  await click('Copy as test')
  await expectPage.poll(() => readCopied(page)).toContain("status: 'sold'")
  await click('Make it real')
  await expectPage(moment).toHaveCount(0)
  expect(mock.control.pets.get(7)?.status).toBe('sold')
  await page.keyboard.press('z')
  await expectPage.poll(() => mock.control.pets.get(7)?.status).not.toBe('sold')
})

it('the ends of the strip limit the list', async () => {
  const { page, ask, rows } = await openConsole()
  for (const id of [1, 2, 3, 4]) await ask(`/pets/${id}`)
  await expectPage(rows).toHaveCount(4)
  await page.getByRole('slider', { name: 'First row' }).press('ArrowRight')
  await page.getByRole('slider', { name: 'Last row' }).press('ArrowLeft')
  await expectPage(rows.locator('.no')).toHaveText(['3', '2'])
})

it('a held response is released from its row', async () => {
  const { mock, ask, rows, click } = await openConsole({
    faults: [{ operation: 'getPet', hold: true, times: 1 }],
  })
  const held = ask('/pets/7')
  await expectPage(rows).toContainText('held')
  await click('Release row 1')
  expect((await held)?.status).toBe(200)
  expect(mock.control.held()).toEqual([])
})

it('a field that somebody else has changed meanwhile says so', async () => {
  const { mock, pane, click } = await openConsole({ view: 'animals/7' })
  await pane.getByLabel('name').fill('Mine')
  mock.control.pets.update(7, { name: 'Theirs' })
  await expectPage(pane.getByRole('alert').first()).toContainText('set name to Theirs')
  await click('Take theirs')
  await expectPage(pane.getByLabel('name')).toHaveValue('Theirs')
})

it('an animal has its history', async () => {
  const { mock, create, ask, page, pane } = await openConsole({ view: 'animals/19' })
  await create(REX)
  mock.control.pets.update(19, { status: 'sold' })
  await ask('/pets/19')
  await page.reload()
  const history = pane.getByRole('region', { name: 'History' })
  await expectPage(history).toContainText(/row 2.*changed.*row 1.*made.*Returned by 1 request/s)
})
