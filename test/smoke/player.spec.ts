// The player under `/__mock/play/`, in a real browser: it opens links and starts playgrounds, with
// the built package that a running mock serves.
import { expect, it, onTestFinished } from 'vitest'
import { createLink } from '../../src/control/text/link.ts'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'
import { expectPage, openPage, useBrowser } from '../console/open-console.ts'
import { toCall } from '../support/call.ts'

useBrowser()

/** A page of the player on a mock of its own, where nothing else has happened. */
async function openPlayer(place: string) {
  const host = createMock()
  const { url, close } = await serve(host)
  const { origin } = new URL(url)
  const page = await openPage(origin)
  onTestFinished(async () => {
    await page.context().close()
    await close()
  })
  const player = `${origin}/__mock/play/`
  await page.goto(player + place)
  return { page, host, player, pane: page.locator('.pane'), rows: page.locator('a.row') }
}

function record(): string {
  const mock = createMock()
  mock.answer(toCall('GET', '/v1/pets'))
  mock.control.faults.add({ operation: 'createPet', status: 503 })
  mock.answer(toCall('POST', '/v1/pets', { name: 'Zebedee', categoryId: 1 }))
  return mock.control.recording()
}

const link = async (row?: number) => new URL((await createLink(record(), { row })).url).hash

it('a link shows its row, with what if and rewind, and leaves the address', async () => {
  const { page, host, pane, rows } = await openPlayer(await link(3))
  await expectPage(pane).toContainText('createPet fails with 503')
  expect(page.url()).toMatch(/\/__mock\/play\/#\/timeline\/3$/)
  await expectPage(pane).toContainText(/201\s*without fault 1/)
  await page.getByRole('button', { name: 'Before this' }).click()
  await page.getByRole('button', { name: 'Go back to here' }).click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expectPage(pane).toContainText('row 6')
  await expectPage(rows.first()).toContainText('503')
  expect(host.control.timeline()).toEqual([])
})

it('a link that is pasted into an open player replaces what it shows', async () => {
  const { page, pane } = await openPlayer('')
  await page.locator('main h1').waitFor({ state: 'attached' })
  await page.evaluate((hash) => location.assign(hash), await link(3))
  await expectPage(pane).toContainText('createPet fails with 503')
  expect(page.url()).toMatch(/\/__mock\/play\/#\/timeline\/3$/)
})

it.each([
  ['#1.900.0.eJx', 'This link is cut: it has 3 of 900 characters'],
  ['#1.8.0.eJxAAAAA', 'This link is damaged'],
  ['#<img src=x onerror=alert(1)>', 'This is not a link to a recording'],
  ['?scenario=gone', 'scenario: expected default'],
  ['?fault=listPets=503', 'unknown parameter fault'],
])('%s is refused with the reason, as text', async (place, reason) => {
  const { page } = await openPlayer(place)
  await expectPage(page.getByRole('alert')).toContainText(reason)
  await page.getByRole('link', { name: 'Start an empty playground' }).click()
  await expectPage(page.getByRole('heading', { level: 2 })).toContainText('18 animals')
})

it('a playground starts as its address says', async () => {
  const { page, rows } = await openPlayer('?scenario=sold-out&fail=listPets=503:1&now=2030-12-06')
  await page.getByRole('button', { name: 'Send it now' }).click()
  await expectPage(rows).toContainText('503')
  await expectPage(page.locator('.condition').first()).toBeVisible()
})
