// Nothing in the README is only claimed: its snippets are files that other suites run, its commands are run here.

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../src/generated/contract.ts'
import { createMock } from '../src/index.ts'
import { scenarios } from '../src/scenarios.ts'
import { type Running, startCli } from './support/cli-process.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const fences = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({ language: match[1], text: match[2] as string }))
const textsOf = (language: string) => fences.filter((fence) => fence.language === language).map(({ text }) => text)
const commands = textsOf('sh').flatMap((text) => text.trim().split('\n'))

const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(root, 'examples', file), 'utf8'))

describe('the README', () => {
  it.each(textsOf('ts').map((text) => [text.split('\n').find((line) => !line.startsWith('import')) ?? '', text]))(
    'shows only code that a suite runs: %s',
    (_, text) => {
      // An example may go on where the README stops.
      expect(examples.some((example) => example.startsWith(text) || example.trimEnd() === text.trimEnd())).toBe(true)
    },
  )

  it.each([...readme.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map((match) => match[1] as string))('links to %s, which is there', (path) => {
    expect(existsSync(join(root, path))).toBe(true)
  })

  it.each([...readme.matchAll(/`npm run ([\w:]+)/g)].map((match) => match[1] as string))(
    'names the script %s, which is there',
    (script) => {
      expect(Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts)).toContain(script)
    },
  )

  it('lists every assumption with its choices', () => {
    for (const { id, default: chosen, choices } of createMock().control.assumptions()) {
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${id}\``))
      expect(row).toContain(`| \`${chosen}\` |`)
      for (const choice of choices) expect(row).toContain(`\`${choice.id}\``)
    }
  })

  it('counts right', () => {
    const words = ['thirteen', 'fourteen', 'fifteen', 'sixteen']
    const counted = (count: number) => words[count - 13] as string
    expect(readme).toContain(`**Honest**: ${counted(createMock().control.assumptions().length)} things`)
    expect(readme.toLowerCase()).toContain(`${counted(Object.keys(scenarios).length)} are shipped`)
    expect(readme).toContain(`with ${createMock().control.state().pets?.length === 50 ? 'fifty' : 'other'} animals`)
    expect(contract.operations.getPet.sunset).toBe('2030-12-05')
  })
})

describe('the commands of the README', () => {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'))
  const bin = join(root, 'bin/animal-store-mock.js')
  const [document = ''] = textsOf('yaml')

  beforeAll(() => writeFileSync(join(folder, 'situation.yaml'), document))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** The words of a line for a shell. */
  const run = (line: string, url: string) =>
    promisify(execFile)(
      'sh',
      [
        '-c',
        line.replace(/^npx animal-store-mock/, `"${process.execPath}" "${bin}"`).replaceAll('http://127.0.0.1:7387', new URL(url).origin),
      ],
      {
        cwd: folder,
        env: { ...process.env, ANIMAL_STORE_URL: url },
      },
    )

  const ours = commands
    .filter((line) => line.startsWith('npx animal-store-mock'))
    .map((line) => line.replace(/^npx animal-store-mock ?/, ''))
  const starts = ours.filter((line) => line === '' || line.startsWith('--'))
  const others = ours.filter((line) => line !== '' && !line.startsWith('--'))

  it.each(starts)('starts a mock: animal-store-mock %s', async (line) => {
    const running = await startCli(line === '' ? [] : line.split(' '), { cwd: folder })
    const key = line.includes('situation') ? 'qa-key' : 'any-key'
    // The situation drops one call and slows others down, on purpose.
    const response = await fetch(`${running.url}/pets`, { headers: { authorization: `Bearer ${key}` } })
    expect(response.status).toBe(200)
    expect((await running.stop('SIGTERM')).code).toBe(0)
  })

  it('talk to a running mock, in the order that they are written', { timeout: 60_000 }, async () => {
    const running: Running = await startCli([], { cwd: folder })
    for (const line of others) await run(`npx animal-store-mock ${line}`, running.url)
    expect(readFileSync(join(folder, 'world.yaml'), 'utf8')).toContain('name: flaky')
  })

  it.each(commands.filter((line) => line.startsWith('curl')))('%s', async (line) => {
    const running = await startCli([], { cwd: folder })
    const { stdout } = await run(line.replace('curl', 'curl -sS'), running.url)
    expect(stdout).toMatch(line.includes('code=503') ? /^HTTP\/1\.1 503[\s\S]*Preference-Applied: code=503, delay=100/ : /^[[{]/)
  })

  it('are all run by this suite or by the workshop itself', () => {
    const known = /^(npx animal-store-mock|curl|npm ci && npm (start|test))/
    expect(commands.filter((line) => !known.test(line))).toEqual([])
  })
})
