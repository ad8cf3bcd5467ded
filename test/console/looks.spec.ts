import { describe, expect, it } from 'vitest'
import { scenarios } from '../../src/scenarios.ts'
import { expectPage, type Opened, openConsole, useBrowser } from './open-console.ts'
import { NARROW, openLively, VIEWS, WIDE } from './open-lively.ts'

useBrowser()

describe('at 360 and at 1440 pixels', () => {
  it.each([
    [360, 'default'],
    [360, 'big-ids'],
    [360, 'tricky-names'],
    [768, 'default'],
    [1024, 'big-ids'],
    [1440, 'tricky-names'],
  ] as const)('%i: nothing of %s is wider than the page, in any view', async (width, name) => {
    const { page, go, ask } = await openConsole({ scenario: scenarios[name], context: { viewport: { width, height: 800 } } })
    await ask(`/pets?status=${'very-'.repeat(60)}long`)
    for (const view of VIEWS) {
      await go(view)
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('body *')]
          .filter(
            (element) => element.checkVisibility() && element.getBoundingClientRect().right > document.documentElement.clientWidth + 1,
          )
          .map(({ outerHTML }) => outerHTML.slice(0, 120)),
      )
      expect(wide, view).toEqual([])
    }
  })
})

describe('the menu at 360 pixels', () => {
  it('breaks no word, however long the counts', async () => {
    const pets = Array.from({ length: 20_000 }, (_, index) => ({ id: index + 1, name: 'Rex', categoryId: 1 }))
    const assume = { 'removed-answer': 'gone' } as const
    const { page, mock } = await openConsole({ pets, assume, context: { viewport: NARROW } })
    for (let index = 0; index < 12; index++) mock.control.faults.add({ operation: 'getPet', drop: true })
    await expectPage(page.getByRole('link', { name: 'Faults and clock 12' })).toBeVisible()
    const words = await page.locator('nav a').evaluateAll((links) =>
      links.flatMap((link) =>
        [...link.querySelectorAll('span')].flatMap(({ firstChild }) =>
          [...(firstChild?.textContent ?? '').matchAll(/\S+/g)].map(({ 0: word, index }) => {
            const range = document.createRange()
            range.setStart(firstChild as Node, index)
            range.setEnd(firstChild as Node, index + word.length)
            return {
              word,
              lines: range.getClientRects().length,
              isInside: range.getBoundingClientRect().right <= link.getBoundingClientRect().right,
            }
          }),
        ),
      ),
    )
    expect(words.map(({ word }) => word)).toEqual(
      expect.arrayContaining(['Animals', '20,000', 'Traffic', 'Scenarios', 'Faults', 'clock', '12', 'Assumptions', '1', 'API']),
    )
    expect(words.filter(({ lines, isInside }) => lines !== 1 || !isInside)).toEqual([])
  })
})

