// What people do in the console, by mouse and by keyboard. The commonest tasks are in test/smoke,
// which is part of `npm test`.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { scenarios } from '../../src/scenario/shipped.ts'
import {
  expectPage,
  focused,
  openConsole,
  readCopied,
  useBrowser,
} from '../console/open-console.ts'
import { createFolder } from '../support/cli-process.ts'

useBrowser()

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const KIT = join(ROOT, 'src/kits/vitest.ts')

describe('the quick start', () => {
  it('uses a key that is valid', async () => {
    const { page, click, mock } = await openConsole({ apiKeys: ['only-this-key'] })
    await expectPage(page.locator('.start')).toContainText('only-this-key')
    await click('Send it now')
    await expectPage.poll(() => mock.control.requests().map(({ status }) => status)).toEqual([200])
  })

  it('offers no key where none is valid', async () => {
    const { page, mock } = await openConsole({ scenario: scenarios['locked-out'] })
    await expectPage(page.locator('.start h2')).toContainText('No API key is valid')
    await expectPage(page.locator('.start')).not.toContainText('any-key')
    await expectPage(page.locator('.start')).not.toContainText('Bearer')
    mock.control.assume({ 'valid-keys': 'any' })
    await expectPage(page.locator('.start')).toContainText('Bearer any-key')
  })
})

