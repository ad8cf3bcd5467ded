// Taking back what one did, and nothing else; and the focus of whoever removes things by keyboard.
import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { expectPage, openConsole, useBrowser } from './open-console.ts'

useBrowser()

const LATER = 'It cannot be undone any more: something else was loaded, reset, cleared or undone since.'

describe('an action', () => {
  it('is not undone in the place of what somebody else did after it', async () => {
    const { page, mock, ask } = await openConsole({ pets: animals, view: 'traffic' })
    await ask('/pets')
    await page.getByRole('button', { name: 'Clear' }).click()
    const toast = page.locator('.toast')
    await expectPage(toast.getByRole('button', { name: 'Undo' })).toBeVisible()
    const other = await page.context().newPage()
    await other.goto(page.url().replace('traffic', 'scenarios'))
    await other.getByRole('button', { name: 'Load single' }).click()
    await expectPage(toast).toHaveText(`Cleared the traffic. ${LATER}`)
    await expectPage(toast.getByRole('button', { name: 'Undo' })).toHaveCount(0)
    await page.keyboard.press('Control+z')
    mock.control.reset()
    await expectPage(other.locator('.toast')).toHaveText(`Loaded single (1 animal). ${LATER}`)
    expect(mock.control.summary()).toMatchObject({ scenario: 'single', pets: 1 })
  })

  it('can be undone by a key, and as long as somebody is at its message', async () => {
    const { page, mock } = await openConsole({ pets: animals, view: 'animals/1' })
    await page.getByRole('dialog').getByRole('button', { name: 'Sell' }).click()
    const undo = page.locator('.toast').getByRole('button', { name: 'Undo' })
    await expectPage(undo).toHaveAttribute('title', /Ctrl\+Z/)
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('Control+z')
    expect(mock.control.pets.get(1)?.status).toBe('sold')
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('Control+z')
    await expectPage(page.locator('.toast')).toHaveText('Restored the status of animal 1')
    expect(mock.control.pets.get(1)).toEqual(animals[0])

    await page.clock.install()
    await page.getByRole('dialog').getByRole('button', { name: 'Sell' }).click()
    await undo.hover()
    await page.clock.runFor(12_000)
    await expectPage(undo).toBeVisible()
    await undo.focus()
    await page.mouse.move(0, 0)
    await page.clock.runFor(12_000)
    await expectPage(undo).toBeFocused()
    await page.getByRole('searchbox').focus()
    await page.clock.runFor(10_000)
    await expectPage(undo).toHaveCount(0)
  })
})

describe('the focus', () => {
  it('goes to what stands in the place of what was removed', async () => {
    const { page, go, mock } = await openConsole({ pets: animals, view: 'animals' })
    const rows = page.locator('.animals .open')
    await rows.nth(1).focus()
    const next = await rows.nth(2).textContent()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await expectPage(rows).toHaveCount(animals.length - 1)
    await expectPage(rows.nth(1)).toBeFocused()
    await expectPage(rows.nth(1)).toHaveText(next as string)
    await go('Faults and clock')
    for (const operation of ['listPets', 'createPet', 'getPet'] as const) mock.control.faults.add({ operation, status: 503 })
    const remove = (id: number) => page.getByRole('button', { name: `Remove fault ${id}` })
    await remove(2).press('Enter')
    await expectPage(remove(3)).toBeFocused()
    await page.keyboard.press('Enter')
    await expectPage(remove(1)).toBeFocused()
    await page.getByRole('button', { name: 'Remove all' }).press('Enter')
    await expectPage(page.getByRole('heading', { level: 1, name: 'Faults and clock' })).toBeFocused()
  })
})
