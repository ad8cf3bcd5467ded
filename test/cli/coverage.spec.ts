// `exec --coverage` and `coverage`: from a test run to a report, and to an exit code.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Coverage, createMock } from '../../src/index.ts'
import { toCall } from '../support/call.ts'
import { createFolder, runCli } from '../support/cli-process.ts'
import { runHere } from '../support/run-here.ts'

const ANIMAL = '{"name":"Rex","categoryId":1}'
/** What a suite might do, some of it wrong: a target, and a body with what the client prefers. */
const REQUESTS: readonly [target: string, body?: string, prefer?: string][] = [
  ['/v1/pets?limit=1&status=sold'],
  ['/v1/pets?limit=0'],
  ['/v1/pets', ANIMAL, 'code=503'],
  ['/v1/pets', ANIMAL],
  ['/v1/pets', '{"name":7}'],
  ['/v1/pets/1'],
  ['/v1/pets/'],
]
const SUITE = `
  for (const [target, body, prefer] of ${JSON.stringify(REQUESTS)})
    await fetch(new URL(target, process.env.ANIMAL_STORE_URL), {
      method: body ? 'POST' : 'GET',
      body,
      headers: { authorization: 'Bearer secret-key', 'content-type': 'application/json', ...(prefer ? { prefer } : {}) },
    })
`
const run = (script: string) => ['--', process.execPath, '--input-type=module', '-e', script]

let counted: Coverage

beforeAll(async () => {
  const mock = createMock()
  for (const [target, text, prefer] of REQUESTS) {
    mock.answer(toCall(text ? 'POST' : 'GET', target, text, 'k', prefer ? { prefer } : {}))
  }
  counted = mock.control.coverage()
})

/** A folder with that coverage in files. */
function createFiles(files: Readonly<Record<string, unknown>>): string {
  const folder = createFolder()
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(
      join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  }
  return folder
}

describe('exec --coverage', () => {
  it('without the name of a file is refused before the command runs', async () => {
    const { code, stdout, stderr } = await runHere([
      'exec',
      '--coverage',
      '',
      ...run('console.log("ran"); process.exitCode = 3'),
    ])
    expect([code, stdout]).toEqual([125, ''])
    expect(stderr).toMatch(/^animal-store-mock: --coverage: .*\n$/)
  })

  it('has its requirements in a JUnit report', async () => {
    const folder = createFolder()
    await runHere(['exec', '--coverage', 'a.json', ...run('')], { cwd: folder })
    const args = ['coverage', 'a.json', '--require', 'createPet.201', '--junit', 'report.xml']
    const { code } = await runHere(args, { cwd: folder })
    expect(code).toBe(1)
    expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toMatch(
      /tests="3" failures="2"[\s\S]*name="--require createPet.201"><failure message="was never tried"/,
    )
  })

  it('writes the coverage of the command to a file in a new folder, and passes the exit code on', async () => {
    const folder = createFolder()
    const { code, stderr } = await runCli(
      ['exec', '--coverage', 'out/store.json', ...run(`${SUITE}; process.exitCode = 3`)],
      {
        cwd: folder,
      },
    )
    expect(code).toBe(3)
    expect(stderr).toContain(
      'animal-store-mock: wrote out/store.json: animal-store-mock coverage out/store.json\n',
    )
    const text = readFileSync(join(folder, 'out/store.json'), 'utf8')
    expect(JSON.parse(text)).toEqual(counted)
    expect(text).not.toMatch(/secret|Rex/)
    expect(statSync(join(folder, 'out/store.json')).mode & 0o777).toBe(0o644)
  })
})

describe('coverage', () => {
  it('merges files, and says how many there were', async () => {
    const folder = createFiles({ 'a-1.json': counted, 'a-2.json': counted })
    const { stdout, code } = await runHere(['coverage', 'a-1.json', 'a-2.json', 'a-1.json'], {
      cwd: folder,
    })
    expect(stdout.split('\n')[0]).toMatch(/, 21 requests, from 3 files$/)
    expect(code).toBe(0)
    expect((await runHere(['coverage', 'c.json'], { cwd: folder })).stderr).toContain(
      'c.json: no such file',
    )
  })

  it('exits with 1 if there was no request at all', async () => {
    const folder = createFiles({ 'none.json': createMock().control.coverage() })
    const { code, stdout } = await runHere(['coverage', 'none.json'], { cwd: folder })
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining(
        '✗ requests: no request was counted: did the tests call this mock?\n',
      ),
    ])
    expect(stdout).toContain('Nothing: no response depended on what the spec leaves open.')
  })

  it('reads its own JSON output, so that merged runs can be merged with another one', async () => {
    const folder = createFiles({ 'a.json': counted, 'b.json': counted })
    const { stdout: merged } = await runHere(['coverage', 'a.json', 'b.json', '--json'], {
      cwd: folder,
    })
    writeFileSync(join(folder, 'merged.json'), merged)
    const { stdout: added } = await runHere(['coverage', 'merged.json', 'a.json', '--json'], {
      cwd: folder,
    })
    const { stdout: atOnce } = await runHere(['coverage', 'a.json', 'b.json', 'a.json', '--json'], {
      cwd: folder,
    })
    expect(added).toBe(atOnce)
  })

  it.each([[], ['--json']])('prints no control characters (%s)', async (...flags: string[]) => {
    const folder = createFiles({
      'odd.json': { ...counted, nearMisses: { '\x1b[2J\u202e\x9b': 1 } },
    })
    const { stdout } = await runHere(['coverage', 'odd.json', ...flags], { cwd: folder })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/)
    expect(stdout).toContain('u001b')
  })

  it('refuses a file of another contract, and names it', async () => {
    const folder = createFiles({
      'a.json': counted,
      'b.json': { ...counted, contract: 'Animal Store 9.0.0 (0000000000000000)' },
    })
    const { code, stdout, stderr } = await runHere(['coverage', 'a.json', 'b.json'], {
      cwd: folder,
    })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      `animal-store-mock: b.json covers Animal Store 9.0.0 (0000000000000000), and this version of animal-store-mock has ${counted.contract}\n`,
    )
  })
})
