// What a person does with a request that they see in the traffic: send it again, change it, copy it, make it fail, keep its situation.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { expectPage, openConsole, readClipboard, toSent, useBrowser } from './open-console.ts'

useBrowser()

const rows = '.traffic tbody tr'
const json = { 'content-type': 'application/json' }

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What Vitest reports of a test file in a project that has this package, as it was built. */
async function runAsTest(text: string): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'copied-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules/animal-store-mock'))
  await symlink(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
  await writeFile(join(folder, 'copied.test.js'), text)
  const { VITEST: _, ...env } = process.env
  const args = ['run', '--root', folder, '--reporter', 'json']
  // A failed run has a report too.
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: folder,
    env,
  }).catch((error) => error as { stdout: string })
  return JSON.parse(stdout)
}

describe('a request of the traffic', () => {
  it('is sent again as it was, also one that was refused', async () => {
    const { page, mock, create, ask } = await openConsole({ pets: [], view: 'traffic' })
    await create('{"name":"Bella","categoryId":9223372036854775807}', 'first-key')
    await ask('/pets?limit=2', { key: 'invalid' })
    await expectPage(page.locator(rows)).toHaveCount(2)
    await page.locator(`${rows} .open`).last().click()
    await page.getByRole('button', { name: 'Send again' }).click()
    await expectPage(page.getByText('Sent again; the response is 201')).toBeVisible()
    await expectPage(page.locator(rows)).toHaveCount(3)
    await page.locator(`${rows} .open`).nth(1).click()
    await page.getByRole('button', { name: 'Send again' }).click()
    await expectPage(page.getByText('Sent again; the response is 401')).toBeVisible()
    const [first, second, third, fourth] = mock.control.requests()
    // The first key is not known whole, so the page sends its own; the refused one is replaced by what no key can be.
    expect(toSent(third)).toEqual({ ...toSent(first), key: '…-key' })
    expect(toSent(fourth)).toEqual({ ...toSent(second), key: null })
  })

  it('is changed and sent, and the response is shown beside it', async () => {
    const { page, mock, ask } = await openConsole({ pets: [], view: 'traffic' })
    await ask('/pets', { method: 'POST', headers: json, body: '{"name":5}' })
    await page.locator(`${rows} .open`).click()
    await page.getByRole('button', { name: 'Edit and send' }).click()
    const form = page.getByRole('form', { name: 'Edit and send' })
    await expectPage(form.getByLabel('Path and query')).toBeFocused()
    await form.getByLabel('Path and query').fill('/v1/pets?x=1')
    await form.getByLabel('Headers').fill('authorization: Bearer my-own\ncontent-type: application/json\nprefer: delay=1')
    await form.getByLabel('Body', { exact: true }).fill('{"name":"Rex","categoryId":9007199254740993}')
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await expectPage(form.getByLabel('Response body')).toContainText('"categoryId": 9007199254740993')
    expect(mock.control.requests().at(-1)).toMatchObject({ target: '/v1/pets?x=1', key: '…-own', status: 201, faults: ['Prefer'] })
  })

  it('says where its body is cut, before that is copied or sent', async () => {
    const { page, create } = await openConsole({ pets: [], view: 'traffic' })
    await create(JSON.stringify({ name: 'x'.repeat(20_000), categoryId: 1 }))
    await page.locator('.traffic .open').click()
    const dialog = page.getByRole('dialog')
    const note = 'The body was longer: the journal keeps its beginning, and only that is copied and sent.'
    await expectPage(dialog.locator('.message p').first()).toHaveText(note)
    await dialog.getByRole('button', { name: 'Edit and send' }).click()
    await expectPage(dialog.getByRole('form', { name: 'Edit and send' })).toContainText(note)
    await dialog.getByRole('button', { name: /^Copy as/ }).click()
    await expectPage(page.locator('.toast')).toContainText(`Copied. ${note}`)
  })

  it('never goes to another host, whatever its target names', async () => {
    const { page, mock, origin } = await openConsole({ pets: [], view: 'traffic' })
    mock.answer({ method: 'GET', target: 'http://example.com//evil.example/v1', header: () => 'Bearer k', body: undefined })
    await page.locator(`${rows} .open`).click()
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().includes('evil')),
      page.getByRole('button', { name: 'Send again' }).click(),
    ])
    expect(request.url()).toBe(`${origin}//evil.example/v1`)
  })

  it('lets its operation fail, until that is undone', async () => {
    const { page, mock, ask } = await openConsole({ view: 'traffic' })
    await ask('/pets/1')
    await page.locator(`${rows} .open`).click()
    await page.getByRole('button', { name: 'Fail getPet' }).click()
    await expectPage(page.getByText('getPet now responds 503')).toBeVisible()
    expect((await ask('/pets/1'))?.status).toBe(503)
    expect((await ask('/pets'))?.status).toBe(200)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectPage.poll(() => mock.control.faults.list()).toEqual([])
  })

  it('becomes a scenario in which it fares the same again', async () => {
    const { page, mock, create } = await openConsole({ pets: [], view: 'traffic' })
    await create('{"name":"Bella","categoryId":9223372036854775807}')
    const { id } = mock.control.faults.add({ operation: 'createPet', status: 503 })
    await create('{"name":"Rex","categoryId":1}')
    mock.control.faults.remove(id)
    await expectPage(page.locator(rows)).toHaveCount(2)
    await page.locator(`${rows} .open`).first().click()
    await page.getByRole('button', { name: 'Make a scenario' }).click()
    const text = page.getByLabel('Text of the scenario')
    await expectPage(text).toHaveValue(/name: createPet-503\ndescription: "POST \/v1\/pets gets 503"/)
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await expectPage(page.getByText('Loaded createPet-503 (1 animal)')).toBeVisible()
    expect(mock.control.state().pets).toEqual([{ id: 1, name: 'Bella', categoryId: 9223372036854775807n }])
    expect((await create('{"name":"Rex","categoryId":1}'))?.status).toBe(503)
  })

  it('becomes a scenario in which it fares the same again, though its fault is used up', async () => {
    const { page, mock, create } = await openConsole({ pets: [], view: 'traffic' })
    mock.control.faults.add({ operation: 'createPet', status: 503, times: 1, after: 1 })
    for (const name of ['First', 'Lost', 'Third']) await create(`{"name":"${name}","categoryId":1}`)
    await expectPage(page.locator(`${rows} .at-status`)).toHaveText(['201', '503', '201'])
    await page.locator(`${rows} .open`).nth(1).click()
    await page.getByRole('button', { name: 'Make a scenario' }).click()
    const check = page.getByRole('status', { name: 'Check' })
    await expectPage(check.getByRole('listitem').first()).toHaveText('createPet responds 503, once')
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await expectPage(page.getByText('Loaded createPet-503 (2 animals)')).toBeVisible()
    expect((await create('{"name":"Lost","categoryId":1}'))?.status).toBe(503)
    expect((await create('{"name":"Fourth","categoryId":1}'))?.status).toBe(201)
  })

  it('is copied as code that sends the same, and as a test', async () => {
    const { page, mock, origin, create } = await openConsole({ pets: [], view: 'traffic', apiKeys: ['only-key'] })
    const body = `{"name":"it's \\"\u202e\\\\ \u0024{1}","categoryId":9223372036854775807}`
    await create(body, 'only-key')
    await page.locator(`${rows} .open`).click()
    const dialog = page.getByRole('dialog')
    const copy = async (form: string) => {
      await dialog.getByLabel('Copy as', { exact: true }).selectOption(form)
      await dialog.getByRole('button', { name: /^Copy as/ }).click()
      await expectPage(dialog.getByText('Copied', { exact: true })).toBeVisible()
      return readClipboard(page)
    }
    const code = await copy('fetch')
    const AsyncFunction = (async () => {}).constructor as new (code: string) => () => Promise<unknown>
    await new AsyncFunction(code)()
    const [first, again] = mock.control.requests()
    expect(toSent(again)).toEqual(toSent(first))
    expect(await copy('axios')).toContain(`url: '${origin}/v1/pets'`)
    const test = await copy('test')
    expect(test).toContain("import { mockStore } from 'animal-store-mock/vitest'")
    expect(test).toContain("authorization: 'Bearer test-key'")
    expect(test).toContain('categoryId: 9223372036854775807n }, status: 201, times: 1 })')
    expect(test).not.toContain('only-key')
  })

  it('is copied as a test that passes as it is, also if its fault is used up', async () => {
    const { page, mock, create } = await openConsole({ pets: [], view: 'traffic' })
    mock.control.faults.add({ operation: 'createPet', status: 503, times: 1, after: 1, retryAfter: 1 })
    for (const name of ['First', 'Lost']) await create(`{"name":"${name}","categoryId":9223372036854775807}`)
    await page.locator(`${rows} .open`).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Copy as', { exact: true }).selectOption('test')
    await dialog.getByRole('button', { name: 'Copy as test' }).click()
    await expectPage(dialog.getByText('Copied', { exact: true })).toBeVisible()
    expect(await runAsTest(await readClipboard(page))).toMatchObject({ numPassedTests: 1, numTotalTests: 1 })
  })

  it('is exported as HAR with the sandbox that it was in', async () => {
    const { page, ask } = await openConsole({ pets: [], view: 'traffic', sandbox: true })
    for (const key of ['alpha-key', 'gamma-key', 'invalid']) await ask('/pets', { key })
    await expectPage(page.locator(rows)).toHaveCount(3)
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export HAR' }).click()])
    const { log } = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(log.entries.map((entry: { _sandbox?: string }) => entry._sandbox)).toEqual(['alpha-key', 'gamma-key', undefined])
  })

  it('is exported as HAR with those that the filter shows, without whole keys', async () => {
    const { page, ask, create } = await openConsole({ pets: [], view: 'traffic' })
    await create('{"name":"Bella","categoryId":9223372036854775807}', 'a-long-secret-1234')
    await ask('/pets')
    await expectPage(page.locator(rows)).toHaveCount(2)
    await page.getByLabel('Operation').selectOption('createPet')
    await expectPage(page.locator(rows)).toHaveCount(1)
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export HAR' }).click()])
    expect(download.suggestedFilename()).toBe('traffic.har')
    const text = await readFile(await download.path(), 'utf8')
    expect(text).not.toContain('a-long-secret-1234')
    expect(JSON.parse(text)).toMatchObject({
      log: {
        version: '1.2',
        entries: [
          {
            request: { method: 'POST', postData: { text: '{"name":"Bella","categoryId":9223372036854775807}' } },
            response: { status: 201 },
          },
        ],
      },
    })
  })
})
