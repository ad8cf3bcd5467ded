// How many clicks the commonest tasks take, from the timeline.
import { expect, it } from 'vitest'
import { expectPage, type Opened, openConsole, useBrowser } from './open-console.ts'

useBrowser()

/** Opens a console whose page counts clicks; the keyboard is not used. */
async function openCounted(): Promise<Opened & { clicks(): Promise<number> }> {
  const opened = await openConsole()
  await opened.ask('/pets?limit=500')
  await expectPage(opened.rows).toHaveCount(1)
  await opened.page.evaluate(() => {
    document.documentElement.dataset.clicks = '0'
    const count = () => Number(document.documentElement.dataset.clicks) + 1
    addEventListener(
      'pointerdown',
      () => (document.documentElement.dataset.clicks = String(count())),
      true,
    )
  })
  return {
    ...opened,
    clicks: () => opened.page.evaluate(() => Number(document.documentElement.dataset.clicks)),
  }
}

it('making createPet fail twice takes two clicks', async () => {
  const { choose, create, conditions, clicks } = await openCounted()
  await choose('Break', 'Fail with 503: createPet')
  await expectPage(conditions).toHaveCount(1)
  const statuses = []
  for (let index = 0; index < 3; index++)
    statuses.push((await create('{"name":"Rex","categoryId":1}'))?.status)
  expect(statuses).toEqual([503, 503, 201])
  expect(await clicks()).toBe(2)
})