describe('a request in the console', () => {
  it.each([
    ['where any key is valid', {}, 'app-key-1234'],
    ['where keys are listed', { apiKeys: ['key-one', 'key-two'] }, 'key-two'],
  ])('is copied with a key that works %s', async (_, options, key) => {
    const { page, mock, create, rows, choose } = await openConsole(options)
    await create('{"name":"It\'s \u202e $(x)","categoryId":9223372036854775807}', key)
    await rows.click()
    await choose('Copy as', 'curl')
    await expectPage.poll(() => readCopied(page)).toContain('curl')
    await run('sh', ['-c', await readCopied(page)])
    const [first, again] = mock.control.requests()
    expect(again?.status).toBe(201)
    expect(again?.request.body).toBe(first?.request.body)
    await choose('Copy as', 'fetch')
    await expectPage.poll(() => readCopied(page)).toContain('await fetch(')
    await choose('Copy as', 'Vitest test')
    await expectPage.poll(() => readCopied(page)).toContain('mockStore(')
  })

  it('can be sent again, with and without changes', async () => {
    const { mock, create, rows, pane, click } = await openConsole()
    await create('{"name":5}')
    await rows.click()
    await click('Send again')
    await expectPage(rows).toContainText('× 2')
    await expectPage(rows.first()).toHaveAttribute('aria-current', 'true')
    await click('Edit and resend')
    await pane.getByRole('textbox', { name: 'Body' }).fill('{"name":"Rex","categoryId":1}')
    await click('Send')
    await expectPage(pane.getByRole('heading', { level: 2 })).toContainText('201')
    expect(mock.control.requests().map(({ status }) => status)).toEqual([400, 400, 201])
  })

  it('says what it would get otherwise, and nothing happens to the mock', async () => {
    const { page, mock, ask, rows, pane, click } = await openConsole()
    await ask('/pets?limit=500', { headers: { prefer: 'delay=1' } })
    await rows.click()
    const before = JSON.stringify(mock.control.timeline())
    await pane.getByRole('button', { name: '200 with invalid-query=clamp' }).click()
    const both = pane.getByRole('region', { name: 'Both responses' })
    await expectPage(both.locator('.removed', { hasText: '"BadRequest"' })).toBeVisible()
    await expectPage(both.locator('.added', { hasText: /"id": 1$/ })).toBeVisible()
    await click('Copy as test')
    await expectPage.poll(() => readCopied(page)).toContain("'invalid-query': 'clamp'")
    const folder = createFolder()
    writeFileSync(
      join(folder, 'copied.test.ts'),
      (await readCopied(page)).replace('animal-store-mock/vitest', KIT),
    )
    await run('npx', ['vitest', 'run', '--root', folder], { cwd: ROOT })
    await click('Edit and resend')
    await expectPage(pane.getByLabel('Other headers')).toHaveValue(
      /^(?!.*(?:host|connection|accept-encoding):).*prefer: delay=1/s,
    )
    await pane.getByLabel('Path').fill('/v1/pets?limit=1')
    await click('Ask what if')
    await expectPage(both.locator('.added', { hasText: /"id": 1$/ })).toBeVisible()
    // The log has no key: unless you type one, it stays what it was.
    await expectPage(pane.getByLabel('API key')).toHaveValue('')
    await pane.getByLabel('API key').fill('invalid')
    await click('Ask what if')
    await expectPage(both).toContainText('401')
    await pane.getByLabel('Other headers').fill('prefer: delay=1\nno colon')
    await click('Ask what if')
    await expectPage(pane.getByRole('alert')).toContainText('no colon')
    expect(JSON.stringify(mock.control.timeline())).toBe(before)
  })

  it('is asked about as you edit it, and then without what it asked for', async () => {
    const { page, ask, rows, pane, click } = await openConsole()
    await ask('/pets', { headers: { prefer: 'code=503' } })
    await rows.click()
    await click('Edit and resend')
    await expectPage(pane.getByRole('button', { name: 'Ask what if' })).toBeInViewport({ ratio: 1 })
    await pane.getByLabel('Path').fill('/v1/pets?limit=1')
    await click('Ask what if')
    const moment = page.getByRole('region', { name: 'Moment' })
    await expectPage(moment).toContainText('as another request')
    await pane.getByRole('button', { name: '200 without Prefer' }).click()
    const both = pane.getByRole('region', { name: 'Both responses' })
    await expectPage(both.locator('.added', { hasText: /"id": 1$/ })).toBeVisible()
    await click('Copy as test')
    await expectPage.poll(() => readCopied(page)).toContain('toBe(200)')
    expect(await readCopied(page)).not.toContain('prefer:')
  })

  it('keeps what you typed into a form until you send it', async () => {
    const { mock, page, ask, rows, pane, click } = await openConsole({ view: 'timeline/new' })
    const path = pane.getByLabel('Path')
    await path.fill('/v1/pets?limit=2')
    await page.reload()
    await expectPage(path).toHaveValue('/v1/pets?limit=2')
    await click('Send')
    await expectPage(pane.getByRole('heading')).toContainText(['limit=2'])
    await ask('/pets?limit=500')
    await click('↑ 1 new')
    await expectPage(rows).toHaveCount(2)
    await rows.first().click()
    await click('Edit and resend')
    await path.fill('/v1/pets?limit=3')
    await rows.last().click()
    await rows.first().click()
    await expectPage(path).toHaveValue('/v1/pets?limit=3')
    await click('Send')
    await expectPage(pane.getByRole('heading', { level: 2 })).toContainText(['limit=3'])
    await rows.nth(1).click()
    await click('Edit and resend')
    await path.fill('/v1/pets?limit=3')
    expect(mock.control.requests()).toHaveLength(3)
    mock.control.clearRequests()
    await page.getByRole('link', { name: /New request.*unsaved/ }).click()
    await expectPage(path).toHaveValue('/v1/pets?limit=3')
  })

  it('is known to fail in the menu, also if a colleague added the fault', async () => {
    const { mock, page, click } = await openConsole({
      faults: [{ operation: 'createPet', status: 503, times: 3, retryAfter: 1 }],
    })
    await page.getByRole('button', { name: 'Break' }).click()
    const cell = page.getByRole('button', { name: 'Fail with 503: createPet' })
    await expectPage(cell).toHaveText('×3')
    await cell.click()
    await expectPage(cell).toHaveText('×2')
    expect(mock.control.faults.list()).toMatchObject([{ id: '1', times: 2, retryAfter: 1 }])
    await click('All off')
    await expectPage(cell).toHaveText('·')
  })

  it('has a body that a click copies, in a detail whose width you choose', async () => {
    const { page, ask, rows, pane, message } = await openConsole({
      context: { viewport: { width: 1280, height: 800 } },
    })
    await ask('/pets?limit=1')
    await rows.click()
    await pane.getByRole('button', { name: 'Copy the response body' }).click()
    await expectPage(message).toContainText('Copied')
    const edge = pane.getByRole('separator')
    // To the right the pointer comes over links, which a browser would drag.
    for (const x of [500, 900]) {
      await edge.hover()
      await page.mouse.down()
      await page.mouse.move(x, 400, { steps: 2 })
      await page.mouse.up()
      await expectPage.poll(async () => (await pane.boundingBox())?.x).toBeCloseTo(x)
    }
    await edge.press('ArrowLeft')
    await page.reload()
    await expectPage(edge).toHaveAttribute('aria-valuenow', '33')
  })

  it('is compared with another one: both responses, and the states', async () => {
    const context = { viewport: { width: 390, height: 844 } }
    const { page, mock, ask, create, rows, pane, click } = await openConsole({
      context,
      faults: [{ operation: 'getPet', delay: 1, times: 2 }],
    })
    await ask('/pets/1')
    mock.control.faults.add({ operation: 'createPet', delay: 1, times: 1 })
    await create('{"name":"Rex","categoryId":1}')
    await ask('/pets/1')
    await ask('/pets/99')
    await rows.last().locator('.no').click()
    await rows.first().locator('.no').click()
    await click('Compare')
    const both = pane.getByRole('region', { name: 'Both responses' })
    await expectPage(both.locator('.removed', { hasText: '"id": 1' })).toBeVisible()
    await expectPage(both.locator('.added', { hasText: '"NotFound"' })).toBeVisible()
    await expectPage(pane.getByRole('region', { name: 'Both requests' })).toHaveText(
      /^GET .v1.pets.1 row 1.*GET .v1.pets.99 row 5/,
    )
    await expectPage(pane.getByRole('region', { name: 'Comparison' })).toContainText(
      /added: Rex.*used up.*used 2 times/,
    )
    await pane.getByRole('button', { name: 'Next' }).click()
    await expectPage(pane.getByRole('region', { name: 'Comparison' })).toContainText('Responses')
    await expectPage(both).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expectPage(pane).toHaveCount(0)
  })

  it('has the first difference of two long responses in sight, and equal lines level', async () => {
    const { page, mock, ask, pane } = await openConsole({ view: 'timeline' })
    await ask('/pets')
    mock.control.pets.update(13, { status: 'sold' })
    await ask('/pets')
    await page.goto(`${page.url().split('#')[0]}#/timeline/3?compare=1`)
    await expectPage(pane.locator('.marked')).toBeInViewport({ ratio: 0.3 })
    const ends = pane.locator('.sides tr.marked td')
    const places = await ends.evaluateAll((lines) =>
      lines.map((line) => line.getBoundingClientRect().y),
    )
    expect(places[0]).toBe(places[1])
  })

  it('can be made to fail in several ways as often as you choose, and nothing moves under the pointer', async () => {
    const { mock, page, ask, rows, conditions, choose, click } = await openConsole()
    await choose('Break', 'Fail with 503: listPets')
    await expectPage(conditions).toHaveText([/listPets fails with 503, twice/])
    const cell = page.getByRole('button', { name: 'Fail with 429, retry after 5 s: listPets' })
    const place = await cell.boundingBox()
    for (let index = 0; index < 5; index++)
      await page.mouse.click((place?.x ?? 0) + 20, (place?.y ?? 0) + 10)
    await expectPage(conditions).toHaveText([
      /listPets fails with 503, twice/,
      /listPets fails with 429/,
    ])
    expect(await cell.boundingBox()).toEqual(place)
    await expectPage
      .poll(() => mock.control.faults.list().map(({ id }) => id))
      .toEqual(['listPets-fail', 'listPets-limit'])
    await ask('/pets')
    await expectPage(rows).toContainText('fault fails with 503, 1 of 2')
    for (let index = 0; index < 8; index++) await click('More often')
    await expectPage(page.getByRole('status', { name: 'How often' })).toHaveText('always')
    await page.getByRole('button', { name: 'Fail with 503: listPets' }).click()
    await expectPage(conditions.first()).toHaveText(/listPets fails with 503✕/)
    await click('All off')
    await expectPage.poll(() => mock.control.faults.list()).toEqual([])
  })

  it('can be composed from the contract, and opens before its response arrives', async () => {
    const { mock, pane, click } = await openConsole({ view: 'timeline/new', latency: 2_000 })
    await pane.getByRole('radio', { name: 'createPet' }).check()
    await expectPage(pane.getByLabel('Body')).toHaveValue(/"categoryId": 1/)
    await click('Send')
    await expectPage(pane.locator('.reason')).toContainText('delayed')
    await expectPage(pane.getByRole('heading', { level: 2 })).toContainText('201')
    expect(mock.control.requests()).toMatchObject([{ operation: 'createPet', status: 201 }])
  })

  it('is one line if its connection is dropped, however often the browser tries', async () => {
    const { mock, pane, rows, click, message, go } = await openConsole({ view: 'timeline/new' })
    await pane.getByLabel('Other headers').fill('prefer: drop')
    await click('Send')
    await expectPage(rows).toHaveCount(1)
    await expectPage(message).toContainText('No response')
    await expectPage(rows).toHaveCount(1)
    expect(new Set(mock.control.requests().map(({ outcome }) => outcome))).toEqual(
      new Set(['dropped']),
    )
    // A message does not follow you to other views.
    await go('Animals')
    await expectPage(message).toHaveText('')
  })
})

