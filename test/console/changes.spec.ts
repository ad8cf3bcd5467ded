// Rows of the timeline that are changes, groups of equal requests, and the bar: what you reach with keys, clicks and on a telephone.
import { expect, it } from 'vitest'
import { expectPage, focused, openConsole, useBrowser } from './open-console.ts'

useBrowser()

it('Next in a detail goes to the next row, also if it is a change', async () => {
  const { page, mock, ask, rows, pane, click } = await openConsole()
  await ask('/pets/1')
  mock.control.latency.set(1)
  await ask('/pets/2')
  await expectPage(rows).toHaveCount(2)
  await rows.first().click()
  await expectPage(pane).toContainText('/v1/pets/2')
  await click('Next')
  await expectPage(pane).toContainText('latency: none → 1 ms')
  await click('Next')
  await expectPage(pane).toContainText('/v1/pets/1')
  await page.keyboard.press('k')
  await expectPage(pane).toContainText('latency: none → 1 ms')
})

it('keys stop at the row of a change, where Enter opens it and Tab leads to Undo', async () => {
  const { page, mock } = await openConsole()
  mock.control.latency.set(7)
  await expectPage(page.locator('.row.change')).toHaveCount(1)
  await page.keyboard.press('j')
  expect(await focused(page)).toBe('1')
  await page.keyboard.press('Enter')
  await expectPage(page.locator('.pane')).toContainText('latency: none → 7 ms')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toMatch(/^Undo /)
  expect(mock.control.state().latency).toBe(7)
  await page.keyboard.press('Enter')
  await expectPage.poll(() => mock.control.state().latency).toBeUndefined()
})

it.each([
  [390, 1, '2 more'],
  [1024, 3, undefined],
])('at %i pixels the bar shows %i of three conditions, and leads to the others', async (width, amount, more) => {
  const { page, mock, conditions } = await openConsole({ context: { viewport: { width, height: 800 } } })
  mock.control.faults.add({ operation: 'createPet', status: 503, times: 3 })
  mock.control.clock.freeze(true)
  mock.control.assume({ 'list-order': 'newest-first' })
  await expectPage(conditions).toHaveCount(amount)
  for (const one of await conditions.all()) await expectPage(one).toBeInViewport({ ratio: 1 })
  const link = page.locator('.bar').getByRole('link', { name: /^\d+ more$/ })
  await expectPage(link).toHaveCount(more === undefined ? 0 : 1)
  if (more === undefined) return
  await page.getByRole('link', { name: more }).click()
  await expectPage(page.getByRole('heading', { level: 1 })).toHaveText('Faults and clock')
})

it('an undo that another change blocks says so, and that change opens and can be undone', async () => {
  const { page, mock, message, pane } = await openConsole()
  mock.control.pets.update(2, { name: 'One' })
  mock.control.pets.update(2, { name: 'Two' })
  await page.locator('#row-1').getByRole('button', { name: /^Undo/ }).click()
  await expectPage(message).toContainText('animal 2 has changed since row 1')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expectPage(page.locator('#row-2 [aria-current=true]')).toBeInViewport()
  await pane.getByRole('button', { name: 'Undo' }).click()
  await expectPage.poll(() => mock.control.pets.get(2)?.name).toBe('One')
})

it('each of the equal requests in one line opens from its detail', async () => {
  const { page, ask, rows, pane } = await openConsole()
  for (let index = 0; index < 4; index++) await ask('/pets')
  await expectPage(rows).toHaveCount(1)
  await rows.click()
  for (const id of [2, 4, 1]) {
    await pane.getByRole('link', { name: String(id), exact: true }).click()
    await expectPage(pane.getByRole('heading', { level: 2 })).toContainText(`row\u00a0${id}`)
  }
  expect(await page.evaluate(() => location.hash)).toBe('#/timeline/1')
})

it('beside an alternative, the messages of the request have a heading', async () => {
  const { mock, ask, rows, pane, click } = await openConsole()
  mock.control.faults.add({ operation: 'listPets', status: 503 })
  await ask('/pets')
  await rows.click()
  const heading = pane.getByRole('heading', { name: 'What was sent' })
  await expectPage(pane.getByRole('button', { name: '200 without its fault' })).toBeVisible()
  await expectPage(heading).toHaveCount(0)
  await click('200 without its fault')
  await expectPage(heading).toBeVisible()
})
