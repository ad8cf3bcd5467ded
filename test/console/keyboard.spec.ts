// The commonest tasks, each from its beginning to its end without a pointer.
import type { Locator, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { expectPage, openConsole, useBrowser } from './open-console.ts'

useBrowser()

/** More than any view has of what takes the focus. */
const MAX_STEPS = 150

/** Presses Tab until the focus is there. */
async function reach(page: Page, target: Locator): Promise<void> {
  await expectPage(target.first()).toBeVisible()
  for (let step = 0; step < MAX_STEPS; step++) {
    if (await target.first().evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no way to ${target} by keyboard`)
}

async function press(page: Page, target: Locator): Promise<void> {
  await reach(page, target)
  await page.keyboard.press('Enter')
}

async function goTo(page: Page, view: string): Promise<void> {
  await press(page, page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }))
  await expectPage(page.getByRole('heading', { level: 1 })).toHaveText(view)
}

describe('by keyboard alone', () => {
  it('animals are found, added, sold and deleted, and that is undone', async () => {
    const { page, mock } = await openConsole({ pets: animals })
    await reach(page, page.getByRole('searchbox'))
    await page.keyboard.type('rex')
    await expectPage(page.locator('.animals tbody tr')).toHaveCount(1)
    await press(page, page.locator('.animals .open'))
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Sell' }))
    await expectPage.poll(() => mock.control.pets.get(1)?.status).toBe('sold')
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
    await expectPage.poll(() => mock.control.pets.get(1)).toBeUndefined()
    await press(page, page.getByRole('button', { name: 'Undo' }))
    await expectPage.poll(() => mock.control.pets.get(1)?.name).toBe('Rex')
    await press(page, page.getByRole('button', { name: 'Add an animal' }))
    await expectPage(page.getByRole('form', { name: 'New animal' }).getByLabel(/^name/)).toBeFocused()
    await page.keyboard.type('Nala')
    await page.keyboard.press('Tab')
    await page.keyboard.type('9007199254740993')
    await page.keyboard.press('Enter')
    await expectPage.poll(() => mock.control.state().pets?.at(-1)).toMatchObject({ name: 'Nala', categoryId: 9007199254740993n })
  })

  it('a request is found, read, sent again and made to fail', async () => {
    const { page, mock, ask } = await openConsole({ pets: animals, view: 'traffic' })
    await ask('/pets?limit=500')
    await ask('/pets/1')
    await expectPage(page.locator('.traffic tbody tr')).toHaveCount(2)
    await reach(page, page.locator('.traffic .open'))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expectPage(dialog).toContainText('limit: expected an integer from 1 to 100, got 500')
    await press(page, dialog.getByRole('button', { name: 'Send again' }))
    await expectPage.poll(() => mock.control.requests().length).toBe(3)
    await press(page, dialog.getByRole('button', { name: 'Fail listPets' }))
    await expectPage.poll(() => mock.control.faults.list()).toMatchObject([{ operation: 'listPets', status: 503 }])
    await page.keyboard.press('Escape')
    await expectPage(dialog).toBeHidden()
  })

  it('a scenario is loaded, a fault set, the clock turned, an assumption changed, a request tried', async () => {
    const { page, mock } = await openConsole({ pets: animals })
    await goTo(page, 'Scenarios')
    await press(page, page.getByRole('button', { name: 'Load sold-out' }))
    await expectPage.poll(() => mock.control.summary().scenario).toBe('sold-out')
    await goTo(page, 'Faults and clock')
    await press(page, page.getByRole('button', { name: 'Outage' }))
    await expectPage.poll(() => mock.control.faults.list().length).toBe(1)
    await press(page, page.getByRole('button', { name: 'Remove all' }))
    await expectPage.poll(() => mock.control.faults.list().length).toBe(0)
    const before = mock.control.clock.get().now
    await press(page, page.getByRole('button', { name: '+1 day' }))
    await expectPage.poll(() => mock.control.clock.get().now > before).toBe(true)
    await goTo(page, 'Assumptions')
    await reach(page, page.getByRole('group', { name: /invalid limit/ }).getByRole('radio', { checked: true }))
    await page.keyboard.press('ArrowDown')
    await expectPage.poll(() => mock.control.state().assume?.['invalid-query']).toBe('clamp')
    await goTo(page, 'API')
    const form = page.getByRole('form', { name: 'Try listPets' })
    await press(page, form.getByRole('button', { name: 'Send' }))
    await expectPage(form.locator('.answer')).toContainText('200')
    expect(mock.control.requests()).toMatchObject([{ operation: 'listPets', status: 200 }])
  })
})