describe('the list of requests', () => {
  it('keeps its search and its filter in the address', async () => {
    const { page, ask, create, rows } = await openConsole()
    await ask('/pets')
    await ask('/pets', { headers: { prefer: 'drop' } })
    await create('{"name":"Zebedee"}')
    await expectPage(rows).toHaveCount(3)
    for (const [show, path] of [
      ['4xx', '400'],
      ['Dropped', 'Prefer'],
    ] as const) {
      await page.getByRole('radio', { name: show }).check()
      await expectPage(rows.first()).toContainText(path)
    }
    expect(await page.evaluate(() => location.hash)).toBe('#/timeline?show=dropped')
    await page.goto(`${page.url().split('#')[0]}#/timeline?show=4xx`)
    await expectPage(rows).toHaveCount(1)
    await page.getByRole('radio', { name: 'All' }).check()
    await page.locator('body').press('/')
    await page.keyboard.type('zebedee')
    await expectPage(rows).toHaveCount(1)
    await expectPage(page.getByRole('radio', { name: 'All 1' })).toBeVisible()
    await page.reload()
    await rows.click()
    await page.getByRole('combobox').press('Escape')
    await expectPage(rows).toHaveCount(3)
    await expectPage(page.locator('.pane')).toBeVisible()
    await expectPage(page.getByRole('combobox')).not.toBeFocused()
  })

  it('keeps its scroll position while new requests arrive, and renders what is in sight', async () => {
    const { page, ask, rows, mock } = await openConsole({
      context: { viewport: { width: 1280, height: 500 } },
    })
    for (let index = 0; index < 300; index++) await ask(`/pets?n=${index}`)
    await expectPage(rows.first()).toContainText('n=299')
    expect(await rows.count()).toBeLessThan(80)
    await page.locator('.scroller').evaluate((element) => element.scrollTo(0, 3_000))
    const row = rows.filter({ hasText: 'n=195' })
    const before = await row.boundingBox()
    for (let index = 0; index < 3; index++) await ask(`/pets?late=${index}`)
    await expectPage(page.getByRole('link', { name: 'Timeline 303' })).toBeVisible()
    expect(await row.boundingBox()).toEqual(before)
    expect(mock.control.requests()).toHaveLength(303)
    await page.getByRole('button', { name: '3 new' }).click()
    await expectPage(rows.first()).toContainText('late=2')
    await expectPage(rows.first()).toBeInViewport({ ratio: 1 })
    await expectPage(page.getByRole('button', { name: 'new' })).toHaveCount(0)
  })

  it('counts the failures that came while it was out of sight', async () => {
    const { page, ask, go } = await openConsole({ view: 'animals' })
    for (const id of [0, 1]) await ask(`/pets/${id}`)
    await expectPage(page.getByRole('link', { name: 'Timeline ● 1' })).toBeVisible()
    await go('Timeline')
    await expectPage(page.getByRole('link', { name: 'Timeline 2', exact: true })).toBeVisible()
  })

  it('has its times in real time, whatever the clock of the mock says', async () => {
    const { page, mock, ask, rows, pane } = await openConsole({ now: '2030-12-06T00:00:00Z' })
    await ask('/pets')
    const [{ realAt = '' } = {}] = mock.control.requests()
    await expectPage(rows.locator('time')).toHaveText(realAt.slice(11, 21))
    await expectPage(page.locator('.columns')).toContainText('When')
    await rows.click()
    await expectPage(pane).toContainText("6 Dec 2030, 00:00 by the mock's clock")
  })

  it('shows equal requests as one', async () => {
    const { page, ask, rows } = await openConsole()
    for (let index = 0; index < 3; index++) await ask('/pets/99')
    await expectPage(rows).toHaveCount(1)
    await expectPage(rows).toContainText('× 3')
    await rows.click()
    await expectPage(page.locator('.pane')).toContainText('Sent 3 times')
  })

  it('counts the seconds of a response that is delayed', async () => {
    const { mock, ask, rows } = await openConsole()
    await ask('/pets/1')
    await expectPage(rows).toHaveCount(1)
    mock.control.latency.set(60_000)
    void ask('/pets')
    const took = rows.first().locator('.took')
    const seconds = async () => Number.parseInt((await took.textContent()) ?? '', 10)
    await expectPage(took).toHaveText(/^\d+ s…$/)
    const first = await seconds()
    await expectPage.poll(seconds).toBeGreaterThan(first)
  })

  it('follows the keys wherever the focus is, keeps its row in sight, and is one stop for Tab', async () => {
    const { page, ask, rows, pane } = await openConsole({
      context: { viewport: { width: 1280, height: 500 } },
    })
    for (let index = 0; index < 40; index++) await ask(`/pets?n=${index}`)
    await expectPage(rows.first()).toContainText('n=39')
    await page.keyboard.press('j')
    expect(await focused(page)).toBe('40')
    await page.keyboard.press('Enter')
    await expectPage(pane).toContainText('n=39')
    for (let index = 0; index < 29; index++)
      await page.keyboard.press(index % 2 ? 'ArrowDown' : 'j')
    await page.keyboard.press('k')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expectPage(pane).toContainText('n=9')
    await expectPage(page.locator('a.row[aria-current=true]')).toBeInViewport({ ratio: 1 })
    await expectPage(page.locator('.list [tabindex="0"]')).toHaveCount(1)
    await page.keyboard.press('End')
    await expectPage(pane).toContainText('n=0')
    await expectPage.poll(() => focused(page)).toBe('1')
    await page.keyboard.press('Escape')
    await expectPage(pane).toHaveCount(0)
    expect(await focused(page)).toBe('1')
  })
})

