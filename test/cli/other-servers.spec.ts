// Commands that talk to a running mock, against servers that are not one: one line on stderr, exit
// code 2, nothing written.
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFolder, start } from '../support/cli-process.ts'
import { listen } from '../support/listen.ts'
import { runHere } from '../support/run-here.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
/** What a server sends that claims to be the mock. */
const CLAIM = { ...JSON_TYPE, 'x-mock': 'animal-store-mock/9.9.9' }
/** Escape sequences and a mark that turns text around. */
const EVIL = '\u001b[2J\u009b31m\u202e\r\n'

const send = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = JSON_TYPE,
): RequestListener => {
  return (request, response) => {
    request.resume()
    response.writeHead(status, headers).end(body)
  }
}

it.each<[title: string, listener: RequestListener]>([
  ['sends other fields', send(200, '{"status":"up","now":1,"pets":"many","id":[]}')],
  ['sends an invalid state', send(200, '{"pets":[{}]}')],
  [
    'sends an HTML page',
    send(200, '<!doctype html><title>Hello</title>', { 'content-type': 'text/html' }),
  ],
  ['sends a million nested lists', send(200, '['.repeat(1_000_000))],
  [
    'redirects to itself',
    (request, response) => response.writeHead(307, { location: request.url ?? '/' }).end(),
  ],
  ['requires another login', send(401, 'no', { 'www-authenticate': 'Basic' })],
  ['hangs up', (request) => request.socket.destroy()],
  ['claims to be the mock but sends HTML', send(200, '<html>', CLAIM)],
])(
  'a snapshot from a server that %s is refused, and the old file stays',
  async (_title, listener) => {
    const file = join(createFolder(), 'world.yaml')
    writeFileSync(file, 'name: precious\n')
    const { code, stdout, stderr } = await runHere([
      'snapshot',
      '-o',
      file,
      '--url',
      await listen(listener),
    ])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^animal-store-mock: [^\n]*127\.0\.0\.1:\d+[^\n]*\n$/)
    expect(readFileSync(file, 'utf8')).toBe('name: precious\n')
  },
)

it.each(['status', 'requests', 'requests --format har', 'clock'])(
  'a hostile server cannot harm the terminal through %s',
  async (line) => {
    const message = { headers: { host: EVIL }, body: EVIL }
    const row = {
      ...{
        id: 1,
        at: EVIL,
        realAt: EVIL,
        method: EVIL,
        target: EVIL,
        operation: EVIL,
        status: 200,
        outcome: EVIL,
        durationMs: 1,
        key: EVIL,
      },
      ...{
        error: EVIL,
        assumptions: [EVIL],
        faults: [EVIL],
        surprises: [EVIL],
        notes: [EVIL],
        request: message,
        response: message,
      },
    }
    const answers: Readonly<Record<string, unknown>> = {
      health: { version: EVIL, scenario: EVIL, pets: 1, byStatus: {} },
      state: { name: EVIL, pets: [], now: EVIL, assume: { [EVIL]: EVIL } },
      requests: [row],
      timeline: [row],
      clock: { now: EVIL, frozen: true },
      assumptions: [{ id: EVIL, question: EVIL, choice: EVIL, default: '' }],
      faults: [],
    }
    const url = await listen((request, response) => {
      const name = /__mock\/(\w+)/.exec(request.url ?? '')?.[1] ?? ''
      response.writeHead(200, CLAIM).end(JSON.stringify(answers[name]))
    })
    const { stdout, stderr } = await runHere([...line.split(' '), '--url', url])
    expect(stdout + stderr).not.toMatch(/[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}]/u)
  },
)

it.runIf(existsSync('/dev/full')).each(['--help', 'generate --count 20000'])(
  'a full disk is reported in one line by %s, with exit code 2',
  async (line) => {
    const { ended } = start(line.split(' '), { stdout: openSync('/dev/full', 'w') })
    expect(await ended).toMatchObject({
      code: 2,
      stderr: 'animal-store-mock: stdout: cannot be written (ENOSPC)\n',
    })
  },
)
