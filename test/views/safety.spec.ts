import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { showHidden } from '../../src/console/model/text.ts'
import type { Pet } from '../../src/index.ts'
import { hostileNames, hostilePaths } from '../console/hostile.ts'
import { expectPage, forgive, openConsole, useBrowser } from '../console/open-console.ts'

useBrowser()

const headers = { authorization: 'Bearer <b>key</b>', prefer: '<b>prefer</b>' }

/** What the page would have if some text had become markup. */
async function findForeign(page: Page): Promise<unknown> {
  return page.evaluate(() => ({
    hacked: (window as { hacked?: unknown }).hacked,
    elements: [
      ...document.querySelectorAll(
        'script:not([src]), img:not(.logo), iframe, base, body style, body link, body meta, form[action], a.row h1, a.row b',
      ),
    ].map(({ outerHTML }) => outerHTML),
    handlers: [...document.querySelectorAll('*')].flatMap((element) =>
      element.getAttributeNames().filter((name) => name.startsWith('on') || name === 'srcdoc'),
    ),
    scripts: [...document.querySelectorAll('a[href]')]
      .map((link) => link.getAttribute('href'))
      .filter((href) => !/^#\//.test(href ?? '')),
  }))
}

const nothing = { hacked: undefined, elements: [], handlers: [], scripts: [] }

describe('text from others', () => {
  it(`is shown as plain text in the names of ${hostileNames.length} animals`, async () => {
    expect(hostileNames.length).toBeGreaterThanOrEqual(30)
    const pets: Pet[] = hostileNames.map((name, index) => ({ id: index + 1, name, categoryId: 1 }))
    const { page, rows, pane } = await openConsole({ pets, view: 'animals' })
    await expectPage(rows).toHaveCount(pets.length)
    expect(await page.locator('a.row .name bdi').allTextContents()).toEqual(
      hostileNames.map(showHidden).reverse(),
    )
    expect(await findForeign(page)).toEqual(nothing)
    await rows.last().click()
    await expectPage(pane.locator('pre')).toContainText(
      '"name": "<script>window.hacked=1</script>"',
    )
    expect(await findForeign(page)).toEqual(nothing)
    // No name, however long, makes the page wider than the window.
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0)
  })

  it(`is shown as plain text in ${hostilePaths.length} paths, and in methods, fields and bodies`, async () => {
    const { page, mock, rows, pane, create } = await openConsole({ pets: [] })
    const body = new TextEncoder().encode('{"name":"<img src=x onerror=window.hacked=1>","<b>":1}')
    for (const target of hostilePaths)
      mock.answer({ method: 'GET', target, headers, body: undefined })
    mock.answer({ method: '<B>', target: '/v1/pets', headers, body: undefined })
    mock.answer({
      method: 'POST',
      target: '/v1/pets',
      headers: { ...headers, 'content-type': 'text/<b>html' },
      body,
    })
    await expectPage(rows).toHaveCount(hostilePaths.length + 2)
    const shown = await page.locator('a.row .path').allTextContents()
    expect(shown.slice(2).toReversed()).toEqual(hostilePaths)
    for (let index = 0; index < shown.length; index++) {
      await rows.nth(index).click()
      await expectPage(pane.locator('.target')).toHaveText(shown[index] as string)
      expect(await findForeign(page)).toEqual(nothing)
    }
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0)
    await page.keyboard.press('Escape')
    // Characters that turn the reading direction are spelled out.
    await create('{"name":"\u2066Bella\u2069","categoryId":1}')
    await page.getByRole('button', { name: '1 new' }).click()
    await expectPage(rows).toHaveCount(hostilePaths.length + 3)
    await rows.first().click()
    await pane.getByRole('radio', { name: 'Request' }).check()
    await expectPage(pane.getByLabel('Request body', { exact: true })).toContainText(
      '"name": "\\u2066Bella\\u2069"',
    )
  })

  it('is shown as plain text in the names of scenarios, faults and files', async () => {
    const name = '<img src=x onerror=window.hacked=1>"\'&'
    const faults = [{ operation: '*', status: 503, id: name }] as const
    const { page, mock, go, message } = await openConsole({
      scenario: { name, description: name, faults },
      view: 'faults',
    })
    await expectPage(page.locator('.bar')).toContainText('<img src=x')
    await page
      .locator('main')
      .getByRole('button', { name: `Remove fault ${name}` })
      .click()
    await expectPage.poll(() => mock.control.faults.list()).toEqual([])
    await go('Scenarios')
    await page.getByLabel('Scenario or recording').setInputFiles({
      name: `${name}.json`,
      mimeType: 'text/plain',
      buffer: Buffer.from(`{"<b>": 1}`),
    })
    await expectPage(message).toContainText(`${name}.json`)
    await expectPage(message).toContainText('<b>')
    expect(await findForeign(page)).toEqual(nothing)
  })
})

describe('the page of the console', () => {
  it('has a Content-Security-Policy that allows its own script, its own style and its own mock alone', async () => {
    const { origin } = await openConsole({ pets: [] })
    for (const path of ['/__mock', '/__mock/', '/__mock/console.js', '/__mock/console.css']) {
      const { status, headers } = await fetch(origin + path)
      expect(status).toBe(200)
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      )
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('cannot run an inline script, use an inline style or call another origin', async () => {
    const { page } = await openConsole({ pets: [] })
    const outcome = await page.evaluate(async () => {
      const broken: string[] = []
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        broken.push(effectiveDirective),
      )
      const script = document.createElement('script')
      script.append('window.hacked = 1')
      const style = document.createElement('style')
      style.textContent = 'body { display: none }'
      document.body.append(script, style)
      await fetch('http://127.0.0.1:9/').catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 100))
      script.remove()
      style.remove()
      return { broken: broken.toSorted(), hacked: (window as { hacked?: unknown }).hacked }
    })
    expect(outcome).toEqual({
      broken: ['connect-src', 'require-trusted-types-for', 'style-src-elem'],
      hacked: undefined,
    })
    forgive(/TrustedScript|Content Security Policy|127\.0\.0\.1:9|about:blank|Refused to|frame/i)
  })

  it('cannot turn text into markup, and cannot create a policy that would', async () => {
    const { page } = await openConsole({ pets: [] })
    const outcome = await page.evaluate(() => {
      const attempt = (run: () => void) => {
        try {
          run()
          return 'done'
        } catch (error) {
          return (error as Error).name
        }
      }
      return {
        markup: attempt(() => {
          document.createElement('div').innerHTML = '<b>x</b>'
        }),
        policy: attempt(() => {
          const { trustedTypes } = window as unknown as {
            trustedTypes: { createPolicy(name: string, rules: object): unknown }
          }
          trustedTypes.createPolicy('any', { createHTML: (text: string) => text })
        }),
      }
    })
    expect(outcome).toEqual({ markup: 'TypeError', policy: 'TypeError' })
    forgive(/Content Security Policy|TrustedHTML|Trusted ?Type/i)
  })

  it('is not shown inside a frame of another page, and not sent to another site', async () => {
    const { page, origin } = await openConsole({ pets: [] })
    const { status } = await fetch(`${origin}/__mock/`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(status).toBe(403)
    await page.goto('about:blank')
    await page.setContent(`<iframe src="${origin}/__mock/"></iframe>`)
    await page.waitForTimeout(300)
    expect(
      await page
        .frames()[1]
        ?.evaluate(() => document.body.innerText)
        .catch(() => ''),
    ).not.toContain('Animal')
    forgive(/Content Security Policy|127\.0\.0\.1:9|about:blank|Refused to|frame/i)
  })
})
