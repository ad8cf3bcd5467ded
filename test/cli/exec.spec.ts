// `exec`: a mock for as long as another command runs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createMock } from '../../src/index.ts'
import { BIN, createFolder, runCli, start } from '../support/cli-process.ts'
import { runHere } from '../support/run-here.ts'

/** A command that runs this script in Node. */
const node = (script: string) => [process.execPath, '--input-type=module', '-e', script]

const ASK = `
  const { ANIMAL_STORE_URL: url } = process.env
  const response = await fetch(url + '/pets', { headers: { authorization: 'Bearer any-key' } })
`
const LIST = `${ASK}; console.log(response.status, (await response.json()).length, new URL(url).pathname)`

it('exec starts a mock with the given flags, and gives its address to the command', async () => {
  const { code, stdout, stderr } = await runCli([
    'exec',
    '--scenario',
    'single',
    '--',
    ...node(LIST),
  ])
  expect([code, stdout]).toEqual([0, '200 1 /v1\n'])
  expect(stderr).toMatch(
    /^animal-store-mock: API http:\/\/127\.0\.0\.1:\d+\/v1, console http:\/\/127\.0\.0\.1:\d+\/__mock\/\n$/,
  )
})

it('exec writes a recording, also when the command fails or is interrupted', async () => {
  const folder = createFolder()
  const file = join(folder, 'new/run.jsonl')
  const record = (...command: string[]) =>
    runHere(['exec', '--sandbox', '--record', file, '--', ...command])
  // `requests` is empty after a reset, but not the recording.
  const reset = `await fetch(new URL('/__mock/reset', process.env.ANIMAL_STORE_URL), { method: 'POST', headers: { 'x-mock-control': '1' } })`
  for (const [end, code] of [
    ['process.exitCode = 3', 3],
    ['process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1e6)', 143],
  ] as const) {
    expect((await record(...node(`${ASK}; ${reset}; ${end}`))).code).toBe(code)
    const { stdout } = await runHere(['requests', file, '--format', 'har'])
    expect(JSON.parse(stdout).log.entries).toMatchObject([
      { request: { method: 'GET' }, response: { status: 200 } },
    ])
  }
  expect((await runHere(['requests', file, '--sandbox', 'sandbox-1'])).stdout).toContain('/v1/pets')
  expect((await runHere(['requests', file, '--sandbox', 'sandbox-2'])).stderr).toContain(
    'did you mean sandbox-1?',
  )
  const left = createMock({ latency: 20 })
  await expect(
    left.fetch('http://any.test/v1/pets', { signal: AbortSignal.timeout(1) }),
  ).rejects.toThrow()
  writeFileSync(file, left.control.recording())
  const { stdout } = await runHere(['requests', file, '--json'])
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(left.control.requests())))
  // An earlier recording is replaced at the end, and not lost if nothing ran.
  const before = readFileSync(file, 'utf8')
  expect((await record('no-such-command')).code).toBe(127)
  expect(readFileSync(file, 'utf8')).toBe(before)
  await runHere(['exec', '--record', folder, '--', 'true'])
  expect(existsSync(join(folder, 'exec.jsonl'))).toBe(true)
})

it('exec passes the exit code on, and stops the mock', async () => {
  const { code, stdout } = await runCli([
    'exec',
    '--',
    ...node('console.log(process.env.ANIMAL_STORE_URL); process.exitCode = 7'),
  ])
  expect(code).toBe(7)
  await expect(fetch(stdout.trim())).rejects.toThrow()
})

it('exec prints the last requests and the address if the command fails, unless there is a log', async () => {
  const preflight = `await fetch(process.env.ANIMAL_STORE_URL + '/pets', { method: 'OPTIONS', headers: { origin: 'http://localhost', 'access-control-request-method': 'GET' } })`
  const failing = node(`${ASK}; ${preflight}; process.exitCode = 1`)
  const { stderr } = await runHere(['exec', '--', ...failing])
  expect(stderr).toMatch(
    /: 2 requests\n {2}#1 GET \/v1\/pets → 200 .*\n[\s\S]*\n {2}The mock was at http:\/\/127\.0\.0\.1:\d+\/v1\.\n$/,
  )
  expect((await runHere(['exec', '--', 'true'])).stderr).not.toContain('Request log')
  expect((await runHere(['exec', '--log', 'pretty', '--', 'false'])).stderr).not.toContain(
    'Request log',
  )
})

it('exec lets our own commands find the mock and its control token', async () => {
  const flags = ['-s', 'empty', '--control-token', 'a-token-of-some-length']
  const { code, stdout } = await runCli([
    'exec',
    ...flags,
    '--',
    process.execPath,
    BIN,
    'status',
    '--json',
  ])
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { scenario: 'empty', pets: 0 }])
})

it('exec gives the command no token if the mock has none, not even the token of another mock', async () => {
  const print = node('console.log(process.env.ANIMAL_STORE_CONTROL_TOKEN)')
  expect((await runCli(['exec', '--', ...print])).stdout).toBe('undefined\n')
  const env = { ANIMAL_STORE_CONTROL_TOKEN: 'a-token-of-another-mock' }
  expect((await runCli(['exec', '--no-control', '--', ...print], { env })).stdout).toBe(
    'undefined\n',
  )
})

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'passes %s on to the command, which may choose its own exit code',
  async (signal) => {
    const script = `process.on('${signal}', () => process.exit(42)); setInterval(() => {}, 1000); console.log('ready')`
    const running = start(['exec', '--', ...node(script)])
    await running.until('stdout', /ready/)
    expect((await running.stop(signal)).code).toBe(42)
  },
)

it('exec --json prints one document, and the command prints to stderr', async () => {
  const script =
    'console.log("out"); await fetch(process.env.ANIMAL_STORE_URL + "/pets"); process.exitCode = 3'
  const args = ['exec', '--json', '--', process.execPath, '--input-type=module', '-e', script]
  const { code, stdout, stderr } = await runCli(args)
  expect(code).toBe(3)
  expect(stderr).toMatch(/^out$/m)
  expect(JSON.parse(stdout)).toMatchObject({
    command: args.slice(3),
    code: 3,
    timeline: [{ id: 1, method: 'GET', target: '/v1/pets', status: 401 }],
  })
})

it.runIf(process.platform !== 'win32')(
  'exec exits as shells do if its command is missing or cannot be run, and with 125 for its own mistakes',
  async () => {
    const file = join(createFolder(), 'not-executable')
    writeFileSync(file, '')
    const codeOf = async (...args: readonly string[]) => (await runHere(['exec', ...args])).code
    expect(await codeOf('--', 'no-such-command')).toBe(127)
    expect(await codeOf('--', file)).toBe(126)
    expect(await codeOf('--port', 'x', '--', 'true')).toBe(125)
    expect(await codeOf('--', 'sh', '-c', 'exit 2')).toBe(2)
  },
)
