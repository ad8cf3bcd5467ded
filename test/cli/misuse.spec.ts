import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFolder, runCli } from '../support/cli-process.ts'

const _QUESTIONS = /expected one of the questions invalid-query, default-status, .* and sunset-header$/

let server: Server
let taken: number

beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  taken = (server.address() as { port: number }).port
})

afterAll(() => void server.close())

const CASES: readonly (readonly [line: string, told: string | RegExp])[] = [
  ['--prot 1', "error: unknown option '--prot' (Did you mean --port?)"],
  ['--port', "error: option '-p, --port <n>' argument missing"],
  ['--port 65536', "error: option '-p, --port <n>' argument '65536' is invalid. expected a port from 0 to 65535"],
  ['--host fe80::1 -p 0', '--host: "fe80::1" is not an address of this machine'],
  ['--scenario nope', /^scenario: expected default, .* or tricky-names, or a file, got "nope"$/],
  ['--scenario ./nope.yaml', /nope\.yaml: no such file$/],
  ['--seed x', "error: option '--seed <n>' argument 'x' is invalid. expected a whole number"],
  ['--count 99999999', /^count: expected an integer from 0 to \d+, got 99999999$/],
  ['--api-key a!b', /^apiKeys\[0\]: expected a bearer token \(RFC 6750\)/],
  ['--api-key --port 1', /argument '--port' is invalid/],
  ['--url 18230', /unknown option/],
  ['status --url 18230', /--port 18230 or --url http:\/\/127\.0\.0\.1:18230$/],
  ['load x', /use animal-store-mock seed$/],
  ['logs', /use animal-store-mock requests$/],
  ['--now soon', /^now: expected a date from 1970 to 9999, like 2030-12-06 /],
  ['--latency 5-1', 'latency: expected the shorter time first, got 5, 1'],
  [
    '--fail eatPet=500',
    /^error: option '--fail <operation=what...>' argument 'eatPet=500' is invalid. .*expected listPets, createPet, getPet or \*, got "eatPet"$/,
  ],
  ['--assume colour=red', /^assume\.colour: unknown field/],
  ['--assume paging=cursor', 'assume.paging: expected none, got "cursor"'],
  ['--cors-origin example.com', /corsOrigins must be origins/],
  ['--log loud', "error: option '--log <style>' argument 'loud' is invalid. Allowed choices are pretty, json, silent."],
  ['--watch', '--watch needs a scenario file, e.g. --scenario ./scenario.yaml'],
  ['--open --no-control', '--open needs the console: omit --no-control'],
  ['--control-token short', /expected at least 16 characters/],
  ['status --control-token a!b', /^--control-token or ANIMAL_STORE_CONTROL_TOKEN: expected a bearer token/],
  ['--ready-file /nowhere/at/all -p 0', '/nowhere/at/all: cannot be written (ENOENT)'],
  ['--ready-file /dev/null -p 0', '/dev/null: expected a regular file'],
  [
    '--api-key qa seed flaky',
    "error: option '--api-key <key...>' argument 'seed' is invalid. This is a command, which goes before the options.",
  ],
  ['--api-key ,', "error: option '--api-key <key...>' argument ',' is invalid. Expected at least one value."],
  ['help sevre', "error: unknown command 'sevre' (Did you mean serve?)"],
  ['sevre --help', "error: unknown command 'sevre' (Did you mean serve?)"],
  ['sevre', "error: unknown command 'sevre' (Did you mean serve?)"],
  ['toString', "error: unknown command 'toString'"],
  ['serve seed', 'serve: unexpected argument "seed"'],
  ['scenarios chekc', "error: unknown command 'chekc' (Did you mean check?)"],
  ['scenarios show nope', /^scenario: expected default, .* got "nope"$/],
  ['scenarios check', "error: missing required argument 'file'"],
  ['coverage', "error: missing required argument 'file'"],
  ['coverage nope.json', 'nope.json: no such file'],
  ['coverage .', '.: cannot be read (EISDIR)'],
  ['coverage package.json', 'package.json: expected coverage of animal-store-mock, got an object'],
  ['coverage README.md', 'README.md: expected coverage of animal-store-mock, got text that is not JSON'],
  ['coverage x.json --min 101', "error: option '--min <percent>' argument '101' is invalid. expected a percentage from 0 to 100"],
  ['coverage x.json --format pdf', "error: option '--format <format>' argument 'pdf' is invalid. Allowed choices are text, json, md."],
  ['exec --coverage /dev/null -- true', '/dev/null: expected a regular file'],
  ['exec --coverage /dev/null/x.json -- true', /^\/dev\/null\/x\.json: cannot be written \(E\w+\)$/],
  ['generate --count 6000000', /^--count: expected at most 1000000; `generate: \{ count: 6000000 \}` in a scenario makes more$/],
  ['generate --format xml', "error: option '--format <format>' argument 'xml' is invalid. Allowed choices are json, yaml."],
  ['clock stop', 'clock: expected set, advance, freeze, unfreeze or real, got "stop"'],
  ['seed', "error: missing required argument 'name|file'"],
  ['status --url ftp://x', /argument 'ftp:\/\/x' is invalid. expected the address of a mock like http:\/\/127\.0\.0\.1:7387\/v1$/],
  [
    'status --url http://127.0.0.1:1',
    'No mock responds at http://127.0.0.1:1: start one with animal-store-mock, or name another with --port or --url',
  ],
  ['snapshot -o world.txt --url 127.0.0.1:1', 'world.txt: expected a file that ends in .json, .yaml or .yml'],
  ['requests --operation eatPet', /argument 'eatPet' is invalid. Allowed choices are listPets, createPet, getPet.$/],
  ['exec', "error: missing required argument 'command'"],
  ['exec -- ', 'command: expected the name of a program, got ""'],
  ['exec -- no-such-command-here', 'no-such-command-here: no such command'],
]

