import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { expectPage, openConsole, useBrowser } from './open-console.ts'

useBrowser()

describe('the faults', () => {
  it.each([
    ['Outage', ['Every operation responds 503 (Retry-After: 30 s)'], [{ operation: '*', status: 503, retryAfter: 30 }]],
    [
      'Flaky',
      [
        'Every operation drops the connection, 5% of the time',
        'Every operation responds 503 (Retry-After: 1 s), 15% of the time',
        'Every operation responds after 100–1000 ms, 20% of the time',
      ],
      [
        { drop: true, rate: 0.05 },
        { status: 503, rate: 0.15 },
        { delay: [100, 1000], rate: 0.2 },
      ],
    ],
    ['Slow', ['Every operation responds after 2000–4000 ms'], [{ operation: '*', delay: [2000, 4000] }]],
  ] as const)('come ready to use: %s', async (name, sentences, faults) => {
    const { page, mock } = await openConsole({ view: 'faults' })
    await expectPage(page.getByText('No faults: every request gets its normal response.')).toBeVisible()
    await page.getByRole('button', { name, exact: true }).click()
    await expectPage(page.locator('.faults li')).toContainText([...sentences])
    expect(mock.control.faults.list()).toMatchObject(faults)
    await page.getByRole('button', { name, exact: true }).click()
    await expectPage(page.getByText(`${name} is already active`)).toBeVisible()
    expect(mock.control.faults.list()).toMatchObject(faults)
  })

  it('count the calls that they see and strike, and can be removed', async () => {
    const faults = [
      { operation: 'listPets', status: 503, times: 1, after: 1 },
      { operation: 'getPet', drop: true },
    ] as const
    const { page, mock, ask } = await openConsole({ view: 'faults', pets: animals, faults })
    await expectPage(page.locator('.faults li')).toContainText(['affected 0 of 0 calls', 'affected 0 of 0 calls'])
    for (let index = 0; index < 3; index++) await ask('/pets')
    await expectPage(page.locator('#faults-1')).toContainText('affected 1 of 3 calls')
    await page.getByRole('button', { name: 'Remove fault 1' }).click()
    await expectPage(page.locator('.faults li')).toHaveCount(1)
    expect(mock.control.faults.list()).toMatchObject([{ operation: 'getPet' }])
    await page.getByRole('button', { name: 'Remove all' }).click()
    await expectPage(page.locator('.faults li')).toHaveCount(0)
    expect(mock.control.faults.list()).toEqual([])
  })

  it('have the latency beside them, which is set and ended by itself', async () => {
    const { page, mock } = await openConsole({ view: 'faults', latency: 250 })
    const form = page.getByRole('form', { name: 'Latency' })
    await expectPage(form).toContainText('Every response is delayed by 250 ms.')
    await form.getByLabel('Delay (ms)', { exact: true }).fill('200')
    await form.getByLabel('Max. delay (ms)').fill('800')
    await form.getByRole('button', { name: 'Set latency' }).click()
    await expectPage(form).toContainText('Every response is delayed by 200–800 ms.')
    expect(mock.control.latency.get()).toEqual([200, 800])
    await form.getByRole('button', { name: 'Remove' }).click()
    await expectPage(form).toContainText('Responses are sent at once.')
    expect(mock.control.latency.get()).toBeNull()
    mock.control.latency.set(30)
    await expectPage(form).toContainText('Every response is delayed by 30 ms.')
  })

  it('say once what was wrong with a latency, until it is mended', async () => {
    const { page, mock } = await openConsole({ view: 'faults' })
    const form = page.getByRole('form', { name: 'Latency' })
    await form.getByLabel('Delay (ms)', { exact: true }).fill('300')
    await form.getByLabel('Max. delay (ms)').fill('100')
    await form.getByRole('button', { name: 'Set latency' }).click()
    await expectPage(page.locator('.toast')).toContainText('expected the shorter time first')
    await form.getByLabel('Max. delay (ms)').fill('600')
    await form.getByRole('button', { name: 'Set latency' }).click()
    await expectPage(form.getByRole('status')).toHaveText('Every response is delayed by 300–600 ms.')
    await expectPage(page.locator('.toast')).toHaveCount(0)
    expect(mock.control.latency.get()).toEqual([300, 600])
  })

  it('are apart from those that are used up, which count no more', async () => {
    const faults = [
      { operation: 'createPet', status: 503, times: 1 },
      { operation: 'getPet', status: 500 },
    ] as const
    const { page, create } = await openConsole({ view: 'faults', pets: [], faults })
    const lists = page.locator('.faults')
    const link = page.getByRole('link', { name: /^Faults and clock/ })
    await expectPage(lists.first().getByRole('listitem')).toHaveCount(2)
    await expectPage(link).toContainText('2')
    await create('{"name":"Lost","categoryId":1}')
    await expectPage(lists.first().getByRole('listitem')).toHaveText([/^getPet responds 500/])
    await expectPage(lists.last().getByRole('listitem')).toHaveText([/^createPet responds 503, once, used upaffected 1 of 1 call/])
    await expectPage(link).toContainText('1')
    await page.getByRole('button', { name: 'Remove fault 2' }).click()
    await expectPage(page.getByText('No faults: every request gets its normal response.')).toBeVisible()
    await page.getByRole('button', { name: 'Remove all' }).click()
    await expectPage(lists).toHaveCount(0)
  })

  it('can be made to measure', async () => {
    const { page, mock } = await openConsole({ view: 'faults' })
    const form = page.locator('form', { has: page.getByRole('heading', { name: 'Add a fault' }) })
    await form.getByLabel('Operation').selectOption('createPet')
    await form.getByLabel('Status').fill('429')
    await form.getByLabel('Retry-After (s)').fill('3')
    await form.getByLabel('Probability (%)').fill('25')
    await form.getByLabel('Max. times').fill('2')
    await form.getByLabel('Skip first N calls').fill('4')
    await form.getByRole('button', { name: 'Add fault' }).click()
    await expectPage(page.locator('.faults li')).toContainText(
      'createPet responds 429 (Retry-After: 3 s), 25% of the time, at most 2 times, skipping the first 4 calls',
    )
    await form.getByLabel('What happens').selectOption('Delay the response')
    await form.getByLabel('Min. delay (ms)').fill('10')
    await form.getByLabel('Max. delay (ms)').fill('20')
    await form.getByRole('button', { name: 'Add fault' }).click()
    await expectPage(page.locator('.faults li')).toHaveCount(2)
    expect(mock.control.faults.list()).toMatchObject([
      { operation: 'createPet', status: 429, retryAfter: 3, rate: 0.25, times: 2, after: 4 },
      { operation: '*', delay: [10, 20] },
    ])
    await form.getByLabel('What happens').selectOption('Delay the response')
    await form.getByLabel('Min. delay (ms)').fill('30')
    await form.getByLabel('Max. delay (ms)').fill('20')
    await form.getByRole('button', { name: 'Add fault' }).click()
    await expectPage(page.getByText('fault.delay: expected the shorter time first, got 30, 20')).toBeVisible()
  })
})

