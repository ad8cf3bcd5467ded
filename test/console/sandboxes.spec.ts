import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { expectPage, openConsole, useBrowser } from './open-console.ts'

useBrowser()

describe('the sandboxes', () => {
  it('are one world for all without them', async () => {
    const { page } = await openConsole({ pets: animals })
    await expectPage(page.getByLabel('World')).toBeDisabled()
    await expectPage(page.getByLabel('World')).toHaveValue('')
  })

  it('appear as they come to be, and can be looked at one by one', async () => {
    const { page, create, go, mock } = await openConsole({ pets: animals, sandbox: true })
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await create('{"name":"Of Bob","categoryId":1}', 'bob-key')
    const world = page.getByLabel('World')
    await expectPage(world.getByRole('option')).toHaveText(['Shared by all keys', 'Sandbox ann-key', 'Sandbox bob-key'])
    await expectPage(page.getByText('Of Ann')).toBeHidden()
    await world.selectOption('Sandbox ann-key')
    await expectPage(page.locator('.animals tbody tr').first()).toContainText('Of Ann')
    await create('{"name":"Of Ann, too","categoryId":1}', 'ann-key')
    await create('{"name":"Of Bob, too","categoryId":1}', 'bob-key')
    await expectPage(page.locator('.animals tbody tr').first()).toContainText('Of Ann, too')
    await go('Traffic')
    await expectPage(page.locator('.traffic tbody tr')).toHaveCount(2)
    await go('Faults and clock')
    await page.getByRole('button', { name: 'Outage' }).click()
    await expectPage(page.locator('.faults li')).toHaveCount(1)
    expect(mock.control.sandbox('ann-key').faults.list()).toHaveLength(1)
    expect(mock.control.sandbox('bob-key').faults.list()).toEqual([])
    expect(mock.control.faults.list()).toEqual([])
    await world.selectOption('Sandbox bob-key')
    await expectPage(page.getByText('No faults: every request gets its normal response.')).toBeVisible()
  })

  it('are asked with their own key', async () => {
    const { page, create, go, mock } = await openConsole({ pets: animals, sandbox: true })
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await page.getByLabel('World').selectOption('Sandbox ann-key')
    await go('API')
    await expectPage(page.getByLabel('API key')).toHaveValue('ann-key')
    const form = page.getByRole('form', { name: 'Try createPet' })
    await form.getByRole('button', { name: 'Send' }).click()
    await expectPage(form.locator('.answer')).toContainText('201')
    expect(mock.control.sandbox('ann-key').summary().pets).toBe(animals.length + 2)
  })

  it('can be removed, and leave the shared world', async () => {
    const { page, create, go, mock } = await openConsole({ pets: animals, sandbox: true })
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await page.getByLabel('World').selectOption('Sandbox ann-key')
    await go('Scenarios')
    await page.getByRole('button', { name: 'Remove sandbox' }).click()
    await expectPage(page.getByText('Sandbox ann-key was removed; this is the shared world')).toBeVisible()
    await expectPage(page.getByLabel('World')).toHaveValue('')
    expect(mock.control.sandboxes()).toEqual([])
  })
})
