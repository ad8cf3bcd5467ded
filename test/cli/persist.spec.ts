// `--persist`: the state in a file.
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { createFolder, start, startCli } from '../support/cli-process.ts'
import { runHere } from '../support/run-here.ts'

const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }

it('a mock with --persist saves changes soon and when it stops, and starts from the file the next time', async () => {
  const cwd = createFolder()
  const file = join(cwd, 'state.json')
  const args = ['--scenario', 'single', '--persist', 'state.json']
  const create = (url: string, name: string) =>
    fetch(`${url}/pets`, {
      method: 'POST',
      headers,
      body: `{"name":"${name}","categoryId":9223372036854775807}`,
    })
  const first = await startCli(args, { cwd })
  expect(existsSync(file)).toBe(false)
  await create(first.url, 'Rex')
  await vi.waitFor(
    () =>
      expect(readFileSync(file, 'utf8')).toContain('"name":"Rex","categoryId":9223372036854775807'),
    { timeout: 2_000 },
  )
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await create(first.url, 'Mia')
  await first.stop()
  const second = await startCli(['--scenario', 'empty', ...args.slice(2)], { cwd })
  expect(second.stderr()).toContain(
    '  Scenario   resumed from state.json; a reset returns to empty\n',
  )
  expect(await (await fetch(`${second.url}/pets`, { headers })).text()).toMatch(/Biscuit.*Rex.*Mia/)
  await second.stop()
  // It is a scenario file like any other.
  expect((await runHere(['scenarios', 'check', 'state.json'], { cwd })).code).toBe(0)
})

it('a mock with --persist ends with exit code 2 and a message if it could not save its state', async () => {
  const cwd = createFolder()
  const { url, stop } = await startCli(['--persist', 'state.json'], { cwd })
  mkdirSync(join(cwd, 'state.json'))
  await fetch(`${url}/pets`, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' })
  const { code, stderr } = await stop()
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('the state was not saved: state.json'),
  ])
})

it.each([
  ['{', 'state.json'],
  ['{"pets":[{"id":1}]}', 'pets[0].name'],
])(
  'a mock with --persist refuses to start from a file with %s, and does not change the file',
  async (text, message) => {
    const cwd = createFolder()
    writeFileSync(join(cwd, 'state.json'), text)
    const { code, stderr } = await runHere(['--port', '0', '--persist', 'state.json'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(readFileSync(join(cwd, 'state.json'), 'utf8')).toBe(text)
  },
)

it.each([
  [['--persist', '.'], 'expected a file such as state.json'],
  [['--persist', '/proc/state.json'], '/proc/state.json: cannot be written'],
])('a mock refuses the flags %j before it listens', async (args, message) => {
  const { code, stderr } = await runHere(['--port', '0', ...args], { cwd: createFolder() })
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

const ARGS = ['--persist', 'state.json', '--log', 'silent']

it('a file of --persist belongs to one mock, also by another path, until that mock stops or is killed', async () => {
  const cwd = createFolder()
  symlinkSync('state.json', join(cwd, 'link.json'))
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const first = await startCli(ARGS, { cwd })
    for (const file of ['state.json', './link.json']) {
      const { code, stderr } = await runHere(['--port', '0', '--persist', file], { cwd })
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`another running mock uses ${file}`),
      ])
    }
    await startCli(['--persist', 'other.json', '--log', 'silent'], { cwd }).then(({ stop }) =>
      stop(),
    )
    await first.stop(signal)
  }
  await (await startCli(ARGS, { cwd })).stop()
})

it('of many mocks that start at the same moment with one file of --persist, one runs, and the others say in one line why they do not', async () => {
  const cwd = createFolder()
  const mocks = Array.from({ length: 12 }, () => start(['--port', '0', ...ARGS], { cwd }))
  const refused = '--persist: another running mock uses state.json; stop it, or choose another file'
  const outcomes = await Promise.all(
    mocks.map(async (mock) => {
      const started = await mock.until('stderr', /^ {2}API |state\.json; stop it/m)
      if (started.includes(' API ')) return { runs: true, stop: mock.stop }
      expect(await mock.ended).toEqual({
        code: 2,
        stdout: '',
        stderr: `animal-store-mock: ${refused}\n`,
      })
      return { runs: false, stop: undefined }
    }),
  )
  const running = outcomes.filter(({ runs }) => runs)
  expect(running).toHaveLength(1)
  await running[0]?.stop?.()
})
