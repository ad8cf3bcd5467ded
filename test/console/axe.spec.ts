// What axe finds in the console: nothing.
import axe from 'axe-core'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { expectPage, useBrowser } from './open-console.ts'
import { NARROW, openLively, VIEWS, WIDE } from './open-lively.ts'

useBrowser()

async function findAxeIssues(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  )
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html} ${failureSummary}`),
  )
}

describe.each([
  ['light', WIDE],
  ['dark', NARROW],
] as const)('in %s, %o', (colorScheme, viewport) => {
  it('axe finds nothing in any view', async () => {
    const { page, go } = await openLively({ colorScheme, viewport, reducedMotion: 'reduce' })
    for (const view of VIEWS) {
      await go(view)
      expect(await findAxeIssues(page), view).toEqual([])
    }
  })
})

describe.each([
  ['light', NARROW],
  ['dark', WIDE],
] as const)('in %s, %o', (colorScheme, viewport) => {
  it.each([
    ['a request to change', 'traffic', ['.traffic .open', 'text=Edit and send']],
    ['an animal to change', 'animals/7', ['text=Edit']],
    ['a new animal', 'animals/new', []],
    ['a scenario before it is loaded', 'scenarios/flaky', []],
    ['a scenario as text', 'scenarios/edit', []],
    ['what has changed', 'scenarios/changes', []],
  ])('axe finds nothing in %s', async (_, view, clicks) => {
    const { page } = await openLively({ colorScheme, viewport, reducedMotion: 'reduce' }, view)
    for (const selector of clicks) await page.locator(selector).first().click()
    await expectPage(page.getByText('Loading…')).toHaveCount(0)
    expect(await findAxeIssues(page)).toEqual([])
  })
})

describe.each([
  ['light', WIDE],
  ['dark', NARROW],
] as const)('in %s, %o', (colorScheme, viewport) => {
  it('axe finds nothing in what opens, asks, warns or is empty', async () => {
    const { page, mock, go, close } = await openLively({ colorScheme, viewport, reducedMotion: 'reduce' }, 'traffic')
    await page.locator('.traffic .open').nth(2).click()
    await page.getByRole('dialog').waitFor()
    expect(await findAxeIssues(page), 'an exchange').toEqual([])
    await page.keyboard.press('Escape')
    await go('API')
    const form = page.getByRole('form', { name: 'Try listPets' })
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('article', { name: 'List animals' }).locator('summary').first().click()
    await expectPage(form.locator('.answer')).toContainText('200')
    expect(await findAxeIssues(page), 'an answer').toEqual([])
    await go('Scenarios')
    await page
      .getByLabel('Scenario file', { exact: true })
      .setInputFiles({ name: 'bad.json', mimeType: 'text/plain', buffer: Buffer.from('{"pets": 1}') })
    await page.getByRole('alert').waitFor()
    expect(await findAxeIssues(page), 'a bad file').toEqual([])
    mock.control.load({ name: 'nothing' })
    for (const view of ['Animals', 'Traffic', 'Faults and clock']) {
      await go(view)
      await page.locator('.empty:visible').waitFor()
      expect(await findAxeIssues(page), `no ${view}`).toEqual([])
    }
    await close()
    await page.getByText('The mock is not responding.').waitFor()
    expect(await findAxeIssues(page), 'disconnected').toEqual([])
  })
})