describe('the clock', () => {
  it('shows where it stands, frozen or running', async () => {
    const { page, mock } = await openConsole({ view: 'faults', now: '2026-11-15T08:30:00Z', frozen: true })
    const time = page.locator('.time')
    await expectPage(time).toHaveText('2026-11-15 08:30:00 UTC')
    await page.getByRole('button', { name: 'Resume' }).click()
    await expectPage(time).toHaveText(/2026-11-15 08:30:0[2-9] UTC/)
    expect(mock.control.clock.get().frozen).toBe(false)
    await page.getByRole('button', { name: 'Freeze' }).click()
    await expectPage(page.locator('.clock').getByText('frozen')).toBeVisible()
    expect(mock.control.clock.get().frozen).toBe(true)
  })

  it('can be set, advanced and brought back to the present', async () => {
    const { page, mock } = await openConsole({ view: 'faults' })
    await page.getByLabel('Set to (UTC)').fill('2028-02-29T12:00:30')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await expectPage(page.locator('.time')).toHaveText('2028-02-29 12:00:30 UTC')
    await page.getByRole('button', { name: '+1 year' }).click()
    await expectPage(page.locator('.time')).toHaveText('2029-02-28 12:00:30 UTC')
    await page.getByRole('button', { name: '+1 hour' }).click()
    await expectPage(page.locator('.time')).toHaveText('2029-02-28 13:00:30 UTC')
    expect(mock.control.clock.get()).toEqual({ now: '2029-02-28T13:00:30.000Z', frozen: true })
    await page.getByRole('button', { name: 'Set to now' }).click()
    await expectPage(page.locator('.time')).toContainText(new Date().toISOString().slice(0, 10))
    mock.control.clock.set('2027-01-01')
    await expectPage(page.locator('.time')).toHaveText('2027-01-01 00:00:00 UTC')
  })

  it('marks the removal of getPet, and jumps past it', async () => {
    const { page, mock, ask } = await openConsole({ view: 'faults', pets: animals })
    const removal = page.locator('.removal')
    await expectPage(removal).toContainText('getPet is removed on 5 Dec 2030')
    await expectPage(removal).toContainText("In 4 years 20 days by the mock's clock.")
    await page.getByRole('button', { name: 'Jump to just before' }).click()
    await expectPage(removal).toContainText('In 1 minute by')
    expect((await ask('/pets/1'))?.status).toBe(200)
    await page.getByRole('button', { name: 'Jump past it' }).click()
    await expectPage(page.locator('.time')).toHaveText('2030-12-06 00:00:00 UTC')
    await expectPage(removal).toContainText('Less than a minute ago by')
    expect((await ask('/pets/1'))?.status).toBe(404)
    mock.control.assume({ 'removal-instant': 'start-of-day' })
    await expectPage(removal).toContainText('1 day ago by')
  })
})
