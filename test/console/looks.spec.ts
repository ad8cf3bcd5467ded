// What the console looks like: nothing is too wide, too narrow or hidden at any width, and axe finds nothing.
import axe from 'axe-core'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { scenarios } from '../../src/scenarios.ts'
import { expectPage, type Opened, openConsole, useBrowser } from './open-console.ts'

useBrowser()

const VIEWS = ['Requests', 'Animals', 'Scenarios', 'Faults and clock', 'Assumptions']

/** A state with something to see in every view. */
async function openBusy(width: number, colorScheme: 'light' | 'dark'): Promise<Opened> {
  const opened = await openConsole({
    context: { viewport: { width, height: 800 }, colorScheme, reducedMotion: 'reduce' },
    scenario: { ...scenarios['big-ids'], now: '2030-12-06T00:00:00Z', latency: [1, 2] },
    faults: [
      { operation: 'createPet', status: 503, times: 1, retryAfter: 1 },
      { operation: 'getPet', status: 500, times: 3 },
    ],
    assume: { 'removed-answer': 'gone' },
  })
  const { create, ask, rows } = opened
  await create('{"name":"Lost","categoryId":1}')
  await create('{"name":"Bella","categoryId":"9007199254740993","status":"sold"}')
  await ask('/pets?limit=500')
  await ask('/pets', { headers: { prefer: 'drop' } })
  await ask(`/pets?status=${'very-'.repeat(60)}long`)
  await expectPage(rows).toHaveCount(5)
  return opened
}

/** What is wider than the page, and what should show text but has no room for it. */
function findMisfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const name = (element: Element) => `${element.className} ${element.textContent?.slice(0, 40)}`
    const all = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility({ visibilityProperty: true }))
    const scrolls = '.conditions, .code, .hidden'
    // A cell cuts what does not fit into it.
    const isCut = (element: Element) => element.closest('.row > *')?.contains(element.parentElement) === true
    const wide = all.filter(
      (element) => !element.closest(scrolls) && !isCut(element) && element.getBoundingClientRect().right > innerWidth + 1,
    )
    const cells = [...document.querySelectorAll('.row > *, .pane-body > *, .head > *, .tools > *, .pairs > div > *')]
    const thin = cells.filter(
      (element) =>
        element.checkVisibility() &&
        element.textContent?.trim() &&
        !element.matches('.hidden') &&
        element.getBoundingClientRect().width < 28,
    )
    const full = [...document.querySelectorAll('.card, .pane-body')].filter(
      (one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1,
    )
    return [
      ...full.map((one) => `full: ${name(one)}`),
      ...wide.map((one) => `wide: ${name(one)}`),
      ...thin.map((one) => `thin: ${name(one)}`),
    ]
  })
}

async function findAxeIssues(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

describe.each([
  [360, 'dark'],
  [1100, 'light'],
  [1280, 'dark'],
  [1600, 'light'],
  [1680, 'dark'],
  [1920, 'light'],
] as const)('at %i pixels, %s', (width, colorScheme) => {
  it('everything fits, with the detail open and closed', async () => {
    const { page, go, rows, pane } = await openBusy(width, colorScheme)
    for (const view of VIEWS) {
      await go(view)
      expect({ view, misfits: await findMisfits(page) }).toEqual({ view, misfits: [] })
      if (view === 'Faults and clock' || view === 'Assumptions') continue
      await rows.nth(3).click()
      await expectPage(pane).toBeVisible()
      expect({ view: `${view} open`, misfits: await findMisfits(page) }).toEqual({ view: `${view} open`, misfits: [] })
      // The path has room at every width.
      const path = page.locator('a.row .path').first()
      if (view === 'Requests' && width >= 1100) expect((await path.boundingBox())?.width).toBeGreaterThan(110)
      await page.keyboard.press('Escape')
    }
  })
})

describe.each([
  [1440, 'light'],
  [360, 'dark'],
] as const)('at %i pixels, %s', (width, colorScheme) => {
  it('axe finds nothing', async () => {
    const { page, mock, go, rows, click, close } = await openBusy(width, colorScheme)
    for (const view of VIEWS) {
      await go(view)
      expect({ view, issues: await findAxeIssues(page) }).toEqual({ view, issues: [] })
    }
    await go('Requests')
    await rows.nth(3).click()
    await click('Edit and send')
    expect(await findAxeIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await go('Animals')
    await rows.first().click()
    await click('Edit')
    expect(await findAxeIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await go('Scenarios')
    await rows.first().click()
    await expectPage(page.locator('.pane')).toContainText('animals')
    await page.keyboard.press('Escape')
    await go('Faults and clock')
    await click('Remove all')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect(await findAxeIssues(page)).toEqual([])
    mock.control.load({ name: 'nothing' })
    await go('Requests')
    await page.locator('.start').waitFor()
    expect(await findAxeIssues(page)).toEqual([])
    await close()
    await page.getByText('The mock is not responding.').waitFor()
    expect(await findAxeIssues(page)).toEqual([])
  })
})

it('a message moves nothing, and covers nothing', async () => {
  const { page, click, go } = await openBusy(1280, 'light')
  await go('Scenarios')
  const place = () => page.getByRole('heading', { name: 'Scenarios', exact: true }).boundingBox()
  const before = await place()
  await click('Save as file')
  await expectPage(page.locator('.message')).toContainText('Saved')
  expect(await place()).toEqual(before)
})
