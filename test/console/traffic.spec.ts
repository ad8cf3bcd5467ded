import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { expectPage, openConsole, readClipboard, toSent, useBrowser } from './open-console.ts'

useBrowser()

const run = promisify(execFile)
const rows = '.traffic tbody tr'
/** Characters that mean something to a shell. */
const SHELL = `it's "quoted" \u0024HOME \`id\` \\ {a,b} !! ünï 😀`

describe('the traffic', () => {
  it('shows each exchange as it happens, the latest first', async () => {
    const { page, ask, create } = await openConsole({ pets: animals, view: 'traffic' })
    await expectPage(page.getByText('No requests yet.')).toBeVisible()
    await ask('/pets?limit=2', { key: 'a-long-key-1234' })
    await create('{"name":"Bella","categoryId":1}')
    await expectPage(page.locator(rows)).toHaveCount(2, { timeout: 2_000 })
    const cells = await page.locator(rows).last().getByRole('cell').allTextContents()
    expect(cells.slice(0, 5)).toEqual([
      expect.stringMatching(/^2026-11-15 08:30:00\.000real \d\d:\d\d:\d\d\.\d{3}$/),
      '200',
      'GET',
      '/v1/pets?limit=2',
      'listPets',
    ])
    expect(cells[5]).toMatch(/^\d+(\.\d)? m?s$/)
    expect(cells.slice(6)).toEqual(['…1234', 'list-order'])
    await expectPage(page.locator(rows).first()).toContainText('createPet')
  })

  it('names the assumption that an answer leans on, and the fault that struck', async () => {
    const faults = [{ operation: 'createPet', status: 503, times: 1 }] as const
    const { page, ask, create } = await openConsole({ pets: animals, view: 'traffic', faults })
    await ask('/pets?limit=500')
    await create('{"name":"Bella","categoryId":1}')
    await ask('/pets', { headers: { prefer: 'drop' } })
    await expectPage(page.locator(`${rows} .at-why`)).toHaveText(['Prefer', /^fault 1/, /^invalid-query/])
    await expectPage(page.locator(`${rows} .at-status`)).toHaveText(['dropped', '503', '400'])
    await page.locator(`${rows} .open`).last().click()
    await expectPage(page.getByRole('dialog')).toContainText('How does listPets respond to an invalid limit or status?')
    await page.getByRole('button', { name: 'Newer' }).click()
    await expectPage(page.getByRole('dialog')).toContainText('createPet responds 503, once')
  })

  it('says why a request was refused, in the row and in the detail, where no assumption explains it', async () => {
    const { page, origin, create, ask } = await openConsole({ pets: animals, view: 'traffic' })
    await create('{"name":5}')
    await fetch(`${origin}/pets`, { headers: { authorization: 'Bearer k' } })
    await ask('/pets/1')
    await expectPage(page.locator(rows)).toHaveCount(3)
    const why = page.locator(`${rows} .at-why`)
    await expectPage(why.nth(0)).toHaveText('sunset-header')
    await expectPage(why.nth(1)).toContainText('/v1/pets')
    await expectPage(why.nth(2)).toContainText('categoryId is required')
    await page.locator(`${rows} .open`).nth(2).click()
    await expectPage(page.getByRole('dialog').getByRole('list', { name: 'Why this response' })).toContainText('categoryId is required')
  })

  it('leads from a request to the assumption and the fault that shaped its response', async () => {
    const faults = [{ operation: 'createPet', status: 503, times: 1 }] as const
    const { page, ask, create } = await openConsole({ pets: animals, view: 'traffic', faults })
    await ask('/pets?limit=500')
    await create('{"name":"Bella","categoryId":1}')
    await page.locator(`${rows} .open`).last().click()
    await expectPage(page.getByRole('dialog')).toContainText('Now: reject.')
    await page.getByRole('dialog').getByRole('link', { name: 'Change' }).first().click()
    await expectPage(page.locator('#assumptions-invalid-query')).toBeInViewport()
    await page.goBack()
    await page.keyboard.press('Escape')
    await page.locator(`${rows} .open`).first().click()
    await page.getByRole('dialog').getByRole('link', { name: 'Show' }).click()
    await expectPage(page.getByRole('button', { name: 'Remove fault 1' })).toBeFocused()
  })

  it('goes on beside an open request, which is within reach of messages', async () => {
    const { page, ask } = await openConsole({ pets: animals, view: 'traffic', context: { viewport: { width: 1920, height: 900 } } })
    await ask('/pets?n=1')
    await page.locator(`${rows} .open`).click()
    await expectPage(page.getByRole('dialog')).toContainText('n=1')
    await ask('/pets?n=2')
    await expectPage(page.locator(rows)).toHaveCount(2)
    await page.locator(`${rows} .open`).first().click()
    await expectPage(page.getByRole('dialog')).toContainText('n=2')
    await page.getByRole('button', { name: 'Clear' }).click()
    await expectPage(page.locator(rows)).toHaveCount(0)
    await expectPage(page.getByRole('dialog')).toContainText('not in the journal')
  })

  it('has a request that is under way, and says how it ended', async () => {
    const { page, ask } = await openConsole({ pets: animals, view: 'traffic', latency: 50_000 })
    const leaving = new AbortController()
    void ask('/pets', { signal: leaving.signal })
    await expectPage(page.locator(`${rows} .at-status`)).toHaveText('in flight')
    await page.locator(`${rows} .open`).click()
    const dialog = page.getByRole('dialog')
    await expectPage(dialog).toContainText('it has not been sent yet')
    leaving.abort()
    await expectPage(page.locator(`${rows} .at-status`)).toHaveText('client left')
    await expectPage(dialog).toContainText('The client left before the response was sent.')
    await expectPage(page.locator(rows)).toHaveCount(1)
  })

  it('has a request that was under way before the page was opened', async () => {
    const { page, ask } = await openConsole({ pets: animals, view: 'traffic', latency: 50_000 })
    const leaving = new AbortController()
    void ask('/pets', { signal: leaving.signal })
    const status = page.locator(`${rows} .at-status`)
    await expectPage(status).toHaveText('in flight')
    await page.reload()
    await expectPage(status).toHaveText('in flight')
    const other = await page.context().newPage()
    await other.goto(page.url())
    await expectPage(other.locator(`${rows} .at-status`)).toHaveText('in flight')
    leaving.abort()
    await expectPage(other.locator(`${rows} .at-status`)).toHaveText('client left')
    await page.bringToFront()
    await expectPage(status).toHaveText('client left')
  })

  it('breaks a path between its parts, not inside a word', async () => {
    const { page, ask } = await openConsole({ pets: animals, view: 'traffic' })
    await ask('/pets?limit=20&status=gone&cursor=abcdefgh')
    await expectPage(page.locator(rows)).toHaveCount(1)
    for (const width of [360, 900, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const path = page.locator(`${rows} .path`)
      const lines = await path.evaluate((element) => {
        const lines: string[] = []
        let top = Number.NaN
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          for (let index = 0; index < (node.textContent ?? '').length; index++) {
            const range = document.createRange()
            range.setStart(node, index)
            range.setEnd(node, index + 1)
            const box = range.getBoundingClientRect()
            if (box.top !== top) lines.push('')
            top = box.top
            lines[lines.length - 1] += range.toString()
          }
        }
        return lines
      })
      expect(lines.join('')).toBe('/v1/pets?limit=20&status=gone&cursor=abcdefgh')
      expect(
        lines.slice(0, -1).filter((line) => !/[/?&]$/.test(line)),
        `at ${width} px: ${lines.join(' | ')}`,
      ).toEqual([])
    }
  })

  it('has the headers of a request, and the real time beside that of the mock', async () => {
    const { page, ask, mock } = await openConsole({ pets: animals, view: 'traffic', context: { viewport: { width: 1920, height: 900 } } })
    await ask('/pets', { headers: { 'x-trace': 'abc', cookie: 'secret=1' } })
    await page.locator(`${rows} .open`).click()
    const dialog = page.getByRole('dialog')
    const [{ realAt = '' } = {}] = mock.control.requests()
    await expectPage(page.locator(`${rows} .at-time`)).toHaveText(`2026-11-15 08:30:00.000real ${realAt.slice(11, 23)}`)
    await expectPage(dialog).toContainText(realAt)
    await expectPage(dialog.locator('.fields').first()).toContainText('x-traceabc')
    await expectPage(dialog).not.toContainText('secret')
  })

  it('is walked through with the arrow keys, before a request is open and while it is', async () => {
    const { page, ask } = await openConsole({ pets: animals, view: 'traffic' })
    for (const n of [1, 2, 3]) await ask(`/pets?n=${n}`)
    await expectPage(page.locator(rows)).toHaveCount(3)
    const buttons = page.locator(`${rows} .open`)
    await buttons.first().focus()
    await page.keyboard.press('ArrowDown')
    await expectPage(buttons.nth(1)).toBeFocused()
    await page.keyboard.press('Enter')
    await expectPage(page.getByRole('dialog').locator('.target')).toHaveText('/v1/pets?n=2')
    await page.keyboard.press('ArrowDown')
    await expectPage(page.getByRole('dialog').locator('.target')).toHaveText('/v1/pets?n=1')
    await page.keyboard.press('Escape')
    await expectPage(buttons.last()).toBeFocused()
    await page.keyboard.press('Home')
    await expectPage(buttons.first()).toBeFocused()
  })

  it('is walked through with the arrow keys while a request is open', async () => {
    const { page, ask } = await openConsole({ pets: animals, view: 'traffic' })
    for (const n of [1, 2, 3]) await ask(`/pets?n=${n}`)
    await expectPage(page.locator(rows)).toHaveCount(3)
    await page.locator(`${rows} .open`).first().click()
    const dialog = page.getByRole('dialog')
    await expectPage(dialog.locator('.target')).toHaveText('/v1/pets?n=3')
    for (const [key, n] of [
      ['ArrowDown', 2],
      ['ArrowDown', 1],
      ['ArrowDown', 1],
      ['ArrowUp', 2],
    ] as const) {
      await page.keyboard.press(key)
      await expectPage(dialog.locator('.target')).toHaveText(`/v1/pets?n=${n}`)
    }
  })

  it('opens an entry to its request and its answer, in their own digits', async () => {
    const { page, create } = await openConsole({ pets: [], view: 'traffic' })
    await create('{"name":"Bella","categoryId":1.0,"categoryId":9223372036854775807}')
    await page.locator(`${rows} .open`).click()
    const dialog = page.getByRole('dialog')
    await expectPage(dialog.getByLabel('Request body')).toContainText(/"categoryId": 1\.0,\s+"categoryId": 9223372036854775807/)
    await expectPage(dialog.getByLabel('Response body')).toContainText('"categoryId": 9223372036854775807')
    await expectPage(dialog).toContainText('Content-Length')
    await expectPage(dialog).toContainText('content-type')
  })

  it.each<[what: string, target: string, init: RequestInit & { key?: string }]>([
    [
      'a body with everything that a shell reads',
      '/pets',
      {
        method: 'POST',
        key: 'other-key-5678',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: SHELL, categoryId: 1 }),
      },
    ],
    [
      'a body with what a terminal would act on',
      '/pets',
      { method: 'POST', key: 'other-key-5678', headers: { 'content-type': 'application/json' }, body: `{"name":"\u001b[31m\t${SHELL}` },
    ],
    ['a query that curl itself would read', "/pets?status=sold&x=%27';{1,2}[3]", { headers: { prefer: 'delay=1' } }],
    ['HEAD', '/pets', { method: 'HEAD' }],
    ['DELETE', '/pets', { method: 'DELETE' }],
    ['dots', '/pets/%2e%2e', {}],
  ])('copies an entry as a command that sends the same again: %s', async (_, target, init) => {
    const { page, mock, ask } = await openConsole({ pets: animals, view: 'traffic', apiKeys: ['any-key', 'other-key-5678'] })
    await ask(target, init)
    await page.locator(`${rows} .open`).click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await expectPage(page.getByRole('dialog').getByText('Copied', { exact: true })).toBeVisible()
    // A key that nobody checked is for the person to fill in.
    await run('bash', ['-c', (await readClipboard(page)).replace('<API_KEY>', 'any-key')])
    const [first, again] = mock.control.requests()
    expect(toSent(again)).toEqual(toSent(first))
  })

  it('can be filtered by text, operation, answer and remarkableness', async () => {
    const { page, ask } = await openConsole({ pets: animals, view: 'traffic' })
    await ask('/pets/1')
    await ask('/pets?limit=0')
    await ask('/nowhere')
    await ask('/pets?status=pending')
    await expectPage(page.locator(rows)).toHaveCount(4)
    await page.getByRole('searchbox').fill('PENDING')
    await expectPage(page.locator(rows)).toHaveCount(1)
    await page.getByRole('searchbox').fill('')
    await page.getByLabel('Operation').selectOption('getPet')
    await expectPage(page.locator(`${rows} .at-path`)).toHaveText(['/v1/pets/1'])
    await page.getByLabel('Operation').selectOption('No operation')
    await expectPage(page.locator(`${rows} .at-path`)).toHaveText(['/v1/nowhere'])
    await page.getByLabel('Operation').selectOption('All operations')
    await page.getByLabel('Response').selectOption('4xx, client error')
    await expectPage(page.locator(`${rows} .at-path`)).toHaveText(['/v1/nowhere', '/v1/pets?limit=0'])
    await page.getByLabel('With an assumption or fault').check()
    await expectPage(page.locator(`${rows} .at-path`)).toHaveText(['/v1/pets?limit=0'])
    await page.getByRole('searchbox').fill('nothing like it')
    await expectPage(page.getByText('No requests match the filter.')).toBeVisible()
  })

  it('pauses, counts what it holds back, and goes on', async () => {
    const { page, ask } = await openConsole({ pets: animals, view: 'traffic' })
    await ask('/pets')
    await expectPage(page.locator(rows)).toHaveCount(1)
    await page.getByRole('button', { name: 'Pause' }).click()
    await ask('/pets')
    await ask('/pets')
    await expectPage(page.getByText('Paused · 2 new')).toBeVisible()
    await expectPage(page.locator(rows)).toHaveCount(1)
    await page.getByRole('button', { name: 'Resume' }).click()
    await expectPage(page.locator(rows)).toHaveCount(3)
  })

  it('can be cleared, here and from elsewhere', async () => {
    const { page, mock, ask } = await openConsole({ pets: animals, view: 'traffic' })
    await ask('/pets')
    await expectPage(page.locator(rows)).toHaveCount(1)
    await page.getByRole('button', { name: 'Clear' }).click()
    await expectPage(page.locator(rows)).toHaveCount(0)
    expect(mock.control.requests()).toEqual([])
    await ask('/pets')
    await expectPage(page.locator(rows)).toHaveCount(1)
    mock.control.clearRequests()
    await expectPage(page.locator(rows)).toHaveCount(0)
    await ask('/pets')
    await expectPage(page.locator(rows)).toHaveCount(1)
    mock.control.clearRequests()
    await expectPage(page.locator(rows)).toHaveCount(0)
  })

  it('keeps up with a thousand requests', async () => {
    const { page, mock } = await openConsole({ pets: animals, view: 'traffic' })
    for (let index = 0; index < 1_500; index++) {
      mock.answer({ method: 'GET', target: `/v1/pets?i=${index}`, header: () => 'Bearer k', body: undefined })
    }
    await expectPage(page.locator(rows).first()).toContainText('i=1499')
    await expectPage(page.getByText('1,000 of the last 1,000')).toBeVisible()
    await expectPage(page.locator(rows)).toHaveCount(100)
    await page.getByRole('button', { name: 'Show 100 more' }).click()
    await expectPage(page.locator(rows)).toHaveCount(200)
  })

  it('give a reason once that is both the error and a note', async () => {
    const { page, mock } = await openConsole({ view: 'traffic' })
    mock.answer({ method: 'GET', target: '/pets', header: () => 'Bearer k', body: undefined })
    const [{ notes = [] } = {}] = mock.control.requests()
    expect(notes).toEqual(['Missing /v1; did you mean /v1/pets?'])
    await page.locator('.traffic .open').first().click()
    await expectPage(page.getByRole('list', { name: 'Why this response' }).getByRole('listitem')).toHaveText([
      'error Missing /v1; did you mean /v1/pets?',
    ])
  })
})
