// Rows of the timeline that are changes, groups of equal requests, and the bar: what you reach with
// keys, clicks and on a telephone.
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
  [390, 1],
  [1024, 3],
])(
  'at %i pixels the bar shows %i of three conditions, and the others in a menu',
  async (width, amount) => {
    const { page, mock, conditions } = await openConsole({
      context: { viewport: { width, height: 800 } },
    })
    mock.control.faults.add({ operation: 'createPet', status: 503, times: 3 })
    mock.control.clock.freeze(true)
    mock.control.assume({ 'list-order': 'newest-first' })
    const shown = conditions.filter({ visible: true })
    await expectPage(shown).toHaveCount(amount)
    for (const one of await shown.all()) await expectPage(one).toBeInViewport({ ratio: 1 })
    const more = page.locator('.bar').getByRole('button', { name: '+2' })
    await expectPage(more).toHaveCount(amount === 3 ? 0 : 1)
    if (amount === 3) return
    await more.click()
    await expectPage(shown).toHaveCount(3)
    await page.getByRole('button', { name: 'Reset list-order' }).click()
    await expectPage(shown).toHaveCount(2)
  },
)

it('an undo that another change blocks says so, and that change opens and can be undone', async () => {
  const { page, mock, message, pane } = await openConsole()
  mock.control.pets.update(2, { name: 'One' })
  mock.control.pets.update(2, { name: 'Two' })
  await page.locator('#row-1').getByRole('button', { name: /^Undo/ }).click()
  await expectPage(message).toContainText(/animal 2 has changed since row 1/i)
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expectPage(page.locator('#row-2 [aria-current=true]')).toBeInViewport()
  await pane.getByRole('button', { name: 'Undo' }).click()
  await expectPage.poll(() => mock.control.pets.get(2)?.name).toBe('One')
})

it('a key that cannot undo your last change offers to undo what blocks it, and stays the next to undo', async () => {
  const { page, mock, message, click } = await openConsole({ view: 'animals/6' })
  await click('Sell')
  await expectPage(message).toContainText(/animal 6/i)
  await page.goto(page.url().replace('/6', '/7'))
  await click('Sell')
  await expectPage(message).toContainText(/animal 7/i)
  mock.control.pets.update(7, { name: 'Of a colleague' })
  await page.keyboard.press('z')
  await expectPage(message).toContainText('row 3: ')
  await message.getByRole('button', { name: 'Undo row 3' }).click()
  await expectPage.poll(() => mock.control.pets.get(7)?.name).not.toBe('Of a colleague')
  await page.keyboard.press('z')
  await expectPage.poll(() => mock.control.pets.get(7)?.status).not.toBe('sold')
  expect(mock.control.pets.get(6)?.status).toBe('sold')
  // A field that you have typed in follows the mock again once it is saved.
  await page.locator('.pane [name=name]').fill('Mine')
  await click('Save')
  await expectPage(message).toContainText('Mine')
  await page.keyboard.press('z')
  await expectPage(page.locator('.pane [name=name]')).not.toHaveValue('Mine')
})

it('each of the equal requests in one line opens from its detail', async () => {
  const { page, ask, rows, pane } = await openConsole()
  for (let index = 0; index < 4; index++) await ask('/pets')
  await expectPage(rows).toHaveCount(1)
  await expectPage(rows.locator('.no')).toHaveText('4')
  await rows.click()
  expect(await page.evaluate(() => location.hash)).toBe('#/timeline/4')
  for (const id of [2, 4, 1]) {
    await pane.getByRole('link', { name: String(id), exact: true }).click()
    await expectPage(pane.getByRole('heading', { level: 2 })).toContainText(`row\u00a0${id}`)
  }
  expect(await page.evaluate(() => location.hash)).toBe('#/timeline/1')
})

it('beside an alternative, the response is shown once', async () => {
  const { mock, ask, rows, pane, click } = await openConsole()
  mock.control.faults.add({ operation: 'listPets', status: 503 })
  await ask('/pets')
  await rows.click()
  const shown = pane.getByText('"ServiceUnavailable"')
  await expectPage(shown).toHaveCount(1)
  await click('200 without fault 1')
  await expectPage(pane.getByRole('region', { name: 'Both responses' })).toBeVisible()
  await expectPage(shown).toHaveCount(1)
})

it('an edited request is asked about with Ctrl+Shift+Enter, also without its fault', async () => {
  const { page, mock, ask, rows, pane, click } = await openConsole({
    faults: [{ operation: 'listPets', status: 503 }],
  })
  await ask('/pets')
  await rows.click()
  await click('Edit and resend')
  const form = pane.getByRole('form', { name: 'Send a request' })
  const both = pane.getByRole('region', { name: 'Both responses' })
  await form.getByLabel('Ask').selectOption('without faults')
  await form.getByLabel('Path').fill('/v1/pets?limit=500')
  await page.keyboard.press('Control+Shift+Enter')
  await expectPage(both).toContainText('"BadRequest"')
  await form.getByLabel('Other headers').fill('prefer: code=429')
  await page.keyboard.press('Control+Shift+Enter')
  await expectPage(both).toContainText('429')
  expect(mock.control.requests()).toHaveLength(1)
})

it('a request opens after you have sent it, also if the log hides a secret in its query', async () => {
  const { page, rows, pane, click } = await openConsole({ view: 'timeline/new' })
  await page.getByLabel('Path').fill('/v1/pets?token=very-secret-value')
  await click('Send')
  await expectPage(rows).toHaveCount(1)
  await expectPage(pane.getByRole('heading', { level: 2 })).toContainText('token=…')
})

it('a key shows what to break where a detail fills the window, and Escape returns to the detail', async () => {
  const { page, ask, rows, pane } = await openConsole({
    context: { viewport: { width: 390, height: 800 } },
  })
  await ask('/pets')
  await rows.click()
  await pane.waitFor()
  await page.keyboard.press('b')
  await expectPage(page.locator('.menu:popover-open')).toBeVisible()
  await page.keyboard.press('Escape')
  await expectPage(page.locator('.bar')).toBeHidden()
  await expectPage(pane).toBeVisible()
})

it('a new request opens at the operation that you chose last', async () => {
  const { page, pane } = await openConsole({ view: 'timeline/new' })
  await pane.getByText('createPet').click()
  await pane.getByLabel('Body').fill('{}')
  await page.reload()
  await expectPage(pane.getByLabel('Body')).toHaveValue('{}')
})
