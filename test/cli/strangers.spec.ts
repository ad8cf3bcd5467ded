// Every command that talks to a running mock, against servers that are none: one line on stderr, exit code 2, nothing written.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolder, runCli } from '../support/cli-process.ts'
import { fullDisk } from '../support/full-disk.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
/** What a server sends that claims to be the mock. */
const CLAIM = { ...JSON_TYPE, 'x-mock': 'animal-store-mock/9.9.9' }
const STRANGER = /^animal-store-mock: The server at http:\/\/127\.0\.0\.1:\d+ is not animal-store-mock[^\n]*\n$/
const SILENT = /^animal-store-mock: No mock responds at http:\/\/127\.0\.0\.1:\d+: [^\n]*\n$/
const EITHER = /^animal-store-mock: (?:The server at|No mock responds at) [^\n]*\n$/

const COMMANDS = [
  'seed empty',
  'reset',
  'snapshot',
  'snapshot -o world.yaml',
  'snapshot -o world.json',
  'requests',
  'requests --follow',
  'clock',
  'clock set 2030-12-06',
  'status',
  'status --json',
]

const send = (status: number, body: string, headers: Readonly<Record<string, string>> = JSON_TYPE): RequestListener => {
  return (request, response) => {
    request.resume()
    response.writeHead(status, headers).end(body)
  }
}

const STRANGERS: readonly (readonly [title: string, listener: RequestListener, told: RegExp])[] = [
  ['sends {}', send(200, '{}'), STRANGER],
  ['sends null', send(200, 'null'), STRANGER],
  ['sends [null]', send(200, '[null]'), STRANGER],
  ['sends other fields', send(200, '{"status":"up","now":1,"pets":"many","id":[]}'), STRANGER],
  ['sends no JSON', send(200, '{"pets":[{"id":'), STRANGER],
  ['sends nesting without end', send(200, '['.repeat(1_000_000)), STRANGER],
  ['sends a page', send(200, '<!doctype html><title>Hello</title>', { 'content-type': 'text/html' }), STRANGER],
  ['sends bytes that are no text', send(200, '\u00ff\u0000'), STRANGER],
  ['sends an empty 200', send(200, ''), STRANGER],
  ['redirects', send(302, '', { location: 'https://example.com/' }), STRANGER],
  ['redirects to itself', (request, response) => response.writeHead(307, { location: request.url ?? '/' }).end(), STRANGER],
  ['has no such path', send(404, '{"error":"not found"}'), STRANGER],
  ['fails', send(500, 'Internal Server Error', { 'content-type': 'text/plain' }), STRANGER],
  ['asks for another login', send(401, 'no', { 'www-authenticate': 'Basic' }), STRANGER],
  [
    'stalls in the body',
    (_request, response) => void response.writeHead(200, { ...JSON_TYPE, 'content-length': '99' }).write('{"pets":'),
    EITHER,
  ],
  ['hangs up at once', (request) => request.socket.destroy(), SILENT],
  ['is cut off in the body', cutInBody, EITHER],
  ['never stops sending', pour, EITHER],
  ['claims to be the mock, and sends no JSON', send(200, '<html>', CLAIM), SILENT],
  ['claims to be the mock, and is cut off', (request, response) => cutInBody(request, response, CLAIM), SILENT],
]

function cutInBody(request: Parameters<RequestListener>[0], response: Parameters<RequestListener>[1], fields = JSON_TYPE): void {
  response.writeHead(200, { ...fields, 'content-length': '99' }).write('{"pets":', () => request.socket.destroy())
}

function pour(_request: Parameters<RequestListener>[0], response: Parameters<RequestListener>[1]): void {
  const chunk = Buffer.alloc(2 ** 20, 0x20)
  response.writeHead(200, JSON_TYPE)
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more).on('error', () => {})
  more()
}

