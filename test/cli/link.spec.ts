// Links to recordings on the command line: who prints them, how long they may be, and `open`.
import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { readLink } from '../../src/scenario/recording/link.ts'
import { readRecording } from '../../src/scenario/recording/read.ts'
import { toCall } from '../support/call.ts'
import { startCli } from '../support/cli-process.ts'
import { runHere } from '../support/run-here.ts'

const PLAYER = 'https://player.test/play/'
const REX = { name: 'Rex', categoryId: 1 }

async function serveRows(count: number, options: MockOptions = {}) {
  const mock = createMock(options)
  for (let row = 0; row < count; row++) mock.answer(toCall('POST', '/v1/pets', REX))
  const { url, close } = await serve(mock)
  onTestFinished(close)
  return { mock, url }
}

async function readRows(link: string) {
  const { recording, row } = await readLink(link)
  return { row, ids: readRecording(recording, 'link').rows.map((one) => one.row.id) }
}

it('record --link prints a link with the rows, for the player of the mock, and says what it holds', async () => {
  const { url } = await serveRows(6, { player: PLAYER })
  const command = ['record', '--link', '--last', '2', '--at', '5', '--url', url]
  const { code, stdout, stderr } = await runHere(command)
  expect(code).toBe(0)
  expect(stdout.startsWith(`${PLAYER}#1.`)).toBe(true)
  expect(await readRows(stdout.trim())).toEqual({ row: 5, ids: [5, 6] })
  expect(stderr).toMatch(/2 rows .* no API keys\. Anyone who has the link can read that/)
  const elsewhere = await runHere(command, { env: { ANIMAL_STORE_PLAYER: 'http://127.0.0.1/p' } })
  expect(elsewhere.stdout.startsWith('http://127.0.0.1/p#1.')).toBe(true)
})

it('record --link warns of a link that chats cut', async () => {
  const mock = createMock()
  // Text that cannot be compressed much.
  for (let row = 0; row < 40; row++) {
    const name = Array.from({ length: 200 }, () => Math.random().toString(36).slice(2)).join('')
    mock.answer(toCall('POST', '/v1/pets', { name, categoryId: 1 }))
  }
  const { url, close } = await serve(mock)
  onTestFinished(close)
  const { stdout, stderr } = await runHere(['record', '--link', '--url', url])
  expect(stdout.length).toBeGreaterThan(30_000)
  expect(stderr).toContain('Many chats cut a link of more than 30000 characters')
})

it.each([
  [['record', '--at', '1'], '--at needs --link'],
  [['record', '--link', '-o', 'bug.jsonl'], 'cannot be'],
  [['record', '--rows', '1', '--last', '2'], 'cannot be'],
  [['record', '--rows', 'one'], 'expected ids of rows, such as 12,15-40'],
  [['record', '--player', 'play'], 'expected an address such as https://'],
  [
    ['open', 'https://player.test/play/#1.900.0.eJx'],
    'This link is cut: it has 3 of 900 characters',
  ],
  [['open', 'https://player.test/play/'], 'This is not a link to a recording'],
])('%j is refused with a reason', async (command, reason) => {
  const { code, stderr } = await runHere(command)
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)])
})

it('exec --link shows a link if the command fails, and writes a file if the link is long', async () => {
  const ask = (times: number, code: number) => [
    process.execPath,
    '-e',
    `(async () => {
      for (let row = 0; row < ${times}; row++)
        await fetch(process.env.ANIMAL_STORE_URL + '/pets?limit=' + row + '&' + Math.random())
      process.exitCode = ${code}
    })()`,
  ]
  const run = (...command: string[]) =>
    runHere(['exec', '--link', '--player', PLAYER, '--', ...command])
  expect((await run(...ask(1, 0))).stderr).not.toContain('link')
  const short = await run(...ask(1, 3))
  const [link = ''] = /https:\/\/player\.test\/play\/#\S+/.exec(short.stderr) ?? []
  expect([short.code, await readRows(link)]).toEqual([3, { row: undefined, ids: [1] }])
  const long = await run(...ask(60, 3))
  const [, file = ''] = /wrote (\S+exec\.jsonl)/.exec(long.stderr) ?? []
  expect(long.stderr).not.toContain(PLAYER)
  expect(readRecording(readFileSync(file, 'utf8'), file).rows).toHaveLength(60)
})

it('open starts a mock at the row of a link', async () => {
  const { mock, url } = await serveRows(1, { player: PLAYER })
  mock.control.faults.add({ operation: 'createPet', status: 503, times: 1 })
  for (let row = 0; row < 2; row++) mock.answer(toCall('POST', '/v1/pets', REX))
  const { stdout } = await runHere(['record', '--link', '--at', '3', '--url', url])
  const opened = await startCli(['open', stdout.trim(), '--port', '0'], {}, [])
  const response = await fetch(`${opened.url}/pets`, {
    method: 'POST',
    headers: { authorization: 'Bearer any-key', 'content-type': 'application/json' },
    body: JSON.stringify(REX),
  })
  expect(response.status).toBe(503)
})
