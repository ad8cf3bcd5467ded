// Rows that leave the page: in a link, as a recording, or as a HAR.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { LONG_LINK_CHARACTERS } from '../../src/contract/limits.ts'
import { readLink } from '../../src/scenario/recording/link.ts'
import { readRecording } from '../../src/scenario/recording/read.ts'
import { createFolder } from '../support/cli-process.ts'
import { expectPage, openConsole, readCopied, useBrowser } from './open-console.ts'

useBrowser()

async function readCopiedLink(page: Page) {
  await expectPage.poll(() => readCopied(page)).toContain('#')
  const url = await readCopied(page)
  const { recording, row } = await readLink(url.slice(url.indexOf('#') + 1))
  const { rows } = readRecording(recording, 'link')
  return { url, row, ids: rows.map((one) => one.row.id) }
}

async function saveAs(page: Page, click: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  const name = download.suggestedFilename()
  const file = join(createFolder(), name)
  await download.saveAs(file)
  return { name, text: readFileSync(file, 'utf8') }
}

it('a link to a row says what it holds, and that others can read it, before it is copied', async () => {
  const { page, ask, rows, choose, click, message } = await openConsole()
  await ask('/pets/99')
  await ask('/pets/98')
  await expectPage(rows).toHaveCount(2)
  await rows.last().click()
  await choose('Copy as', 'link')
  const dialog = page.getByRole('dialog')
  await expectPage(dialog).toContainText('1 row with requests and responses')
  await expectPage(dialog).toContainText('Anyone who has the link can read that')
  expect(await readCopied(page)).toBe('')
  await click('Copy link')
  await expectPage(message).toContainText('Copied')
  expect(await readCopiedLink(page)).toMatchObject({ row: 1, ids: [1] })
})

it('the rows that the list shows, or the chosen ones, become a link, a recording or a HAR', async () => {
  const { page, ask, rows, choose, click } = await openConsole({ view: 'timeline?q=404' })
  for (const path of ['/pets/99', '/pets', '/pets/98', '/pets/97']) await ask(path)
  await expectPage(rows).toHaveCount(3)
  await choose('Share', 'Copy link')
  await click('Copy link')
  const link = await readCopiedLink(page)
  // Row 2 changed nothing.
  expect(link).toMatchObject({ row: undefined, ids: [1, 3, 4] })
  await rows.first().locator('.no').click()
  const recording = await saveAs(page, () => choose('Share', 'Save recording'))
  const { rows: recorded } = readRecording(recording.text, recording.name)
  expect(recorded.map(({ row }) => row.id)).toEqual([4])
  await click('Clear')
  const har = await saveAs(page, () => choose('Share', 'Save HAR'))
  expect(har.name).toBe('requests.har')
  const { entries } = JSON.parse(har.text).log
  const paths = entries.map(({ request }: { request: { url: string } }) => request.url)
  expect(paths.map((url: string) => url.slice(-3))).toEqual(['/99', '/98', '/97'])
})

it('a link that chats may cut offers a file, or the last 50 rows', async () => {
  const { page, ask, rows, choose, click } = await openConsole()
  for (let index = 0; index < 30; index++) {
    // It does not compress.
    const text = Array.from({ length: 60 }, () => crypto.randomUUID()).join('')
    await ask(`/pets?${text}`)
  }
  for (let id = 900; id < 950; id++) await ask(`/pets/${id}`)
  await expectPage(rows.first()).toContainText('949')
  await choose('Share', 'Copy link')
  const dialog = page.getByRole('dialog')
  await expectPage(dialog).toContainText('Many chats cut a link')
  const file = await saveAs(page, () => click('Save a file instead'))
  expect(readRecording(file.text, file.name).rows).toHaveLength(80)
  await choose('Share', 'Copy link')
  await click('Copy a link to the last 50 rows')
  const { url, ids } = await readCopiedLink(page)
  expect(url.length).toBeLessThan(LONG_LINK_CHARACTERS)
  expect(ids).toHaveLength(50)
})