async function start(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Runs the commands; each fails with one such line, and writes nothing. */
async function expectRefusals(url: string, commands: readonly string[], told: RegExp): Promise<void> {
  const cwd = createFolder()
  const outcomes = await Promise.all(commands.map((line) => runCli([...line.split(' '), '--url', url], { cwd })))
  for (const { code, stdout, stderr } of outcomes) {
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(told)
  }
  expect(readdirSync(cwd)).toEqual([])
}

it.each(STRANGERS)('a server that %s gets one line, and nothing is written', async (_title, listener, told) => {
  await expectRefusals(await start(listener), ['status', 'snapshot -o world.yaml'], told)
})

it('every command says so of a server that sends other fields', async () => {
  await expectRefusals(await start(send(200, '{"status":"up","now":1,"pets":"many","id":[]}')), COMMANDS, STRANGER)
})

describe('what is no HTTP', () => {
  it.each(['SSH-2.0-OpenSSH_9.2\r\n', '\u0000\u0001\u0002', 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'])(
    '%j is told in one line',
    async (greeting) => {
      const sockets = new Set<Socket>()
      const server = createTcpServer((socket) => {
        sockets.add(socket)
        socket.on('error', () => {}).write(greeting)
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const { code, stdout, stderr } = await runCli(['status', '--url', url])
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(SILENT)])
    },
  )
})

describe('a snapshot', () => {
  it.each([
    '{"pets":[]}'.replace('[]', '[{}]'),
    '{"pets":[{"id":1,"name":"Rex","categoryId":1},{"id":1,"name":"Tom","categoryId":1}]}',
    '{"pets":[],"users":[]}',
  ])('of %s is not written over a file', async (state) => {
    const file = join(createFolder(), 'real.yaml')
    writeFileSync(file, 'name: precious\n')
    const url = await start(send(200, state))
    const { code, stdout, stderr } = await runCli(['snapshot', '-o', file, '--url', url])
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(STRANGER)])
    expect(readFileSync(file, 'utf8')).toBe('name: precious\n')
  })
})

describe('a hostile server', () => {
  const EVIL = '\u001b[2J\u009b31m\u202e\r\n'
  const health = { version: EVIL, scenario: EVIL, pets: 1, byStatus: {} }
  const at = `2030-12-06T${EVIL}`
  const message = { headers: { host: EVIL }, body: EVIL }
  const entry = {
    ...{ id: EVIL, at, realAt: at, method: EVIL, target: EVIL, operation: EVIL, status: 200, outcome: EVIL, durationMs: 1, key: EVIL },
    ...{ error: EVIL, assumptions: [EVIL], faults: [EVIL], surprises: [EVIL], notes: [EVIL], request: message, response: message },
  }
  const change = { type: 'change', id: EVIL, at, realAt: at, sandbox: null, method: EVIL, changed: [EVIL], text: EVIL, undoes: null }
  const faults = [{ id: EVIL, operation: EVIL, status: EVIL, delay: 1, seen: 1, applied: 1 }]
  const answers: Readonly<Record<string, unknown>> = {
    health,
    reset: health,
    scenario: health,
    state: { name: EVIL, description: EVIL, pets: [{ id: 1, name: EVIL, categoryId: 1 }], now: EVIL, assume: { [EVIL]: EVIL }, faults },
    requests: [entry],
    timeline: [{ type: 'request', ...entry }, change],
    undo: change,
    rewind: change,
    clock: { now: EVIL, frozen: true },
    assumptions: [{ id: EVIL, question: EVIL, choice: EVIL, default: '' }],
    faults,
  }
  const listener: RequestListener = (request, response) => {
    const name = /__mock\/(\w+)/.exec(request.url ?? '')?.[1] ?? ''
    response.writeHead(200, CLAIM).end(JSON.stringify(answers[name]))
  }
  const refusal: RequestListener = send(400, JSON.stringify({ code: EVIL, message: EVIL, status: 400 }), CLAIM)

  it.each([...COMMANDS.filter((line) => !/-o|--follow/.test(line)), 'requests --json', 'requests --har'])(
    'cannot harm the terminal through %s',
    async (line) => {
      const [used, refused] = await Promise.all(
        [listener, refusal].map(async (one) => runCli([...line.split(' '), '--url', await start(one)])),
      )
      expect(used).toEqual({ code: 0, stdout: expect.not.stringMatching(/^$/), stderr: '' })
      expect(refused).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(/^(?:animal-store-mock: [^\n]*\n)+$/) })
      expect(used?.stdout + (refused?.stderr as string)).not.toMatch(/[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}]/u)
    },
  )
})

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  it.each([
    '--help',
    '--version',
    'generate --count 5',
    'generate --count 20000',
    'scenarios',
    'scenarios show crowded --format yaml',
    'assume --why',
    'snapshot',
    'status --json',
    'requests',
  ])('is told in one line by %s, with an exit code of its own', async (line) => {
    expect(await fullDisk(line.split(' '))).toEqual({ code: 2, stderr: 'animal-store-mock: stdout: cannot be written (ENOSPC)\n' })
  })
})
