import type { Page } from 'playwright'
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

  it('start from a scenario that only requests without a valid key reach, and the page says so until there is one', async () => {
    const { page, create, go, mock, ask } = await openConsole({ pets: animals, sandbox: true })
    const world = page.getByLabel('World')
    await expectPage(world).toBeEnabled()
    await expectPage(world.getByRole('option')).toHaveText(['All sandboxes'])
    await expectPage(page.getByRole('note')).toContainText(
      'new sandboxes start from default, which is shown here. Only requests without a valid key reach it',
    )
    await expectPage(page.getByRole('button', { name: 'Add an animal' })).toHaveCount(0)
    await page.locator('.animals .open').first().click()
    await expectPage(page.getByRole('dialog').getByRole('button', { name: 'Copy JSON' })).toBeVisible()
    await expectPage(page.getByRole('dialog').getByRole('button', { name: 'Delete' })).toBeHidden()
    await page.keyboard.press('Escape')
    await go('Traffic')
    await ask('/pets', { key: 'invalid' })
    await expectPage(page.locator('.traffic tbody tr')).toHaveCount(1)
    // A fault set here would affect nobody, so none can be set.
    await page.getByRole('link', { name: 'Faults and clock' }).click()
    await expectPage(page.locator('section.view:visible')).toHaveAttribute('inert')
    await page.getByRole('link', { name: 'Animals' }).click()
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await expectPage(world).toHaveValue('ann-key')
    await expectPage(page.getByRole('note')).toHaveCount(0)
    await expectPage(page.locator('.animals tbody tr').first()).toContainText('Of Ann')
    expect(mock.control.sandboxes()).toEqual(['ann-key'])
  })

  it('open with the one that was used last', async () => {
    const { page, create } = await openConsole({ pets: animals, sandbox: true })
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await create('{"name":"Of Bob","categoryId":1}', 'bob-key')
    const other = await page.context().newPage()
    await other.goto(page.url().replace(/#.*/, '#/animals'))
    await expectPage(other.getByLabel('World')).toHaveValue('bob-key')
    await expectPage(other.locator('.animals tbody tr').first()).toContainText('Of Bob')
    expect(new URL(other.url()).hash).toBe('#/animals?sandbox=bob-key')
  })

  it('have their traffic in one list, where a key leads to its world and back', async () => {
    const { page, create, ask, mock } = await openConsole({ pets: animals, sandbox: true, view: 'traffic' })
    const rows = page.locator('.traffic tbody tr')
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await create('{"name":"Of Bob","categoryId":1}', 'bob-key')
    await ask('/pets', { key: 'invalid' })
    await expectPage(rows.locator('.at-key')).toHaveText(['…alid', 'bob-key', 'ann-key'])
    await expectPage(page.getByLabel('World')).toHaveValue('')
    await page.reload()
    await expectPage(rows.locator('.at-key')).toHaveText(['…alid', 'bob-key', 'ann-key'])
    await rows.nth(2).locator('.open').click()
    await page.getByRole('button', { name: 'Send again' }).click()
    await expectPage(rows.first().locator('.at-key')).toHaveText('ann-key')
    expect(mock.control.sandboxes()).toEqual(['bob-key', 'ann-key'])
    await page.keyboard.press('Escape')
    await rows.first().getByRole('link', { name: 'ann-key' }).click()
    await expectPage(page.getByLabel('World')).toHaveValue('ann-key')
    await expectPage(rows).toHaveCount(2)
    expect(new URL(page.url()).hash).toBe('#/traffic?sandbox=ann-key')
    await page.getByRole('link', { name: 'All sandboxes' }).click()
    await expectPage(rows).toHaveCount(4)
    mock.control.sandbox('ann-key').reset()
    await expectPage(rows).toHaveCount(2)
    await page.getByRole('button', { name: 'Clear' }).click()
    await expectPage(rows).toHaveCount(0)
    expect(mock.control.requests({ sandbox: '*' })).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(rows.locator('.at-key')).toHaveText(['…alid', 'bob-key'])
    await expectPage(page.locator('.toast')).toHaveText('Restored the traffic of all sandboxes')
  })

  it('have, in the list of all, the choices, the faults and the actions of the one that a request was in', async () => {
    const { page, create, ask, mock } = await openConsole({ pets: animals, sandbox: true, view: 'traffic' })
    const gamma = mock.control.sandbox('gamma-key')
    gamma.assume({ 'invalid-query': 'clamp' })
    gamma.faults.add({ operation: 'createPet', status: 503, times: 1 })
    await create('{"name":"Lost","categoryId":1}', 'gamma-key')
    await ask('/pets?limit=500', { key: 'gamma-key' })
    const rows = page.locator('.traffic tbody tr')
    await expectPage(rows).toHaveCount(2)
    await rows.first().locator('.open').click()
    const why = page.getByRole('dialog').getByRole('list', { name: 'Why this response' })
    await expectPage(why).toContainText('Now: clamp.')
    gamma.assume({ 'invalid-query': 'ignore' })
    await expectPage(why).toContainText('Now: ignore.')
    await page.getByRole('button', { name: 'Older' }).click()
    await expectPage(why).toContainText('createPet responds 503, once, used up')
    await page.getByRole('button', { name: 'Fail createPet' }).click()
    await expectPage(page.locator('.toast')).toContainText('createPet now responds 503 in the sandbox of gamma-key')
    expect(gamma.faults.list()).toMatchObject([{ times: 1 }, { operation: 'createPet', status: 503 }])
    expect(mock.control.faults.list()).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage.poll(() => gamma.faults.list().length).toBe(1)
    await page.getByRole('button', { name: 'Newer' }).click()
    await why.getByRole('link', { name: 'Change' }).first().click()
    await expectPage(page.getByLabel('World')).toHaveValue('gamma-key')
    await page
      .getByRole('group', { name: /invalid limit or status/ })
      .getByRole('radio', { name: /^reject/ })
      .check()
    await expectPage.poll(() => gamma.assumptions().find(({ id }) => id === 'invalid-query')?.choice).toBe('reject')
  })

  it('have their own situation kept as a scenario, also from the list of all', async () => {
    const { page, create, ask, mock } = await openConsole({ pets: [], sandbox: true, view: 'traffic' })
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await ask('/pets', { key: 'invalid' })
    const rows = page.locator('.traffic tbody tr')
    await expectPage(rows).toHaveCount(2)
    await rows.first().locator('.open').click()
    // Nobody with a valid key is in the world that new sandboxes start from.
    await expectPage(page.getByRole('button', { name: 'Send again' })).toBeVisible()
    await expectPage(page.getByRole('button', { name: /^Fail|^Make a scenario/ })).toHaveCount(0)
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByRole('button', { name: 'Make a scenario' }).click()
    await expectPage(page.getByLabel('Text of the scenario')).toHaveValue(/Of Ann/)
    await expectPage(page.getByLabel('World')).toHaveValue('ann-key')
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await expectPage(page.getByText('Loaded createPet-201 (1 animal)')).toBeVisible()
    expect(mock.control.sandbox('ann-key').summary().scenario).toBe('createPet-201')
    expect(mock.control.summary().scenario).toBe('default')
  })

  it('are in the address, so that a reload and a colleague see the same one', async () => {
    const { page, create, go } = await openConsole({ pets: animals, sandbox: true })
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await create('{"name":"Of Bob","categoryId":1}', 'bob-key')
    const world = page.getByLabel('World')
    await expectPage(world.getByRole('option')).toHaveCount(3)
    for (const key of ['bob-key', 'ann-key']) {
      await world.selectOption(key)
      await expectPage.poll(() => page.url()).toContain(`sandbox=${key}`)
      await page.reload()
      await expectPage(world).toHaveValue(key)
      await expectPage(page.locator('.animals tbody tr').first()).toContainText(key === 'ann-key' ? 'Of Ann' : 'Of Bob')
    }
    await go('Traffic')
    await expectPage(world).toHaveValue('ann-key')
    await page.goBack()
    await expectPage(page.locator('.animals tbody tr').first()).toContainText('Of Ann')
  })

  it('get the animal that is added by hand, and no other world does', async () => {
    const { page, create, mock } = await openConsole({ pets: animals, sandbox: true })
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await expectPage(page.getByLabel('World')).toHaveValue('ann-key')
    await page.getByRole('button', { name: 'Add an animal' }).click()
    const form = page.getByRole('form', { name: 'New animal' })
    await form.getByLabel(/^name/).fill('By hand')
    await form.getByLabel(/^categoryId/).fill('1')
    await form.getByRole('button', { name: 'Add' }).click()
    await expectPage(page.getByRole('link', { name: /^Animals/ })).toContainText(String(animals.length + 2))
    expect(mock.control.sandboxes()).toEqual(['ann-key'])
    expect(mock.control.sandbox('ann-key').summary().pets).toBe(animals.length + 2)
  })

  it('are forgotten by an address that names one where there are none', async () => {
    const { page } = await openConsole({ pets: animals, view: 'animals?sandbox=ann-key' })
    await expectPage(page.locator('.animals tbody tr')).toHaveCount(animals.length)
    await expectPage.poll(() => new URL(page.url()).hash).toBe('#/animals')
    await expectPage(page.locator('.toast')).toHaveCount(0)
  })

  it('appear as they come to be, and can be looked at one by one', async () => {
    const { page, create, go, mock } = await openConsole({ pets: animals, sandbox: true })
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await create('{"name":"Of Bob","categoryId":1}', 'bob-key')
    const world = page.getByLabel('World')
    await expectPage(world.getByRole('option')).toHaveText(['All sandboxes', 'Sandbox ann-key', 'Sandbox bob-key'])
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

  it('can be chosen and the view left at once, before the page has painted', async () => {
    const { page, create } = await openConsole({ pets: animals, sandbox: true })
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await page.getByLabel('World').selectOption('Sandbox ann-key')
    await page.getByLabel('World').selectOption('All sandboxes')
    await expectPage(page).not.toHaveURL(/sandbox=/)
    await chooseAndAct(page, 'ann-key', 'leave')
    await expectPage(page.getByRole('heading', { level: 1, name: 'Scenarios' })).toBeVisible()
    await expectPage(page.getByLabel('World')).toHaveValue('ann-key')
  })

  it('can be chosen one after the other at once, before the page has painted', async () => {
    const { page, create } = await openConsole({ pets: animals, sandbox: true })
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await create('{"name":"Of Bob","categoryId":1}', 'bob-key')
    await page.getByLabel('World').selectOption('Sandbox bob-key')
    await page.getByLabel('World').selectOption('All sandboxes')
    await expectPage(page).not.toHaveURL(/sandbox=/)
    await chooseAndAct(page, 'ann-key', 'choose bob-key')
    await expectPage(page).toHaveURL(/sandbox=bob-key/)
    await expectPage(page.getByLabel('World')).toHaveValue('bob-key')
    await expectPage(page.getByText('Of Bob')).toBeVisible()
  })

  it("can be removed, and the page turns to all of them, not to somebody else's", async () => {
    const { page, create, go, mock } = await openConsole({ pets: animals, sandbox: true })
    await create('{"name":"Of Ann","categoryId":1}', 'ann-key')
    await create('{"name":"Of Bob","categoryId":1}', 'bob-key')
    await page.getByLabel('World').selectOption('Sandbox ann-key')
    await go('Scenarios')
    await page.getByRole('button', { name: 'Remove sandbox' }).click()
    await expectPage(page.getByText('Sandbox ann-key was removed')).toBeVisible()
    await expectPage(page.locator('.toast.problem')).toHaveCount(0)
    await expectPage(page.getByLabel('World')).toHaveValue('')
    await create('{"name":"Of Bob","categoryId":1}', 'cat-key')
    await expectPage(page.getByLabel('World').getByRole('option')).toHaveCount(3)
    await expectPage(page.getByLabel('World')).toHaveValue('')
    expect(mock.control.sandboxes()).toEqual(['bob-key', 'cat-key'])
  })

  it('are not taken for existing where an address names a key without one', async () => {
    const { page, create } = await openConsole({ pets: animals, sandbox: true, view: 'animals?sandbox=nobodys-key' })
    await expectPage(page.getByRole('note')).toContainText('This key has no sandbox yet')
    await create('{"name":"Of nobody","categoryId":1}', 'nobodys-key')
    await expectPage(page.locator('.animals tbody tr').first()).toContainText('Of nobody')
    await expectPage(page.getByRole('note')).toHaveCount(0)
  })

  it('have long keys on one line, with both of their ends', async () => {
    const { page, ask } = await openConsole({ pets: animals, sandbox: true, view: 'traffic' })
    const key = `${'long-key-'.repeat(15)}end`
    await ask('/pets', { key })
    const link = page.getByRole('link', { name: key })
    await expectPage(link).toHaveAttribute('title', `Show the sandbox of ${key}`)
    expect((await page.locator('.traffic tbody tr').boundingBox())?.height).toBeLessThan(80)
    await expectPage(link.locator('span').last()).toHaveText('ey-end')
    await link.click()
    await expectPage(page.locator('.view:visible .lead')).toContainText('with the key long-key-lon…ong-key-end')
    await expectPage(page.locator('.lead [title]:visible')).toHaveAttribute('title', key)
  })
})

/** Chooses a world, and acts as soon as the page shows it: before the paint, after which the page follows up. */
async function chooseAndAct(page: Page, key: string, act: 'leave' | 'choose bob-key'): Promise<void> {
  await page.evaluate(
    ([key, act]) => {
      const link = document.querySelector('nav a[href*="scenarios"]') as HTMLElement
      const world = document.querySelector('.world select') as HTMLSelectElement
      const choose = (value: string) => {
        world.value = value
        world.dispatchEvent(new Event('change', { bubbles: true }))
      }
      const rendering = new MutationObserver(() => {
        if (!link.getAttribute('href')?.includes(key)) return
        rendering.disconnect()
        if (act === 'leave') link.click()
        else choose('bob-key')
      })
      rendering.observe(link, { attributes: true })
      choose(key)
    },
    [key, act] as const,
  )
}