describe('the form of an animal', () => {
  it('marks the field that is wrong, and goes to it', async () => {
    const { pane, rows, click } = await openConsole({ view: 'animals' })
    await rows.first().click()
    const field = pane.getByLabel('categoryId')
    await field.fill('1.5')
    await click('Save')
    await expectPage(field).toBeFocused()
    await expectPage(field).toHaveAttribute('aria-invalid', 'true')
    await expectPage(field).toHaveAccessibleDescription(/categoryId/)
    await field.fill('2')
    await expectPage(field).not.toHaveAttribute('aria-invalid')
  })

  it('keeps what you typed until you save or discard it, also after a reload, and while the animal is deleted', async () => {
    const { mock, page, pane, rows, click } = await openConsole({ view: 'animals' })
    const name = pane.getByLabel('name', { exact: true })
    await rows.first().click()
    const before = await name.inputValue()
    await name.fill('Mine')
    await rows.nth(1).click()
    await expectPage(name).not.toHaveValue('Mine')
    await page.reload()
    await rows.filter({ hasText: 'unsaved' }).click()
    await expectPage(name).toHaveValue('Mine')
    await click('Discard')
    await expectPage(name).toHaveValue(before)
    await expectPage(rows.filter({ hasText: 'unsaved' })).toHaveCount(0)
    await name.fill('Mine again')
    mock.control.pets.remove(18)
    await expectPage(pane).toContainText('No animal')
    mock.control.undo()
    await expectPage(name).toHaveValue('Mine again')
  })

  it('sends the fields that you typed in', async () => {
    const { mock, pane, click } = await openConsole({
      pets: [{ id: 1, name: 'Bo', categoryId: 1 }],
      view: 'animals/1',
    })
    const name = pane.getByLabel('name', { exact: true })
    await name.fill('Mine')
    mock.control.pets.update(1, { categoryId: 77 })
    await expectPage(pane.getByLabel('categoryId')).toHaveValue('77')
    await click('Save')
    await expectPage
      .poll(() => mock.control.pets.get(1))
      .toEqual({ id: 1, name: 'Mine', categoryId: 77 })
    await expectPage(pane).not.toContainText('unsaved')
  })
})

