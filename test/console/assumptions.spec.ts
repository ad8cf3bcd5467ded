import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { expectPage, openConsole, useBrowser } from './open-console.ts'

useBrowser()

describe('the assumptions', () => {
  it('are all there, each with its question, its choices and the reason', async () => {
    const { page, mock } = await openConsole({ view: 'assumptions' })
    const ledger = mock.control.assumptions()
    await expectPage(page.locator('.question')).toHaveCount(ledger.length)
    for (const { question, silence, why, choices, choice } of ledger) {
      const group = page.getByRole('group', { name: question })
      await expectPage(group).toContainText(silence)
      await expectPage(group).toContainText(`Why this default: ${why}`)
      await expectPage(group.getByRole('radio')).toHaveCount(choices.length)
      await expectPage(group.getByRole('radio', { checked: true })).toHaveAccessibleName(new RegExp(`^${choice} default`))
    }
  })

  it('can be chosen otherwise, and the service follows', async () => {
    const { page, mock, ask } = await openConsole({ view: 'assumptions', pets: animals })
    const group = page.getByRole('group', { name: /invalid limit/ })
    await group.getByRole('radio', { name: /^clamp/ }).check()
    await expectPage(group.getByText('changed')).toBeVisible()
    expect((await ask('/pets?limit=500'))?.status).toBe(200)
    await expectPage(page.getByRole('link', { name: /Assumptions 1/ })).toBeVisible()
    mock.control.reset()
    await expectPage(group.getByRole('radio', { name: /^reject/ })).toBeChecked()
  })

  it('count the responses that used them', async () => {
    const { page, ask } = await openConsole({ view: 'assumptions', pets: animals })
    const group = page.getByRole('group', { name: /invalid limit/ })
    await expectPage(group).toContainText('used by 0 responses in Traffic')
    await ask('/pets?limit=0')
    await ask('/pets?limit=101')
    await expectPage(group).toContainText('used by 2 responses in Traffic')
  })

  it('say so where they are not counted', async () => {
    const { page, mock, ask, create } = await openConsole({ view: 'assumptions', pets: animals })
    const use = (id: string) => page.locator(`#assumptions-${id} .facts-line`)
    await create('{"name":"Bella","categoryId":77}')
    await ask('/pets/999')
    await ask('/pets?limit=0')
    await expectPage(page.locator('#assumptions-invalid-query')).toContainText('used by 1 response')
    await expectPage(use('error-codes')).toContainText('not counted: applies to every error')
    await expectPage(use('unknown-category')).toContainText('not counted: applies to every new animal')
    await expectPage(use('valid-keys')).toContainText('not counted: applies to every accepted key')
    await ask('/pets', { key: 'invalid' })
    await expectPage(use('valid-keys')).toContainText('used by 1 response in Traffic, not counting every accepted key')
    expect(mock.control.assumptions().find(({ id }) => id === 'error-codes')?.uses).toBe(0)
  })
})
