import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { parseJson, toJson } from '../../src/contract/int64-json.ts'
import { createMock, type Scenario } from '../../src/index.ts'
import { scenarios } from '../../src/scenarios.ts'
import { animals } from '../support/animals.ts'
import { expectPage, openConsole, useBrowser } from './open-console.ts'

useBrowser()

/** Drops a file on the page, as a file manager would. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([file, content]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([content as string], file as string))
      return transfer
    },
    [name, text],
  )
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data })
  await expectPage(page.getByText('Drop the scenario to load it')).toBeVisible()
  await page.dispatchEvent('body', 'drop', { dataTransfer: data })
}

describe('the scenarios', () => {
  it('are listed with their descriptions, and the current one is marked', async () => {
    const { page } = await openConsole({ view: 'scenarios' })
    const cards = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Load / }) })
    await expectPage(cards).toHaveCount(Object.keys(scenarios).length)
    for (const { name = '', description = '' } of Object.values(scenarios)) {
      await expectPage(cards.filter({ has: page.getByRole('heading', { name, exact: true }) })).toContainText(description)
    }
    await expectPage(cards.filter({ hasText: 'current' })).toContainText('default')
  })

  it('can be loaded, and the world before brought back', async () => {
    const { page, mock, create, go } = await openConsole({ view: 'scenarios' })
    await create('{"name":"Precious","categoryId":1}')
    await page.getByRole('button', { name: 'Load sold-out' }).click()
    await expectPage(page.getByText(/^Loaded sold-out \(\d+ animals\)$/)).toBeVisible()
    expect(mock.control.summary().scenario).toBe('sold-out')
    await go('Animals')
    await expectPage(page.locator('.animals .at-status').nth(1)).toHaveText('○ sold')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.locator('.animals tbody tr').first()).toContainText('Precious')
    expect(mock.control.summary()).toMatchObject({ scenario: 'default', pets: 51 })
  })

  it('can be reset', async () => {
    const { page, mock, create } = await openConsole({ view: 'scenarios' })
    await create('{"name":"Bella","categoryId":1}')
    await page.getByRole('button', { name: 'Reset to default' }).click()
    await expectPage(page.getByText('Reset to default (50 animals)')).toBeVisible()
    expect(mock.control.summary().pets).toBe(50)
    expect(mock.control.requests()).toEqual([])
  })

  it('come out as a file that loads back into the same world', async () => {
    const pets = [{ id: 9223372036854775000n, name: 'Big "one"', categoryId: -9223372036854775808n }]
    const { page, mock, ask } = await openConsole({ view: 'scenarios', pets, faults: [{ operation: '*', status: 503, rate: 0.5 }] })
    await ask('/pets')
    await page.getByRole('textbox', { name: 'Name' }).fill('My world / 1')
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as file' }).click()])
    expect(download.suggestedFilename()).toBe('My-world-1.json')
    const text = await readFile(await download.path(), 'utf8')
    const state = mock.control.state()
    expect(parseJson(text)).toEqual(parseJson(toJson({ ...state, name: 'My world / 1' })))
    const other = createMock({ scenario: parseJson(text) as unknown as Scenario })
    expect(other.control.state()).toEqual({ ...state, name: 'My world / 1' })
  })

  it.each([
    ['zoo.json', '{"pets":[{"id":9007199254740993,"name":"From JSON","categoryId":1}]}'],
    ['zoo.yaml', 'extends: single\npets:\n  - { id: 9007199254740993, name: From YAML, categoryId: 1 }\n'],
    ['zoo.yml', 'generate: { count: 3, seed: 7 }\n'],
  ])('are loaded from %s by dropping it on the page, wherever one is', async (file, text) => {
    const { page, mock } = await openConsole({ view: 'traffic' })
    await drop(page, file, text)
    await expectPage(page.getByText(/^Loaded zoo \(\d animals?\)$/)).toBeVisible()
    await expectPage(page.getByRole('heading', { level: 1 })).toHaveText('Scenarios')
    expect(mock.control.summary().scenario).toBe('zoo')
    if (text.includes('9007199254740993')) expect(mock.control.state().pets?.[0]?.id).toBe(9007199254740993n)
  })

  it('are loaded from a file that is chosen', async () => {
    const { page, mock } = await openConsole({ view: 'scenarios' })
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Choose a file…' }).click()])
    await chooser.setFiles({ name: 'none.json', mimeType: 'application/json', buffer: Buffer.from('{"pets":[]}') })
    await expectPage(page.getByText('Loaded none (0 animals)')).toBeVisible()
    expect(mock.control.summary().pets).toBe(0)
  })

  it.each<[file: string, text: string | Buffer, problems: readonly string[]]>([
    [
      'bad.yaml',
      'name: bad\npets:\n  - { id: 1, name: Rex, categoryId: 1, status: gone }\n  - { id: 1 }\nfaults:\n  - { operation: nope }\n',
      [
        'bad.yaml:3 pets[0].status: expected available, pending or sold, got "gone"',
        'bad.yaml:4 pets[1].name is required',
        'bad.yaml:4 pets[1].categoryId is required',
        'bad.yaml:4 pets[1].id: duplicate id 1 (also pets[0])',
        'bad.yaml:6 faults[0].operation: expected listPets, createPet, getPet or *, got "nope"',
        'bad.yaml:6 faults[0]: expected a status, a delay or drop: true, got none of them',
      ],
    ],
    ['bad.json', '{"pets": [', ['bad.json: unexpected end at line 1, column 11']],
    ['beside.yaml', 'extends: ./other.yaml\n', ['beside.yaml:1 extends: expected the name of a shipped scenario, got "./other.yaml"']],
    ['photo.json', Buffer.from([0xff, 0xd8, 0xff]), ['photo.json: expected a file of UTF-8 text']],
  ])('say what is wrong with %s, and change nothing', async (file, text, problems) => {
    const { page, mock } = await openConsole({ view: 'scenarios', pets: animals })
    const before = mock.control.state()
    await page.getByLabel('Scenario file').setInputFiles({ name: file, mimeType: 'text/plain', buffer: Buffer.from(text) })
    const alert = page.getByRole('alert')
    await expectPage(alert.getByRole('listitem')).toHaveText([...problems])
    await expectPage(alert).toContainText(`${file} was not loaded; nothing changed`)
    expect(mock.control.state()).toEqual(before)
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    await expectPage(alert).toBeHidden()
  })
})