describe('the state in the console', () => {
  it('is loaded without a confirmation, and Control takes the load back and brings it again', async () => {
    const { page, mock, message, click } = await openConsole({ view: 'scenarios' })
    await click('Load sold-out')
    // The message comes with the state that it is about.
    await expectPage(message).toContainText('sold-out')
    expect(await page.locator('.scenario').textContent()).toContain('sold-out')
    expect(mock.control.summary().scenario).toBe('sold-out')
    await page.locator('h1').press('Control+z')
    await expectPage.poll(() => mock.control.summary().scenario).toBe('default')
    await page.locator('h1').press('Control+Shift+z')
    await expectPage.poll(() => mock.control.summary().scenario).toBe('sold-out')
  })

  it('is saved as a file, and loaded from one; problems are listed and change nothing', async () => {
    const { page, mock, message, click } = await openConsole({ view: 'scenarios' })
    const [download] = await Promise.all([page.waitForEvent('download'), click('Save as file')])
    expect(download.suggestedFilename()).toBe('default-saved.json')
    const file = page.getByLabel('Scenario or recording')
    await file.setInputFiles({
      name: 'bad.yaml',
      mimeType: 'text/plain',
      buffer: Buffer.from('name: bad\npets:\n  - { id: 1 }\n'),
    })
    await expectPage(message).toContainText('bad.yaml:3')
    expect(mock.control.summary().scenario).toBe('default')
    const saved = join(createFolder(), 'default-saved.json')
    await download.saveAs(saved)
    await file.setInputFiles(saved)
    await expectPage(message).toContainText('default-saved')
    await file.setInputFiles({
      name: 'good.yaml',
      mimeType: 'text/plain',
      buffer: Buffer.from('name: good\npets: []\n'),
    })
    await expectPage.poll(() => mock.control.summary()).toMatchObject({ scenario: 'good', pets: 0 })
    await expectPage(message).toContainText('good')
    await file.setInputFiles({
      name: 'photo.json',
      mimeType: 'image/png',
      buffer: Buffer.from([0x89, 0x50, 0xff]),
    })
    await expectPage(message).toContainText('photo.json')
  })

  it('has faults that can be edited', async () => {
    const { page, mock, create, conditions, click } = await openConsole({
      view: 'faults',
      faults: [
        { operation: 'createPet', status: 500, times: 1 },
        { operation: 'createPet', status: 501 },
      ],
    })
    await create('{"name":"Rex","categoryId":1}')
    await expectPage(page.getByRole('region', { name: 'Faults' })).toContainText('used up')
    await click('Edit fault 1')
    const form = page.getByRole('form', { name: 'Edit fault 1' })
    await expectPage(form.getByLabel('Operation')).toBeFocused()
    await click('Cancel')
    await expectPage(page.getByRole('button', { name: 'Edit fault 1' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expectPage(form.getByLabel('Status')).toHaveValue('500')
    for (const [label, text] of Object.entries({ Status: '502', Delay: '5-10', Probability: '1' }))
      await form.getByLabel(label).fill(text)
    await click('Save')
    await expectPage(conditions.first()).toContainText('createPet fails with 502')
    await expectPage(page.getByRole('form', { name: 'Add a fault' })).toBeVisible()
    await expectPage(page.getByRole('button', { name: 'Edit fault 1' })).toBeFocused()
    await click('Remove all')
    await expectPage(conditions).toHaveCount(0)
    await click('Undo')
    await expectPage(conditions).toHaveCount(2)
    expect(mock.control.faults.list()).toEqual([
      {
        id: '1',
        seen: 0,
        applied: 0,
        operation: 'createPet',
        status: 502,
        delay: [5, 10],
        times: 1,
        rate: 1,
      },
      expect.objectContaining({ id: '2', status: 501 }),
    ])
  })

  it('takes a new fault, a latency and another time', async () => {
    const { page, mock, conditions, click } = await openConsole({ view: 'faults', latency: 0 })
    await expectPage(page.getByRole('region', { name: 'Faults' })).toContainText('No faults')
    await expectPage(conditions).toHaveCount(0)
    const form = page.getByRole('form', { name: 'Add a fault' })
    for (const [label, text, problem] of [
      ['Delay', '20-10', 'delay: expected'],
      ['Times', '0.5', 'times: expected'],
      ['Or a whole response', '{ "status": ', 'response: expected'],
    ] as const) {
      await form.getByLabel(label).fill(text)
      await click('Add fault')
      await expectPage(form.getByRole('alert')).toContainText(problem)
      await form.getByLabel(label).fill('')
    }
    await form.getByLabel('Status').fill('5')
    await click('Discard')
    await expectPage(form.getByLabel('Status')).toHaveValue('')
    await form.getByLabel('Delay').fill('10-20')
    await form.getByLabel('Times').fill('3')
    await expectPage(form.getByRole('alert')).toHaveCount(0)
    await click('Add fault')
    await expectPage
      .poll(() => mock.control.faults.list())
      .toMatchObject([{ operation: '*', delay: [10, 20], times: 3 }])
    await page.getByLabel('Delay every response by').fill('5')
    await page.keyboard.press('Enter')
    await expectPage.poll(() => mock.control.latency.get()).toBe(5)
    await page.getByLabel('Set to (UTC)').fill('2030-12-06T00:00:00')
    await page.keyboard.press('Enter')
    await expectPage(conditions).toHaveText([
      /every operation waits 10–20 ms/,
      /\+5 ms/,
      /6 Dec 2030, 00:0\d/,
    ])
    for (const name of ['Remove fault 1', 'Remove the latency', 'Set the clock to real time'])
      await page.locator('.bar').getByRole('button', { name }).click()
    await expectPage(conditions).toHaveCount(0)
    expect(mock.control.faults.list()).toEqual([])
  })

  it('takes a fault that gives a whole response, and a fault for one animal', async () => {
    const { page, mock, ask, conditions, click } = await openConsole({ view: 'faults' })
    const form = page.getByRole('form', { name: 'Add a fault' })
    const list = page.getByRole('region', { name: 'Faults' })
    await form.getByLabel('Or a whole response').fill('{ "status": 200, "body": { "items": [] } }')
    await click('Add fault')
    await expectPage(list).toContainText('responds 200 as given')
    expect(await (await ask('/pets'))?.json()).toEqual({ items: [] })
    await list.getByRole('button', { name: 'Remove fault 1' }).click()
    await expectPage(form.getByLabel('Or a whole response')).toHaveValue('')
    await form.getByLabel('Animal').fill('9007199254740993')
    await form.getByLabel('Status').fill('502')
    await form.getByLabel('Body').selectOption('an HTML page')
    await click('Add fault')
    await expectPage
      .poll(() => mock.control.faults.list())
      .toMatchObject([{ petId: 9007199254740993n, status: 502, body: 'html' }])
    await expectPage(conditions).toContainText('only animal 9007199254740993')
  })

  it('has assumptions, the used ones first, with links to their requests', async () => {
    const { page, mock, ask, rows, conditions, click, go } = await openConsole()
    await ask('/pets?limit=500')
    await ask('/pets?limit=501')
    await ask('/pets/x')
    await go('Assumptions')
    const first = page.locator('.question').first()
    await expectPage(first).toContainText('invalid-query')
    await expectPage(page.locator('main details')).not.toHaveAttribute('open')
    await first.getByRole('radio', { name: /^clamp/ }).click()
    await expectPage(conditions).toContainText('invalid-query=clamp')
    await click('Reset invalid-query')
    await expectPage
      .poll(() => mock.control.assumptions().find(({ id }) => id === 'invalid-query')?.choice)
      .toBe('reject')
    await first.getByRole('link', { name: '2 requests' }).click()
    await expectPage(rows).toHaveCount(2)
    mock.control.load({
      calibrated: {
        on: '2026-11-16',
        against: 'store.test',
        choices: { 'invalid-query': 'reject' },
      },
    })
    await go('Assumptions')
    await expectPage(page.locator('#assumption-invalid-query')).toContainText(
      'Confirmed on 2026-11-16 against store.test',
    )
    await expectPage(page.locator('#assumption-list-order')).not.toContainText('Confirmed')
  })
})