it('making listPets fail twice takes three keys', async () => {
  const { page, conditions, clicks } = await openCounted()
  for (const key of ['b', 'ArrowDown']) await page.keyboard.press(key)
  await expectPage(page.getByRole('button', { name: /429.*: all/ })).toBeFocused()
  await page.keyboard.press('Escape')
  for (const key of ['b', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
  await expectPage(conditions).toContainText('listPets fails with 503, twice')
  expect(await clicks()).toBe(0)
})

it('comparing two rows takes three clicks, or five keys', async () => {
  const { page, ask, rows, click, clicks } = await openCounted()
  await ask('/pets')
  await expectPage(rows).toHaveCount(2)
  await rows.nth(0).locator('.no').click()
  await rows.nth(1).locator('.no').click()
  await click('Compare')
  await expectPage(page.getByRole('region', { name: 'Comparison' })).toBeVisible()
  expect(await clicks()).toBe(3)
  await page.keyboard.press('Escape')
  await expectPage(page.locator('.pane')).toHaveCount(0)
  for (const key of ['Home', 'Space', 'j', 'Space', 'c']) await page.keyboard.press(key)
  await expectPage(page.getByRole('region', { name: 'Comparison' })).toContainText(
    'From before row 1 to before row 2',
  )
})

it('loading the scenario sold-out takes two clicks', async () => {
  const { go, click, mock, clicks } = await openCounted()
  await go('Scenarios')
  await click('Load sold-out')
  await expectPage.poll(() => mock.control.summary().scenario).toBe('sold-out')
  expect(await clicks()).toBe(2)
})

it('undoing a change of any kind takes one click', async () => {
  const { page, mock, clicks } = await openCounted()
  const before = mock.control.state()
  for (const change of [
    () => mock.control.assume({ 'invalid-query': 'clamp' }),
    () => mock.control.faults.add({ operation: '*', drop: true }),
    () => mock.control.latency.set(3),
    () => mock.control.pets.update(7, { status: 'sold' }),
    () => mock.control.pets.remove(8),
    () => mock.control.load('empty'),
    () => mock.control.reset(),
  ]) {
    const counted = await clicks()
    const newest = mock.control.timeline().at(-1)?.id ?? 0
    await change()
    // The list holds still under the pointer, and a key shows the last undo and this change.
    if (counted > 0) {
      await page.getByRole('button', { name: '2 new' }).waitFor()
      await page.keyboard.press('m')
    }
    const made = mock.control.timeline().findLast((row) => 'type' in row && row.id > newest)
    await page.locator(`[id="row-${made?.id}"]`).getByRole('button', { name: 'Undo' }).click()
    await expectPage.poll(() => mock.control.state().pets).toEqual(before.pets)
    expect(await clicks()).toBe(counted + 1)
  }
  expect(mock.control.diff()).toMatchObject({ assume: [], faults: { added: [], removed: [] } })
})

it('seeing the state at the time of a request takes two clicks', async () => {
  const { page, rows, clicks } = await openCounted()
  await rows.click()
  await page.getByText('What it saw').click()
  await expectPage(page.getByRole('region', { name: 'What this request saw' })).toContainText(
    'invalid-query=reject',
  )
  expect(await clicks()).toBe(2)
})

it('seeing what a failed request would get without its fault takes one click, or two keys', async () => {
  const { page, mock, create, rows, pane, clicks } = await openCounted()
  mock.control.faults.add({ operation: 'createPet', status: 503 })
  await create('{"name":"Rex","categoryId":1}')
  await expectPage(rows).toHaveCount(2)
  await rows.first().click()
  await expectPage(pane.getByRole('button', { name: '201 without fault 1' })).toBeVisible()
  expect(await clicks()).toBe(1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('w')
  await expectPage(pane.getByRole('button', { name: '201 without fault 1' })).toBeVisible()
  await page.keyboard.press('w')
  await expectPage(pane.getByRole('region', { name: 'Both responses' })).toContainText(
    '"name": "Rex"',
  )
  expect(mock.control.summary().pets).toBe(18)
})

it('the last failure opens with one click on the strip', async () => {
  const { page, ask, rows, pane, clicks } = await openCounted()
  for (let index = 0; index < 40; index++) await ask(`/pets?n=${index}`)
  await ask('/pets/99')
  for (let index = 0; index < 40; index++) await ask(`/pets?m=${index}`)
  // All have their places then.
  await expectPage(rows.first()).toContainText('m=39')
  const strip = page.locator('.strip .scrub')
  const place = await page.locator('.strip .mark.warn').evaluate((mark) => {
    const points = mark.getAttribute('d')?.match(/M[\d.]+/g) ?? []
    return Number(points.at(-1)?.slice(1))
  })
  await strip.click({ position: { x: place, y: 26 } })
  await expectPage(pane.getByRole('heading', { level: 2 })).toContainText('/v1/pets/99')
  expect(await clicks()).toBe(1)
})

it('asking onward takes two clicks, and making it real one more', async () => {
  const { page, mock, create, ask, rows, pane, click, clicks } = await openCounted()
  mock.control.faults.add({ operation: 'createPet', status: 503, times: 1 })
  await create('{"name":"Rex","categoryId":1}')
  await ask('/pets/19')
  await expectPage(rows).toHaveCount(3)
  await rows.nth(1).click()
  await pane.getByRole('button', { name: '201 without fault 1' }).click()
  const bar = page.getByRole('region', { name: 'Moment' })
  await expectPage(bar).toContainText('2 of 2 responses differ')
  await expectPage(rows.nth(0)).toContainText('→ 200')
  expect(await clicks()).toBe(2)
  expect(mock.control.summary().pets).toBe(18)
  await click('Make it real')
  await expectPage(bar).toHaveCount(0)
  expect(mock.control.summary().pets).toBe(19)
  expect(await clicks()).toBe(3)
  await page.keyboard.press('z')
  await expectPage.poll(() => mock.control.summary().pets).toBe(18)
})

it('one of 1,000 requests is found by its body, and marked, with two clicks', async () => {
  const { page, create, ask, rows, pane, clicks } = await openCounted()
  await create('{"name":"Zanzibar","categoryId":1}')
  for (let index = 0; index < 950; index += 50) {
    const batch = Array.from({ length: 50 }, (_, place) =>
      ask(`/pets/${1 + (place % 18)}?n=${index}`),
    )
    await Promise.all(batch)
  }
  await page.getByLabel('Search', { exact: true }).click()
  await page.keyboard.type('zanzibar')
  await expectPage(rows).toHaveCount(1)
  await rows.click()
  await expectPage(pane.locator('.hit').first()).toHaveText(/zanzibar/i)
  expect(await clicks()).toBe(2)
})
