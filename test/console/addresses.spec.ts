import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { expectPage, openConsole, useBrowser } from './open-console.ts'

useBrowser()

const hash = (page: { url(): string }) => new URL(page.url()).hash

describe('Back', () => {
  it('closes what was opened and leaves nothing open in a view that is not shown', async () => {
    const { page, ask, go } = await openConsole({ pets: animals })
    await ask('/pets')
    await go('Traffic')
    await page.locator('.traffic .open').click()
    await expectPage(page.getByRole('dialog')).toBeVisible()
    await page.goBack()
    await expectPage(page.getByRole('dialog')).toHaveCount(0)
    await page.goBack()
    await expectPage(page.getByRole('heading', { level: 1 })).toHaveText('Animals')
    await page.locator('.animals .open').first().click()
    await expectPage(page.getByRole('dialog', { name: /^Animal/ })).toBeVisible()
  })

  it('leaves a page that reacts, also when an open request is left by a link', async () => {
    const { page, ask, go } = await openConsole({ pets: animals, view: 'traffic' })
    await ask('/pets')
    await page.locator('.traffic .open').click()
    await go('Animals')
    await expectPage(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('searchbox').fill('rex')
    await expectPage(page.locator('.animals tbody tr')).toHaveCount(1)
    await page.goBack()
    await expectPage(page.getByRole('dialog')).toBeVisible()
  })
})

describe('an address', () => {
  it('that names no view, or a status that there is not, becomes that of what is shown', async () => {
    const { page } = await openConsole({ pets: animals, view: 'nonsense?status=bogus' })
    await expect.poll(() => hash(page)).toBe('#/animals?status=bogus')
    await expectPage(page.getByRole('radio', { name: /^All/ })).toBeChecked()
    await expectPage(page.getByRole('navigation', { name: 'Pages of animals' }).getByRole('button')).toHaveCount(0)
    await page.evaluate(() => {
      location.hash = '#/elsewhere?status=sold&q=x'
    })
    await expect.poll(() => hash(page)).toBe('#/animals?status=sold&q=x')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await expectPage(page.locator('.animals tbody tr')).toHaveCount(animals.length)
    expect(hash(page)).toBe('#/animals')
  })

  it.each([
    ['interface/getPet', '#interface-getPet'],
    ['interface/createPet', '#interface-createPet'],
    ['assumptions/removed-answer', '#assumptions-removed-answer'],
  ])('%s leads there, also after a reload', async (view, place) => {
    const { page } = await openConsole({ pets: animals, view, context: { viewport: { width: 1280, height: 500 } } })
    await expectPage(page.locator(place)).toBeInViewport()
    await page.evaluate(() => scrollTo(0, 0))
    await page.reload()
    await expectPage(page.locator(place)).toBeInViewport()
  })

  it('has the filters, and they are there again after a reload and on coming back', async () => {
    const { page, ask, go } = await openConsole({ pets: animals })
    await page.getByRole('radio', { name: /^sold/ }).check()
    await page.getByRole('searchbox').fill('e & "x"')
    await page.getByRole('button', { name: 'Name' }).click()
    await expect.poll(() => hash(page)).toBe('#/animals?status=sold&q=e+%26+%22x%22&sort=name')
    await page.reload()
    await expectPage(page.getByRole('searchbox')).toHaveValue('e & "x"')
    await expectPage(page.getByRole('radio', { name: /^sold/ })).toBeChecked()
    await expectPage(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
    await ask('/pets/1')
    await ask('/pets?limit=0')
    await go('Traffic')
    await page.getByLabel('Operation').selectOption('getPet')
    await page.getByLabel('Response').selectOption('2xx, success')
    await expect.poll(() => hash(page)).toBe('#/traffic?operation=getPet&response=2xx')
    await page.reload()
    await expectPage(page.locator('.traffic tbody tr')).toHaveCount(1)
    await go('Animals')
    await go('Traffic')
    expect(hash(page)).toBe('#/traffic?operation=getPet&response=2xx')
  })

  it('has the animal and the request that is open, in any tab', async () => {
    const { page, ask, go } = await openConsole({ pets: animals })
    await page.locator('.animals .open').last().click()
    expect(hash(page)).toBe(`#/animals/${animals[0]?.id}`)
    await ask('/pets?n=1')
    await ask('/pets?n=2')
    await go('Traffic')
    await page.locator('.traffic .open').last().click()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await expectPage(other.getByRole('dialog')).toContainText('/v1/pets?n=1')
    await other.goto(page.url().replace(/\d+$/, '999'))
    await other.reload()
    await expectPage(other.getByRole('dialog')).toContainText('not in the journal')
  })

  it('says so if there is no such animal', async () => {
    const { page } = await openConsole({ pets: animals, view: 'animals/99999' })
    await expectPage(page.getByRole('dialog')).toContainText('There is no animal with the id 99999.')
    await page.getByRole('button', { name: 'Close' }).click()
    expect(hash(page)).toBe('#/animals')
  })

  it('names the view, also if the page was opened without one', async () => {
    const { page } = await openConsole({ pets: animals, view: '' })
    await page.locator('.animals .open').last().click()
    expect(hash(page)).toBe(`#/animals/${animals[0]?.id}`)
  })

  it('takes the focus to the body of a new animal', async () => {
    const { page } = await openConsole({ pets: animals })
    await page.getByRole('button', { name: 'Add an animal' }).click()
    await expectPage(page.getByRole('form', { name: 'New animal' }).getByLabel(/^name/)).toBeFocused()
    await page.getByRole('link', { name: 'try createPet' }).click()
    await expectPage(page.getByRole('form', { name: 'Try createPet' }).getByLabel('Body')).toBeFocused()
  })
})
