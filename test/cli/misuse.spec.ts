// Every way to hold the command line wrong: exit code 2, one clear line, nothing else.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFolder, runCli } from '../support/cli-process.ts'

const QUESTIONS = /expected one of the questions invalid-query, default-status, .* and sunset-header$/

let server: Server
let taken: number

beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  taken = (server.address() as { port: number }).port
})

afterAll(() => void server.close())

const CASES: readonly (readonly [line: string, told: string | RegExp])[] = [
  ['--prot 1', "unknown option '--prot' (did you mean --port?)"],
  ['--port', "option '-p, --port <n>' argument missing"],
  ['--port 65536', "option '-p, --port <n>' argument '65536' is invalid: expected a port from 0 (any free one) to 65535"],
  ['--host fe80::1 -p 0', '"fe80::1" is not an address of this machine; choose another with --host, or omit it'],
  ['--scenario nope', /^scenario: expected default, .* or tricky-names, or a file, got "nope"$/],
  ['--scenario ./nope.yaml', /nope\.yaml: no such file$/],
  ['--seed x', "option '--seed <n>' argument 'x' is invalid: expected a whole number"],
  ['--count 99999999', /^count: expected an integer from 0 to \d+, got 99999999$/],
  ['--max-world-size 0', /argument '0' is invalid: expected a whole number from 1 to 1048576$/],
  ['--api-key a!b', '--api-key or ANIMAL_STORE_API_KEY: expected a bearer token (RFC 6750)'],
  ['--now soon', /^option '--now <date>' argument 'soon' is invalid: expected a date from 1970 to 9999, like 2030-12-06 /],
  ['--delay 5-1', "option '--delay <ms|min-max>' argument '5-1' is invalid: expected the shorter time first, as in 200-800"],
  ['--fail eatPet=500', /argument 'eatPet=500' is invalid: operation: expected listPets, createPet, getPet or \*$/],
  ['--assume colour=red', QUESTIONS],
  ['--assume paging=cursor', /argument 'paging=cursor' is invalid: expected paging=none$/],
  ['--cors-origin example.com', /expected an origin like https:\/\/app\.example\.com, or "\*" for all$/],
  ['--log loud', "option '--log <style>' argument 'loud' is invalid: expected one of pretty, json, silent"],
  ['--watch', '--watch needs a scenario file, e.g. --scenario ./situation.yaml'],
  ['--open --no-control', '--open needs the console: omit --no-control'],
  ['--control-token short', '--control-token or ANIMAL_STORE_CONTROL_TOKEN: expected at least 16 characters'],
  ['status --token a!b', /^--token or ANIMAL_STORE_CONTROL_TOKEN: expected letters, digits/],
  ['--control-token-file /nowhere/at/all -p 0', '/nowhere/at/all: no such file'],
  ['--control-token-file /dev/null -p 0', '/dev/null: expected a regular file'],
  ['--control-token-file /dev/zero -p 0', '/dev/zero: expected a regular file'],
  ['--control-token-file / -p 0', '/: expected a regular file'],
  ['--control-token-file x --control-token 0123456789abcdef', '--control-token and --control-token-file exclude each other'],
  ['--ready-file /nowhere/at/all -p 0', '/nowhere/at/all: cannot be written (ENOENT)'],
  ['--ready-file /dev/null -p 0', '/dev/null: expected a regular file'],
  ['--api-key qa seed flaky', "option '--api-key <key...>' argument 'seed' is invalid: this is a command, which goes before the options"],
  ['--api-key ,', "option '--api-key <key...>' argument ',' is invalid: expected at least one value"],
  ['help sevre', "unknown command 'sevre' (did you mean serve?)"],
  ['sevre --help', "unknown command 'sevre' (did you mean serve?)"],
  ['sevre', "unknown command 'sevre' (did you mean serve?)"],
  ['toString', "unknown command 'toString'"],
  ['serve seed', /^too many arguments for 'serve'/],
  ['scenarios chekc', "unknown command 'chekc' (did you mean check?)"],
  ['scenarios show nope', /^scenario: expected default, .* got "nope"$/],
  ['scenarios check', "missing required argument 'file'"],
  ['coverage', "missing required argument 'file'"],
  ['coverage nope.json', 'nope.json: no such file'],
  ['coverage .', '.: cannot be read (EISDIR)'],
  ['coverage package.json', 'package.json: expected coverage of animal-store-mock, got an object'],
  ['coverage README.md', 'README.md: expected coverage of animal-store-mock, got text that is not JSON'],
  ['coverage x.json --min 101', "option '--min <percent>' argument '101' is invalid: expected a percentage from 0 to 100"],
  ['coverage x.json --format pdf', "option '--format <format>' argument 'pdf' is invalid: expected one of text, json, md, html, junit"],
  ['exec --coverage /dev/null -- true', '/dev/null: expected a regular file'],
  ['exec --coverage /dev/null/x.json -- true', /^\/dev\/null\/x\.json: cannot be written \(E\w+\)$/],
  [
    'generate --count 6000000',
    /argument '6000000' is invalid: expected at most 500000; `generate: \{ count: 6000000 \}` in a scenario makes more$/,
  ],
  ['generate --format xml', "option '--format <format>' argument 'xml' is invalid: expected one of json, yaml"],
  ['clock stop', 'clock: expected set, advance, freeze or unfreeze, got "stop"'],
  ['seed', "missing required argument 'name|file'"],
  ['status --url ftp://x', /argument 'ftp:\/\/x' is invalid: expected the address of a mock like http:\/\/127\.0\.0\.1:7387\/v1$/],
  [
    'status --url http://127.0.0.1:1',
    'No mock responds at http://127.0.0.1:1: start one with animal-store-mock, or name its address with --url',
  ],
  ['snapshot -o world.txt --url 127.0.0.1:1', 'world.txt: expected a file that ends in .json, .yaml or .yml'],
  ['requests --operation eatPet', /argument 'eatPet' is invalid: expected one of listPets, createPet, getPet$/],
  ['exec', "missing required argument 'command'"],
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

  it.skipIf(process.platform === 'win32')('a token file that is none is named, and not waited for', async () => {
    const cwd = createFolder()
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    writeFileSync(join(cwd, 'large'), 'x'.repeat(1_000_000))
    writeFileSync(join(cwd, 'empty'), '')
    const tell = async (file: string) => (await runCli(['-p', '0', '--control-token-file', file], { cwd })).stderr
    expect(await Promise.all(['pipe', 'large', 'empty'].map(tell))).toEqual([
      'animal-store-mock: pipe: expected a regular file\n',
      'animal-store-mock: large: expected a token, got 1000000 bytes\n',
      'animal-store-mock: empty: expected letters, digits and - . _ ~ + / only (RFC 6750)\n',
    ])
  })

  it('a variable with a wrong value is named', async () => {
    const { code, stderr } = await runCli([], { env: { ANIMAL_STORE_PORT: 'x' } })
    expect([code, stderr]).toEqual([
      2,
      "animal-store-mock: option '-p, --port <n>' value 'x' from env 'ANIMAL_STORE_PORT' is invalid: expected a port from 0 (any free one) to 65535\n",
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
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^animal-store-mock: unknown command [ -~]*\n$/)])
  })
})
