// What the console looks like: nothing is too wide, too narrow or hidden at any width, and axe
// finds nothing.
import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { scenarios } from '../../src/scenario/shipped.ts'
import { expectPage, type Opened, openConsole, useBrowser } from '../console/open-console.ts'

useBrowser()

const KEY = 'a-long-key-of-the-store-front-7f3a'

/** The rest of the widths and themes; a scheduled workflow runs them. */
const MORE = process.env.ALL_COMBINATIONS !== undefined

const VIEWS = ['Timeline', 'Animals', 'Scenarios', 'Faults', 'Assumptions']

/** A state with something to see in every view. */
async function openBusy(
  width: number,
  context: BrowserContextOptions,
  sandbox = false,
): Promise<Opened> {
  const opened = await openConsole({
    context: { viewport: { width, height: 800 }, reducedMotion: 'reduce', ...context },
    scenario: { ...scenarios['big-ids'], now: '2030-12-06T00:00:00Z', latency: [1, 2] },
    faults: [
      { operation: 'createPet', status: 503, times: 1, retryAfter: 1 },
      { operation: 'getPet', status: 500, times: 3 },
    ],
    assume: { 'removed-answer': 'gone' },
    sandbox,
    ...(sandbox ? { view: `timeline?sandbox=${KEY}` } : {}),
  })
  const { create, ask, rows } = opened
  const key = sandbox ? { key: KEY } : {}
  await create('{"name":"Lost","categoryId":1}', key.key)
  await create('{"name":"Bella","categoryId":"9007199254740993","status":"sold"}', key.key)
  await ask('/pets?limit=500', key)
  await ask('/pets', { headers: { prefer: 'drop' }, ...key })
  await ask(`/pets?status=${'very-'.repeat(60)}long`, key)
  await expectPage(rows).toHaveCount(5)
  return opened
}

/** What is wider than the page, and what should show text but has no room for it. */
function findMisfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const name = (element: Element) => `${element.className} ${element.textContent?.slice(0, 40)}`
    const all = [...document.querySelectorAll('body *')].filter((element) =>
      element.checkVisibility({ visibilityProperty: true }),
    )
    const scrolls = '.conditions, .code, .hidden'
    // A cell cuts what does not fit into it.
    const isCut = (element: Element) =>
      element.closest('.row > *')?.contains(element.parentElement) === true
    const wide = all.filter(
      (element) =>
        !element.closest(scrolls) &&
        !isCut(element) &&
        element.getBoundingClientRect().right > innerWidth + 1,
    )
    const cells = [
      ...document.querySelectorAll(
        '.row > *, .pane-body > *, .head > *, .tools > *, .pairs > div > *',
      ),
    ]
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
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** Text that its box cuts off without an ellipsis, or that can only be scrolled to sideways. */
function findCutText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found = new Set<string>()
    while (walker.nextNode()) {
      const { parentElement: parent, textContent: text } = walker.currentNode
      if (
        !text?.trim() ||
        !parent?.checkVisibility({ visibilityProperty: true }) ||
        parent.closest('.hidden, .code, option, textarea')
      )
        continue
      const range = document.createRange()
      range.selectNodeContents(walker.currentNode)
      const { left, right } = range.getBoundingClientRect()
      for (let box: Element | null = parent; box; box = box.parentElement) {
        const { overflowX, textOverflow, display } = getComputedStyle(box)
        if (textOverflow === 'ellipsis' && display !== 'inline') break
        const { left: start, right: end } = box.getBoundingClientRect()
        if (
          overflowX !== 'visible' &&
          display !== 'inline' &&
          (left < start - 1 || right > end + 1)
        )
          found.add(`${box.className}: ${text}`)
      }
    }
    return [...found]
  })
}

/** Elements of the head, the bar and the toolbar that lie on one another. */
function findOverlaps(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll('.head, .bar, .tools, .pane-head, .buttons, .moment-bar'),
    ].flatMap((parent) => {
      const boxes = [...parent.children]
        .filter(
          (one) =>
            one.checkVisibility({ visibilityProperty: true }) &&
            !one.matches('.hidden, nav, [popover]'),
        )
        .map((one) => ({
          name: `${one.className} ${one.textContent?.slice(0, 20)}`,
          box: one.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width > 0)
      return boxes.flatMap(({ name, box }, index) =>
        boxes
          .slice(index + 1)
          .filter(
            ({ box: other }) =>
              Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
              Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1,
          )
          .map((other) => `${name} and ${other.name}`),
      )
    }),
  )
}

