// Any web page can send requests to a mock on the same machine and so write into its journal. What it planted must still be data
// when a developer copies it as a command and pastes that into a shell.
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright'
import { describe, expect, it, onTestFinished } from 'vitest'
import { expectPage, openConsole, readClipboard, useBrowser } from './open-console.ts'

useBrowser()

const run = promisify(execFile)
const KEY = 'somebody-elses-key'

/** Paths and bodies that get out of careless quotes, each of which would make a file. */
const PAYLOADS: readonly string[] = [
  "'; touch hacked; '",
  "'\\''; touch hacked; '\\''",
  '"; touch hacked; "',
  '$(touch hacked)',
  '`touch hacked`',
  "\\'; touch hacked; \\'",
  "x\u001b'; touch hacked; '",
  "\u0085'; touch hacked #",
  "\t\n'; touch hacked; '\n touch hacked\n",
  "$'\\x27; touch hacked; '",
  '| touch hacked &',
  '%b\\0047; touch hacked; \\0047',
  '\\c',
  '-o hacked',
  '@/etc/passwd',
  '\0',
]

/** A folder in which the only curl is one that notes what it is given. */
function makeTrap() {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const curl = join(folder, 'curl')
  writeFileSync(
    curl,
    `#!/bin/sh\nfor word; do printf '%s\\0' "$word"; done >"$TRAP/words"\ncase "$*" in *'--data-binary @-') cat >"$TRAP/body";; esac\n`,
  )
  chmodSync(curl, 0o755)
  return {
    async paste(shell: string, command: string) {
      for (const file of ['words', 'body']) rmSync(join(folder, file), { force: true })
      // bash takes a socket on its standard input for a remote login; a person's is a terminal.
      const job = run(shell, ['-c', command], { cwd: folder, env: { PATH: `${folder}:/usr/bin:/bin`, TRAP: folder, LC_ALL: 'C.UTF-8' } })
      job.child.stdin?.end()
      await job
      const made = readdirSync(folder).toSorted()
      const words = readFileSync(join(folder, 'words'), 'utf8').split('\0').slice(0, -1)
      const body = made.includes('body') ? readFileSync(join(folder, 'body'), 'utf8') : words[words.indexOf('--data-raw') + 1]
      return { made, words, body: words.some((word) => word.startsWith('--data')) ? body : undefined }
    },
  }
}

/** Sends a request as a page on the same machine can. */
async function plant(page: Page, url: string, body: string): Promise<void> {
  await page.evaluate(
    async ([to, text]) => {
      await fetch(to, {
        method: 'POST',
        headers: { authorization: 'Bearer of-the-page', 'content-type': "a/b; x='$(touch hacked)'" },
        body: text,
      })
    },
    [url, body] as const,
  )
}

describe.each(['dash', 'bash'])('pasted into %s', (shell) => {
  it('a command runs curl alone, with what was sent', async () => {
    const { page, origin, mock } = await openConsole({ pets: [], view: 'traffic' })
    const trap = makeTrap()
    const hostile = await page.context().newPage()
    await hostile.goto(`${origin}/v1/hostile`)
    for (const [index, payload] of PAYLOADS.entries()) {
      await plant(
        hostile,
        `${origin}/v1/pets?n=${index}&${encodeURI(payload).replaceAll('%20', '+')}${payload.replaceAll(/[^!-~]|#/g, '')}`,
        payload,
      )
      await page.bringToFront()
      await page
        .getByRole('row')
        .filter({ hasText: `?n=${index}&` })
        .locator('.open')
        .click()
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      await expectPage(page.getByRole('dialog').getByText('Copied', { exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      const entry = mock.control.requests({ method: 'POST' }).at(-1)
      expect(entry?.request.body).toBe(payload)
      const { made, words, body } = await trap.paste(shell, await readClipboard(page))
      expect({ payload, made: made.filter((file) => file !== 'words' && file !== 'body') }).toEqual({ payload, made: ['curl'] })
      expect({ payload, body }).toEqual({ payload, body: entry?.request.body })
      expect(words).toContain(origin + entry?.target)
    }
  })
})

describe('a request in absolute form', () => {
  it('is copied for this mock, without the host that it named and without a key that it did not bring', async () => {
    const { page, origin, mock } = await openConsole({ pets: [], view: 'traffic', apiKeys: [KEY] })
    const { hostname, port } = new URL(origin)
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.end(
          `GET http://localhost/v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x${KEY.slice(-4)}\r\nConnection: close\r\n\r\n`,
        )
      })
      socket.on('data', () => {}).on('close', () => resolve())
      socket.on('error', reject)
    })
    expect(mock.control.requests()).toMatchObject([{ target: 'http://localhost/v1/pets', status: 401, key: `…${KEY.slice(-4)}` }])
    await page.locator('.traffic .open').click()
    for (const [shell, command] of [
      ['sh', `curl -i '${origin}/v1/pets' -H 'authorization: Bearer <INVALID_KEY>'`],
      ['cmd', `curl.exe -i ^"${origin.replace(/[:/.]/g, '^$&')}^/v1^/pets^" -H ^"authorization^: Bearer ^<INVALID^_KEY^>^"`],
      [
        'powershell',
        `Invoke-WebRequest -UseBasicParsing -Uri '${origin}/v1/pets' -Method 'GET' -Headers @{ 'authorization' = 'Bearer <INVALID_KEY>' }`,
      ],
    ] as const) {
      await page.getByRole('dialog').getByLabel('Copy as', { exact: true }).selectOption(shell)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Copy as/ })
        .click()
      await expectPage.poll(() => readClipboard(page)).toBe(command)
    }
  })
})

describe('a refused key', () => {
  it.each([
    ['refused', { key: `not-${KEY}` }],
    ['reserved', { key: 'invalid' }],
    ['missing', { headers: { authorization: '' } }],
  ])('that was %s is refused again by the copied command', async (_, init) => {
    const { page, mock, ask } = await openConsole({ pets: [], view: 'traffic', apiKeys: [KEY] })
    await ask('/pets', init)
    await page.locator('.traffic .open').click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await expectPage(page.getByRole('dialog').getByText('Copied', { exact: true })).toBeVisible()
    await run('sh', ['-c', await readClipboard(page)])
    const [first, again] = mock.control.requests()
    expect(again?.status).toBe(401)
    expect(again?.response.body).toContain('Unauthorized')
    expect(again?.response.headers['WWW-Authenticate']).toBe(first?.response.headers['WWW-Authenticate'])
  })
})