describe('the rail', () => {
  it.each([
    [1280, 'light'],
    [360, 'dark'],
  ] as const)(
    '%i pixels, %s: shows the scenario and the whole of a clock that is off, and no count moves it',
    async (width, colorScheme) => {
      const context = { viewport: { width, height: 800 }, colorScheme }
      const { page, mock } = await openConsole({ now: '2030-12-06', frozen: true, view: 'faults', context })
      const lines = page.locator('.situation p')
      await expectPage(lines).toHaveText(['Scenario default', 'Frozen at 2030-12-06 00:00'])
      for (const line of await lines.all()) {
        await expectPage(line).toBeVisible()
        expect(await line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
      }
      const place = () => page.getByRole('link', { name: 'API' }).boundingBox()
      const before = await place()
      for (let index = 0; index < 110; index++) mock.control.faults.add({ operation: 'getPet', drop: true })
      await expectPage(page.getByRole('link', { name: 'Faults and clock 110' })).toBeVisible()
      if (width > 860) expect(await place()).toEqual(before)
    },
  )
})

describe('an int64', () => {
  it.each([1100, 1280, 360])('is on one line at %i pixels', async (width) => {
    const { page } = await openConsole({ scenario: scenarios['big-ids'], context: { viewport: { width, height: 800 } } })
    const broken = await page.locator('.animals tbody td.numbers').evaluateAll((cells) =>
      cells
        .map(({ lastChild }) => {
          const range = document.createRange()
          range.selectNode(lastChild as Node)
          return { text: lastChild?.textContent, lines: range.getClientRects().length, right: range.getBoundingClientRect().right }
        })
        .filter(({ lines, right }, index) => lines !== 1 || right > (cells[index]?.getBoundingClientRect().right ?? 0)),
    )
    expect(broken).toEqual([])
  })
})

describe('with a contrast theme', () => {
  it('lines are still there', async () => {
    const { page } = await openLively({ viewport: WIDE, forcedColors: 'active' }, 'faults')
    await expectPage(page.locator('.line')).toHaveCSS('border-top-style', 'solid')
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await expectPage(page.locator('.line-now')).not.toHaveCSS('background-color', ground)
  })
})

describe('by keyboard alone', () => {
  it('everything is in reach: skip, go, filter, open, leaf, close', async () => {
    const { page } = await openLively({ viewport: WIDE })
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('Animals')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Add an animal')
    await page.keyboard.press('Tab')
    await page.keyboard.type('bella the')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await expectPage(page.getByRole('radio', { name: /^available/ })).toBeChecked()
    // The mock does the filtering: whoever goes on before its response has come walks into a list that is about to be another.
    await expectPage(page.getByText('No animals match the filter.')).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expectPage(page.locator('.animals tbody tr').first()).toContainText('Bella the')
    // Past the four heads of the columns to the first animal.
    for (let step = 0; step < 5; step++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expectPage(page.getByRole('dialog')).toBeVisible()
    await expectPage(page.getByRole('button', { name: 'Close' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expectPage(page.getByRole('dialog')).toBeHidden()
    expect(await focused()).toContain('Bella the')
  })

  it('keeps the focus in what covers a narrow page', async () => {
    const { page } = await openLively({ viewport: NARROW })
    await page.locator('.animals .open').first().click()
    await page.getByRole('dialog').waitFor()
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      expect(
        await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog, .foot') !== null),
      ).toBe(true)
    }
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: /^Traffic/ }).click()
    await expectPage(page.getByRole('heading', { level: 1 })).toHaveText('Traffic')
  })

  it('goes to a view with its link, and begins at its heading', async () => {
    const { page } = await openLively({ viewport: WIDE })
    await page.getByRole('link', { name: /^Traffic/ }).focus()
    await page.keyboard.press('Enter')
    await expectPage(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expectPage(page).toHaveTitle('Traffic · Animal Store mock')
    await page.goBack()
    await expectPage(page.getByRole('heading', { level: 1 })).toHaveText('Animals')
  })

  it('shows where the focus is, on everything that takes it', async () => {
    const { page, go } = await openLively({ viewport: WIDE })
    for (const view of VIEWS) {
      await go(view)
      const hidden = await page.evaluate(() => {
        const ring = (style: CSSStyleDeclaration) => style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2
        return [...document.querySelectorAll<HTMLElement>('a, button, input, select, textarea, summary, [tabindex="0"]')]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled, [tabindex="-1"]'))
          .filter((element) => {
            element.focus({ focusVisible: true } as FocusOptions)
            const shown = [getComputedStyle(element), getComputedStyle(element, '::after')]
            if (element.nextElementSibling) shown.push(getComputedStyle(element.nextElementSibling))
            return !shown.some(ring)
          })
          .map(({ outerHTML }) => outerHTML.slice(0, 100))
      })
      expect(hidden, view).toEqual([])
    }
  })
})

describe('the colours', () => {
  const page = (opened: Opened) => opened.page.evaluate(() => getComputedStyle(document.body).backgroundColor)

  it('follow the system, unless a person chooses, and the choice is kept', async () => {
    const opened = await openConsole({ pets: [], context: { colorScheme: 'dark' } })
    const dark = await page(opened)
    await opened.page.emulateMedia({ colorScheme: 'light' })
    const light = await page(opened)
    expect(light).not.toBe(dark)
    await opened.page.getByRole('button', { name: 'Theme: system; switch to light' }).click()
    await opened.page.getByRole('button', { name: 'Theme: light; switch to dark' }).click()
    expect(await page(opened)).toBe(dark)
    await opened.page.reload()
    await expectPage(opened.page.getByRole('button', { name: 'Theme: dark; switch to system' })).toBeVisible()
    expect(await page(opened)).toBe(dark)
    await opened.page.getByRole('button', { name: 'Theme: dark; switch to system' }).click()
    expect(await page(opened)).toBe(light)
  })

  it('and nothing moves for who wants no motion', async () => {
    const { page: quiet, create } = await openConsole({ pets: [], context: { reducedMotion: 'reduce' } })
    await create('{"name":"Bella","categoryId":1}')
    await expectPage(quiet.locator('.marked')).toHaveCSS('animation-name', 'none')
  })
})

describe('the layout', () => {
  it('does not jump while the page loads and the mock is at work', async () => {
    const { page, ask, create } = await openConsole({ view: 'traffic', faults: [{ operation: '*', delay: 1, rate: 0.5 }] })
    await page.evaluate(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const total = async () =>
      (await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).reduce((sum, value) => sum + value, 0)
    await page.waitForTimeout(300)
    expect(await total()).toBeLessThan(0.01)
    for (const view of ['Faults and clock', 'Assumptions', 'Scenarios', 'API']) {
      await page.getByRole('link', { name: view }).click()
      const before = await total()
      for (let index = 0; index < 5; index++) await ask(`/pets?limit=${index}`)
      await create('{"name":"Bella","categoryId":1}')
      await page.waitForTimeout(300)
      expect((await total()) - before, view).toBeLessThan(0.01)
    }
  })
})
