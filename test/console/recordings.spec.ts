// From a recording to the moment: the console of a mock that shows one, and how one is saved.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { createMock } from '../../src/mock/mock.ts'
import { readRecording } from '../../src/scenario/recording/read.ts'
import { createFolder } from '../support/cli-process.ts'
import { expectPage, openConsole, readCopied, useBrowser } from './open-console.ts'

useBrowser()

/** The recording of a test whose only request failed. */
function record(): string {
  const mock = createMock({ faults: [{ operation: 'createPet', status: 503, times: 1 }] })
  const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }
  const body = new TextEncoder().encode('{"name":"Rex","categoryId":1}')
  mock.answer({ method: 'POST', target: '/v1/pets', headers, body })
  return mock.control.recording()
}

function drop(page: Page, text: string): Promise<void> {
  return page.evaluate((content) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([content], 'run.jsonl'))
    dispatchEvent(new DragEvent('drop', { dataTransfer }))
  }, text)
}

it('a recorded failure that was dragged in happens again after going back, and passes without its fault', async () => {
  const { page, rows, pane, conditions, click, choose, message } = await openConsole()
  // Nothing is lost, so the page does not ask.
  await page.locator('.start').waitFor()
  await drop(page, record())
  await expectPage(message).toContainText(/run\.jsonl: 1 /)
  await expectPage(page.locator('.bar')).toContainText('run.jsonl, recording')
  await rows.click()
  await expectPage(pane.locator('.reason')).toContainText('createPet fails with 503')
  await choose('Copy as', 'Vitest test')
  await expectPage.poll(() => readCopied(page)).toContain("mockStore({ scenario: 'run.jsonl#1' })")
  await click('Before this')
  await click('Go back to here')
  await expectPage(conditions.first()).toContainText('createPet fails with 503')
  await click('Send again')
  await expectPage(pane.getByRole('heading', { level: 2 })).toContainText(/503.*row\s4/)
  await page.goto(page.url().replace(/timeline.*/, 'timeline/1'))
  await click('Before this')
  await click('Go back to here')
  await page.locator('.bar').getByRole('button', { name: 'Remove fault 1' }).click()
  await click('Send again')
  await expectPage(pane.getByRole('heading', { level: 2 })).toContainText('201')
  // This request is not in the file.
  await choose('Copy as', 'Vitest test')
  await expectPage.poll(() => readCopied(page)).toContain('toBe(201)')
  expect(await readCopied(page)).not.toContain('run.jsonl')
})

it('a recording is saved in two clicks; one that is cut, or that you decline, changes nothing', async () => {
  const { page, ask, go, click, message, mock } = await openConsole()
  await ask('/pets/99')
  await go('Scenarios')
  const [download] = await Promise.all([page.waitForEvent('download'), click('Save recording')])
  expect(download.suggestedFilename()).toBe('recording.jsonl')
  const saved = join(createFolder(), 'recording.jsonl')
  await download.saveAs(saved)
  const { rows: recorded } = readRecording(readFileSync(saved, 'utf8'), saved)
  expect(recorded.map(({ row }) => row)).toMatchObject([{ id: 1, status: 404 }])
  await expectPage(message).toContainText('npx animal-store-mock open recording.jsonl')
  await drop(page, record())
  await expectPage(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await click('Cancel')
  await drop(page, record().slice(0, -9))
  await click('Open')
  await expectPage(message).toContainText(/run\.jsonl:5 /)
  expect(mock.control.timeline()).toHaveLength(1)
})