describe('misuse of the command line', () => {
  it.each(CASES)('"%s" is told in one line, with exit code 2', async (line, told) => {
    const { code, stdout, stderr } = await runCli(line.split(' '))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^animal-store-mock: [^\n]*\n$/)
    expect(stderr.slice('animal-store-mock: '.length, -1)).toEqual(typeof told === 'string' ? told : expect.stringMatching(told))
  })

  it('a port that is taken is named, with what to do', async () => {
    expect(await runCli(['--port', String(taken)])).toEqual({
      code: 2,
      stdout: '',
      stderr: `animal-store-mock: Port ${taken} is in use; free it or choose another with --port (0 picks a free one)\n`,
    })
  })

  it('a variable with a wrong value is named', async () => {
    const { code, stderr } = await runCli([], { env: { ANIMAL_STORE_PORT: 'x' } })
    expect([code, stderr]).toEqual([
      2,
      "animal-store-mock: error: option '-p, --port <n>' value 'x' from env 'ANIMAL_STORE_PORT' is invalid. expected a whole number\n",
    ])
    const unclear = await runCli([], { env: { ANIMAL_STORE_SANDBOX: 'maybe' } })
    expect([unclear.code, unclear.stderr]).toEqual([2, 'animal-store-mock: ANIMAL_STORE_SANDBOX: expected 1 or 0, got "maybe"\n'])
  })

  it('a scenario file that is not in order has a line for every problem', async () => {
    const folder = createFolder()
    writeFileSync(join(folder, 'bad.yaml'), 'pets:\n  - { id: 1, name: Rex, categoryId: x }\n  - { id: 2, categoryId: 1, status: gone }\n')
    const { code, stdout, stderr } = await runCli(['--scenario', './bad.yaml'], { cwd: folder })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^animal-store-mock: \S*bad\.yaml:2 pets\[0\]\.categoryId: expected a 64-bit integer, got "x"$/),
      expect.stringMatching(/^animal-store-mock: \S*bad\.yaml:3 pets\[1\]\.name is required$/),
      expect.stringMatching(/^animal-store-mock: \S*bad\.yaml:3 pets\[1\]\.status: expected available, pending or sold, got "gone"$/),
      '',
    ])
  })

  it('a version of Node that is too old is named in one line', async () => {
    const pretend = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })"
    const { code, stdout, stderr } = await runCli(['--version'], { nodeArgs: ['--import', `data:text/javascript,${pretend}`] })
    expect([code, stdout, stderr]).toEqual([2, '', 'animal-store-mock: Node 20.19 or newer is required, this is 18.20.8\n'])
  })

  it('what was typed cannot harm the terminal', async () => {
    const { code, stderr } = await runCli(['\u001b[2J\u202e'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^animal-store-mock: error: unknown command [ -~]*\n$/)])
  })
})