describe.each([
  ...([
    [1600, 'light', false],
    [1280, 'dark', true],
    [768, 'light', true],
    [390, 'dark', false],
  ] as const),
  ...(MORE
    ? ([
        [1024, 'light', true],
        [768, 'dark', false],
        [390, 'light', true],
      ] as const)
    : []),
])('at %i pixels, %s, sandboxes: %s', (width, colorScheme, sandbox) => {
  it('everything in the console fits, with the detail open and closed', async () => {
    const { page, go, rows, pane } = await openBusy(width, { colorScheme }, sandbox)
    const expectFit = async (view: string) =>
      expect({
        view,
        misfits: await findMisfits(page),
        overlaps: await findOverlaps(page),
        cut: await findCutText(page),
      }).toEqual({
        view,
        misfits: [],
        overlaps: [],
        cut: [],
      })
    for (const view of VIEWS) {
      await go(view)
      await expectFit(view)
      if (view !== 'Timeline' && view !== 'Animals') continue
      await rows.nth(3).click()
      await expectPage(pane).toBeVisible()
      await expectFit(`${view} open`)
      await page.keyboard.press('w')
      await expectFit(`${view} what if`)
      // The path has room at every width.
      const path = page.locator('a.row .path').first()
      if (view === 'Timeline' && width >= 1024)
        expect((await path.boundingBox())?.width).toBeGreaterThan(105)
      await page.keyboard.press('Escape')
    }
  })
})

describe.each([
  ...([
    [1280, { colorScheme: 'light' }],
    [768, { colorScheme: 'light', forcedColors: 'active' }],
    [390, { colorScheme: 'dark' }],
  ] as const),
  ...(MORE ? ([[1280, { colorScheme: 'dark' }]] as const) : []),
])('at %i pixels, %j', (width, context) => {
  it('axe finds no problem in any view', async () => {
    const { page, mock, go, rows, click, close } = await openBusy(width, context)
    const expectNone = async (view: string) =>
      expect({ view, issues: await findAxeIssues(page) }).toEqual({ view, issues: [] })
    for (const view of VIEWS) {
      await go(view)
      await expectNone(view)
    }
    await page.getByRole('button', { name: 'Break' }).click()
    await page.locator('.menu:popover-open').waitFor()
    await expectNone('Break')
    await page.keyboard.press('Escape')
    await go('Timeline')
    await rows.last().click()
    await page.getByRole('button', { name: 'without fault 1' }).click()
    await page.getByRole('region', { name: 'Both responses' }).waitFor()
    await click('Edit and resend')
    await expectNone('a request, and what would have been')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await rows.first().locator('.no').click()
    await expectNone('a moment, and a chosen row')
    for (const view of VIEWS.slice(1)) {
      await go(view)
      await expectNone(`${view} at a moment`)
    }
    await click('Discard')
    await go('Animals')
    await rows.first().click()
    await expectNone('an animal')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await expectNone('the keys')
    await page.keyboard.press('Escape')
    await go('Faults')
    await click('Remove all')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await expectNone('a message')
    mock.control.clearRequests()
    await go('Timeline')
    await page.locator('.start').waitFor()
    await expectNone('the quick start')
    await close()
    await page.getByText('The mock is not responding.').waitFor()
    await expectNone('no mock')
  })
})

it('axe finds no problem in the bar of a sandbox', async () => {
  const { page } = await openBusy(390, { colorScheme: 'light' }, true)
  expect(await findAxeIssues(page)).toEqual([])
})

it.each([
  ['on a telephone the first row is near the top', { width: 390, height: 844 }, 190, 0.6],
  ['at 200 % the list has half of the height', { width: 640, height: 360 }, 180, 0.5],
] as const)('%s', async (_, viewport, top, part) => {
  const { page, rows } = await openBusy(viewport.width, { viewport })
  expect((await rows.first().boundingBox())?.y).toBeLessThanOrEqual(top)
  expect((await page.locator('.scroller').boundingBox())?.height).toBeGreaterThanOrEqual(
    viewport.height * part,
  )
})

it('a message does not move the rest of the page', async () => {
  const { page, click, go } = await openBusy(1280, { colorScheme: 'light' })
  await go('Scenarios')
  const place = () => page.getByRole('heading', { name: 'Scenarios', exact: true }).boundingBox()
  const before = await place()
  await click('Save as file')
  await expectPage(page.locator('.toast')).toContainText('Saved')
  expect(await place()).toEqual(before)
})
