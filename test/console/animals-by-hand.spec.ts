// What no operation of the service can do: animals that a tester adds, changes, sells and deletes.
import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { expectPage, openConsole, useBrowser } from './open-console.ts'

useBrowser()

const rows = '.animals tbody tr'

describe('an animal', () => {
  it('is added by a form with the fields of the contract, exact at int64, and taken back', async () => {
    const { page, mock } = await openConsole({ pets: animals })
    await page.getByRole('button', { name: 'Add an animal' }).click()
    expect(page.url()).toContain('#/animals/new')
    const form = page.getByRole('form', { name: 'New animal' })
    await expectPage(form.locator('.field > span')).toHaveText(['name, string, required', 'categoryId, int64, required', 'status, string'])
    await expectPage(form.getByLabel(/^name/)).toBeFocused()
    await form.getByLabel(/^name/).fill('Rex')
    await form.getByLabel(/^categoryId/).fill('many')
    await form.getByRole('button', { name: 'Add' }).click()
    await expectPage(form.getByRole('alert')).toContainText('categoryId: expected a 64-bit integer, got "many"')
    await form.getByLabel(/^categoryId/).fill('9223372036854775807')
    await form.getByLabel(/^status/).selectOption('pending')
    await form.getByRole('button', { name: 'Add' }).click()
    await expectPage(page.locator(rows).first()).toContainText('Rex')
    await expectPage(page.locator(rows).first()).toContainText('new')
    expect(mock.control.state().pets?.at(-1)).toMatchObject({ name: 'Rex', categoryId: 9223372036854775807n, status: 'pending' })
    expect(mock.control.requests()).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator(rows)).toHaveCount(animals.length)
  })

  it('is sold meanwhile, edited, deleted, and each can be undone', async () => {
    const { page, mock, ask } = await openConsole({
      pets: [{ id: 9007199254740993n, name: 'Rex', categoryId: 1 }],
      view: 'animals/9007199254740993',
    })
    const dialog = page.getByRole('dialog', { name: 'Animal 9007199254740993' })
    await dialog.getByRole('button', { name: 'Sell' }).click()
    await expectPage(page.getByText('Sold animal 9007199254740993')).toBeVisible()
    await expectPage(dialog.getByLabel('Animal as JSON')).toContainText('"status": "sold"')
    await expectPage(dialog.getByRole('button', { name: 'Sell' })).toBeDisabled()
    expect(await (await ask('/pets?status=sold'))?.text()).toBe('[{"id":9007199254740993,"name":"Rex","categoryId":1,"status":"sold"}]')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage.poll(() => mock.control.state().pets).toEqual([{ id: 9007199254740993n, name: 'Rex', categoryId: 1 }])
    await dialog.getByRole('button', { name: 'Edit' }).click()
    const form = dialog.getByRole('form', { name: 'Edit animal' })
    await form.getByLabel(/^name/).fill('Max')
    await form.getByLabel(/^status/).selectOption('available')
    await form.getByRole('button', { name: 'Save' }).click()
    await expectPage(form).toBeHidden()
    await expectPage(page.locator(rows)).toContainText('Max')
    await expectPage(page.locator(rows)).toContainText('changed')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expectPage(page.locator(rows)).toHaveCount(0)
    await expectPage(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator(rows)).toContainText('Max')
    expect(mock.control.state().pets).toEqual([{ id: 9007199254740993n, name: 'Max', categoryId: 1, status: 'available' }])
    mock.control.reset()
    await expectPage(page.locator(rows)).toContainText('Rex')
  })

  it('keeps what others changed while it was edited', async () => {
    const { page, mock } = await openConsole({ pets: animals, view: 'animals/1' })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Edit' }).click()
    const form = dialog.getByRole('form', { name: 'Edit animal' })
    await form.getByLabel(/^name/).fill('Max')
    mock.control.pets.update(1, { status: 'sold' })
    await expectPage(dialog.getByLabel('Animal as JSON')).toContainText('"status": "sold"')
    await form.getByRole('button', { name: 'Save' }).click()
    await expectPage(form).toBeHidden()
    expect(mock.control.pets.get(1)).toEqual({ ...animals[0], name: 'Max', status: 'sold' })
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await expectPage(form).toBeHidden()
    await expectPage(page.locator('.toast')).toContainText('Changed animal 1')
  })
})
