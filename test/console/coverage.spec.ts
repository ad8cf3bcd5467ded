import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { expectPage, openConsole, useBrowser } from './open-console.ts'

useBrowser()

describe('coverage', () => {
  it('fills while requests come in, and keeps its counts over a reset', async () => {
    const { page, mock, ask } = await openConsole({ view: 'coverage', pets: animals })
    await expectPage(page.locator('main:visible .lead:visible')).toHaveText(/^No requests yet/)
    const listPets = page.getByRole('region', { name: 'Coverage of listPets' })
    await expectPage(listPets.getByText('0 of 15')).toBeVisible()
    await ask('/pets?limit=100&status=sold')
    await expectPage(listPets.getByText('4 of 15')).toBeVisible()
    await expectPage(listPets.locator('.chip.good')).toHaveText([/called 1$/, /200 1$/, /highest 1$/, /sold 1$/])
    await ask('/pets?limit=0')
    await expectPage(page.locator('.lead:visible')).toHaveText(/^6 of 35 cells \(17%\) tried by 2 requests/)
    mock.control.reset()
    await ask('/pets/')
    await expectPage(page.getByRole('region', { name: 'Also seen' })).toContainText('Extra slash ×1')
    await expectPage(page.locator('.lead:visible')).toHaveText(/by 3 requests/)
  })

  it('leads to the assumptions that responses depended on', async () => {
    const { page, ask } = await openConsole({ view: 'coverage', pets: animals })
    const questions = page.getByRole('region', { name: 'Ask the owner of the API' })
    await expectPage(questions).toContainText('Nothing yet')
    await ask('/pets?limit=0')
    await expectPage(questions).toContainText('used by 1 response since the mock started')
    await questions.getByRole('link', { name: 'How does listPets respond to an invalid limit or status?' }).click()
    await page.getByRole('heading', { level: 1, name: 'Assumptions' }).waitFor()
    expect(page.url()).toContain('#/assumptions/invalid-query')
  })

  it('counts what happens in every sandbox', async () => {
    const { page, ask } = await openConsole({ view: 'coverage', sandbox: true })
    await ask('/pets', { key: 'ann-key' })
    await ask('/pets', { key: 'bob-key' })
    await expectPage(page.locator('.lead:visible')).toHaveText(/by 2 requests/)
  })
})
