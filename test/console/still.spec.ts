// The list holds still while you use it.
import { expect, it } from 'vitest'
import { expectPage, type Opened, openConsole, useBrowser } from './open-console.ts'

useBrowser()

const TRIES = 50
const EVERY_MS = 20

/** Sends a request every 20 ms until it is stopped. */
function sendSteadily({ ask }: Opened): () => void {
  let sent = 0
  const timer = setInterval(() => void ask(`/pets?n=${sent++}`), EVERY_MS)
  return () => clearInterval(timer)
}

it(`clicks hit the row under the pointer in ${TRIES} of ${TRIES} tries at 50 requests a second`, async () => {
  const opened = await openConsole()
  const { page, rows, pane } = opened
  const stop = sendSteadily(opened)
  await expectPage(rows.nth(20)).toBeVisible()
  let hits = 0
  for (let index = 0; index < TRIES; index++) {
    const y = 220 + (index % 15) * 30
    // With the pointer and the focus elsewhere, the list goes on.
    await page.mouse.click(40, 20)
    await page.mouse.move(300, y, { steps: 2 })
    const pointed = await page.evaluate((place) => {
      const row = document.elementFromPoint(300, place)?.closest('a.row')
      return row?.querySelector('.path')?.textContent
    }, y)
    // A hand takes longer than a script: meanwhile others come.
    await page.locator('.fresh').waitFor()
    await page.mouse.click(300, y)
    const title = await pane.locator('.target').textContent()
    if (pointed !== undefined && title === pointed) hits++
  }
  stop()
  expect(hits).toBe(TRIES)
})

it('new rows wait in a pill while the focus is in the list, and come with a click on it', async () => {
  const { page, ask, rows } = await openConsole()
  await ask('/pets?first')
  await expectPage(rows).toHaveCount(1)
  await page.keyboard.press('j')
  await ask('/pets?second')
  const pill = page.getByRole('button', { name: '1 new' })
  await expectPage(pill).toBeVisible()
  await expectPage(rows).toHaveCount(1)
  await pill.click()
  await expectPage(rows).toHaveCount(2)
  await expectPage(pill).toHaveCount(0)
})

it('a response that was awaited is shown in its row, although the list holds still', async () => {
  const { page, mock, ask, rows } = await openConsole({ latency: 1_500 })
  void ask('/pets/1')
  await expectPage(rows.locator('.status')).toHaveText('…')
  await rows.hover()
  mock.control.latency.set(null)
  await ask('/pets')
  await expectPage(page.getByRole('button', { name: '2 new' })).toBeVisible()
  await expectPage(rows.locator('.status')).toHaveText('200')
  await expectPage(rows).toHaveCount(1)
})

it('Live pauses the list, and lets it go on', async () => {
  const { page, ask, rows, click } = await openConsole()
  await ask('/pets?first')
  await expectPage(rows).toHaveCount(1)
  await click('Live')
  await ask('/pets?second')
  await expectPage(page.getByRole('button', { name: '1 new' })).toBeVisible()
  await expectPage(rows).toHaveCount(1)
  await click('Paused')
  await expectPage(rows).toHaveCount(2)
})
