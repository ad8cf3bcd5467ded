import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Download, Locator, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { parseJson, toJson } from '../../src/contract/int64-json.ts'
import { loadScenario } from '../../src/hosts/node/index.ts'
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

/** Under the name that it was saved as. */
async function saveAs(download: Download, name: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'scenario-')), name)
  await download.saveAs(file)
  return file
}

/** The contrast of a text and its background (WCAG 2). */
function contrastOf(element: Locator): Promise<number> {
  return element.evaluate((node) => {
    const { color, backgroundColor } = getComputedStyle(node)
    const toLuminance = (text: string) => {
      const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map((part) => {
        const value = Number(part) / 255
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const [dark = 0, light = 0] = [color, backgroundColor].map(toLuminance).sort((left, right) => left - right)
    return (light + 0.05) / (dark + 0.05)
  })
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

  it('can be loaded', async () => {
    const { page, mock, go } = await openConsole({ view: 'scenarios' })
    await page.getByRole('button', { name: 'Load sold-out' }).click()
    await expectPage(page.getByText(/^Loaded sold-out \(\d+ animals\)$/)).toBeVisible()
    expect(mock.control.summary().scenario).toBe('sold-out')
    await go('Animals')
    await expectPage(page.locator('.animals .at-status').nth(1)).toHaveText('○ sold')
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
    await page.getByLabel('Format').selectOption('JSON')
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
    await page.getByLabel('Scenario file', { exact: true }).setInputFiles({ name: file, mimeType: 'text/plain', buffer: Buffer.from(text) })
    const alert = page.getByRole('alert')
    await expectPage(alert.getByRole('listitem')).toHaveText([...problems])
    await expectPage(alert).toContainText(`${file} was not loaded; nothing changed`)
    expect(mock.control.state()).toEqual(before)
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    await expectPage(alert).toBeHidden()
  })

  it('show what they hold before they are loaded', async () => {
    const { page, mock } = await openConsole({ view: 'scenarios' })
    await page.getByRole('button', { name: 'Preview flaky' }).click()
    const dialog = page.getByRole('dialog')
    await expectPage(dialog).toContainText(/50: \d+ available, \d+ pending, \d+ sold, \d+ without a status/)
    await expectPage(dialog).toContainText(/Every operation .*503/)
    await expectPage(dialog.locator('.preview-pets li')).toHaveCount(8)
    expect(page.url()).toContain('#/scenarios/flaky')
    expect(mock.control.summary().scenario).toBe('default')
    await dialog.getByRole('button', { name: 'Load' }).click()
    await expectPage(page.getByText('Loaded flaky (50 animals)')).toBeVisible()
    await expectPage(dialog).toBeHidden()
  })

  it('are edited as text, with each problem at its line, and change nothing until they are loaded', async () => {
    const { page, mock } = await openConsole({ view: 'scenarios', pets: animals })
    await page.getByRole('button', { name: 'Edit as text' }).click()
    const text = page.getByLabel('Text of the scenario')
    await expectPage(text).toBeFocused()
    await expectPage(text).toHaveValue(/^name: default\n/)
    await page.getByLabel('File name').fill('mine.yaml')
    await text.fill('pets:\n  - { id: 1, name: Rex, categoryId: 1 }\n  - { id: 1, name: Bo, categoryId: no }\n')
    const check = page.getByRole('status', { name: 'Check' })
    await expectPage(check.getByRole('listitem')).toHaveText([
      'mine.yaml:3 pets[1].categoryId: expected a 64-bit integer, got "no"',
      'mine.yaml:3 pets[1].id: duplicate id 1 (also pets[0])',
    ])
    await expectPage(page.locator('.bad-line')).toHaveText('3')
    const load = page.getByRole('button', { name: 'Load', exact: true })
    await expectPage(load).toBeDisabled()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await contrastOf(load), colorScheme).toBeGreaterThan(4.5)
    }
    await check.getByRole('button').first().click()
    expect(await text.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))).toBe(
      '  - { id: 1, name: Bo, categoryId: no }',
    )
    await page.keyboard.type('  - { id: 2, name: Bo, categoryId: 9007199254740993, status: sold }')
    await expectPage(check).toContainText('2: 1 sold, 1 without a status')
    expect(mock.control.state().pets).toEqual(animals)
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as file' }).click()])
    expect(download.suggestedFilename()).toBe('mine.yaml')
    expect(await readFile(await download.path(), 'utf8')).toBe(await text.inputValue())
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await expectPage(page.getByText('Loaded mine (2 animals)')).toBeVisible()
    expect(mock.control.state().pets?.[1]).toEqual({ id: 2, name: 'Bo', categoryId: 9007199254740993n, status: 'sold' })
  })

  it('are corrected on the spot if a file is invalid, or looked at before anything is loaded', async () => {
    const { page, mock } = await openConsole({ view: 'scenarios', pets: animals })
    await drop(page, 'bad.yaml', 'pets: 5\n')
    await page.getByRole('alert').getByRole('button', { name: 'Edit as text' }).click()
    await expectPage(page.getByLabel('Text of the scenario')).toHaveValue('pets: 5\n')
    await expectPage(page.getByRole('status', { name: 'Check' })).toContainText('bad.yaml:1 pets: expected')
    await page.getByLabel('Text of the scenario').fill('pets: 6\n')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage(page.getByLabel('Text of the scenario')).toHaveValue('pets: 6\n')
    await page.getByRole('button', { name: 'Close' }).click()
    const file = { name: 'one.json', mimeType: 'text/plain', buffer: Buffer.from('{"pets":[{"id":1,"name":"Rex","categoryId":1}]}') }
    await page.getByLabel('Scenario file to look at first').setInputFiles(file)
    await expectPage(page.getByRole('status', { name: 'Check' })).toContainText('1: 1 without a status')
    expect(mock.control.state().pets).toEqual(animals)
  })

  it('have the line of a quote that is never closed, in words', async () => {
    const { page } = await openConsole({ view: 'scenarios', pets: animals })
    await page.getByRole('button', { name: 'Edit as text' }).click()
    await page.getByLabel('File name').fill('mine.yaml')
    await page
      .getByLabel('Text of the scenario')
      .fill('name: a\npets:\n  - { id: 1, name: "Rex, categoryId: 1 }\nfrozen: true\nnextId: 7\n')
    await expectPage(page.getByRole('status', { name: 'Check' }).getByRole('listitem')).toHaveText([
      'mine.yaml:3 missing closing quote: "Rex, categoryId: 1 }',
    ])
    await expectPage(page.locator('.bad-line')).toHaveText('3')
  })

  it('are being loaded, and the page says so, as long as that takes', async () => {
    const { page } = await openConsole({ view: 'scenarios' })
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/__mock/scenario', async (route) => {
      await held
      await route.continue()
    })
    await page.getByLabel('Scenario file', { exact: true }).setInputFiles({
      name: 'big.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"pets":[]}'),
    })
    await expectPage(page.getByRole('progressbar', { name: 'Loading big.json…' })).toBeVisible()
    goOn()
    await expectPage(page.locator('.toast')).toHaveText(/^Loaded big \(0 animals\)/)
    await expectPage(page.getByRole('progressbar')).toHaveCount(0)
  })

  it('are being loaded, and the page says so first, where they are large enough to keep it busy', async () => {
    const { page } = await openConsole({ view: 'scenarios' })
    const wasShown: boolean[] = []
    await page.route('**/__mock/scenario', async (route) => {
      wasShown.push(await page.getByRole('progressbar', { name: 'Loading big.json…' }).isVisible())
      await route.continue()
    })
    const buffer = Buffer.from(`{"pets":[]}${' '.repeat(1_100_000)}`)
    await page.getByLabel('Scenario file', { exact: true }).setInputFiles({ name: 'big.json', mimeType: 'application/json', buffer })
    await expectPage(page.locator('.toast')).toHaveText(/^Loaded big \(0 animals\)/)
    expect(wasShown).toEqual([true])
  })

  it('come out in the format that was chosen, with a word where this page cannot load that', async () => {
    const name = 'x'.repeat(60_000)
    const pets = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, name, categoryId: 1 }))
    const { page } = await openConsole({ view: 'scenarios', pets })
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as file' }).click()])
    expect(download.suggestedFilename()).toBe('default.yaml')
    expect(await readFile(await download.path(), 'utf8')).toMatch(/^name: default\n/)
    await expectPage(page.locator('.toast')).toContainText(
      'Saved as default.yaml; it is too large to load on this page: use --scenario or seed, or save it as JSON',
    )
  })

  it('come out as YAML that loads back into the same world', async () => {
    const pets = [{ id: 9223372036854775000n, name: 'no: "one" #1', categoryId: -9223372036854775808n }]
    const { page, mock } = await openConsole({ view: 'scenarios', pets, faults: [{ operation: '*', status: 503, rate: 0.5 }] })
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as file' }).click()])
    expect(download.suggestedFilename()).toBe('default.yaml')
    const state = mock.control.state()
    expect(await loadScenario(await saveAs(download, 'default.yaml'))).toEqual(state)
  })

  it('show how the world differs from the one that is loaded', async () => {
    const { page, mock } = await openConsole({ view: 'scenarios', pets: animals })
    await page.getByRole('button', { name: 'Show changes' }).click()
    const dialog = page.getByRole('dialog')
    await expectPage(dialog).toContainText('Everything is as the scenario has it.')
    mock.control.pets.add({ name: 'Nala', categoryId: 9007199254740993n })
    mock.control.pets.update(1, { status: 'sold' })
    mock.control.pets.remove(2)
    mock.control.faults.add({ operation: 'getPet', status: 503 })
    mock.control.assume({ 'invalid-query': 'clamp' })
    mock.control.latency.set(20)
    mock.control.clock.set('2030-12-06T00:00:00Z')
    await expectPage(dialog.getByRole('listitem')).toHaveText([
      '+ {"id":5,"name":"Nala","categoryId":9007199254740993}',
      '~ 1 status: "available" → "sold"',
      '− {"id":2,"name":"Misty","categoryId":2,"status":"sold"}',
      '+ getPet responds 503',
      '~ invalid-query: reject → clamp',
      '~ 2026-11-15 08:30:00 UTC, frozen → 2030-12-06 00:00:00 UTC, frozen',
      '~ none → 20 ms',
    ])
    expect(page.url()).toContain('#/scenarios/changes')
    await dialog.getByRole('button', { name: 'Reset to default' }).click()
    await expectPage(dialog).toContainText('Everything is as the scenario has it.')
  })
})
