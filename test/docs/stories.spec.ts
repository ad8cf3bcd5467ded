// Follows pages that tell a story to the letter: their commands in order, against one mock, with
// the outputs that they show. Their code, that of the recipes and whole scripts of other pages are
// run as they stand there.
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createFolder, type Running, startCli } from '../support/cli-process.ts'
import { type Fence, isNodeTest, pageOf, root, sectionOf } from '../support/documents.ts'
import { runHere } from '../support/run-here.ts'

const OURS = 'npx animal-store-mock'
const BIN = `"${process.execPath}" "${join(root, 'bin/animal-store-mock.js')}"`

it.each(['docs/getting-started.md', 'docs/timeline.md', 'docs/what-if.md', 'docs/recordings.md'])(
  '%s works, step by step',
  async (path) => {
    const { fences } = pageOf(path)
    const folder = createFolder()
    let running: Running | undefined
    for (const [index, { language, text }] of fences.entries()) {
      if (language !== 'sh') continue
      let output = ''
      for (const line of text.trim().split('\n')) {
        if (isStart(line)) {
          await running?.stop('SIGTERM')
          const words = line.slice(OURS.length).trim().split(' ').filter(Boolean)
          running = await startCli([...words, '--port', '0'], { cwd: folder }, [])
          output += running.stderr()
        } else output += withNewline(await runLine(line, folder, running?.url ?? ''))
      }
      const expected = outputAfter(fences, index)
      const shown = running
        ? output.replaceAll(new URL(running.url).host, '127.0.0.1:7387')
        : output
      if (expected !== undefined)
        expect(withoutTimes(shown).trim(), text).toMatch(toPattern(withoutTimes(expected).trim()))
    }
  },
)

const code = [
  ...pageOf('docs/getting-started.md').fences,
  ...pageOf('docs/recipes.md').fences,
].flatMap((fence, index, fences) =>
  isNodeTest(fence)
    ? [{ text: fence.text, output: outputAfter(fences, index), name: `${index}.js` }]
    : [],
)
// Inside the repository, so that the package can be imported by its name.
const folder = join(root, 'test/docs/.code')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const { text, name } of code) writeFileSync(join(folder, name), text)

describe.each(code)(
  'the code of docs/getting-started.md and docs/recipes.md: $name',
  async ({ name, output }) => {
    const printed: string[] = []
    beforeAll(() => {
      vi.spyOn(console, 'log').mockImplementation(
        (...values) => void printed.push(values.map(String).join(' ')),
      )
    })
    afterAll(() => {
      vi.restoreAllMocks()
      if (output !== undefined) expect(printed.join('\n')).toBe(output.trim())
    })
    await import(/* @vite-ignore */ join(folder, name))
  },
)

/** The bugs that recipes are about, each as a change of the client that the recipe shows. */
const BUGS: Readonly<Record<string, (code: string) => string>> = {
  'Stale response': (text) => text.replace('if (page.last === status) ', ''),
  'Double submit': (text) => text.replace('sending ??= create()', 'sending = create()'),
  'Lost update': (text) =>
    text
      .replace('const response', 'const before = page.names\n  const response')
      .replace('[...page.names, pet.name]', '[...before, pet.name]'),
}
const MAX_TEST_LINES = 14

describe.each(Object.entries(BUGS))('the test of the recipe %s', async (title, plant) => {
  const section = sectionOf('docs/recipes.md', title.toLowerCase().replace(' ', '-'))
  const [, text = ''] = /^```js\n(.*?)^```$/ms.exec(section) ?? []
  const [client = '', test = ''] = text.split(/^(?=it\()/m)

  it('is short', () => {
    expect(test.trim().split('\n').length).toBeLessThanOrEqual(MAX_TEST_LINES)
  })

  describe('fails with the bug', async () => {
    const planted = plant(client)
    const failing = test.replace(/^it\(/, 'it.fails(')
    const file = join(folder, `${title.replace(' ', '-')}.js`)
    writeFileSync(file, planted + failing)
    it('has another client', () => expect(planted).not.toBe(client))
    await import(/* @vite-ignore */ file)
  })
})

const scripts = [
  'docs/library.md',
  'docs/control.md',
  'docs/appendix/functions.md',
  'docs/appendix/limits.md',
].flatMap((path) =>
  pageOf(path).fences.flatMap(({ language, text }, index, fences) =>
    language === 'js' && text.startsWith('import')
      ? [
          {
            path,
            text,
            output: outputAfter(fences, index),
            name: `${path.replaceAll(/\W/g, '-')}-${index}.mjs`,
          },
        ]
      : [],
  ),
)

it.each(scripts)(
  'the script of $path prints what the page shows',
  async ({ text, output, name }) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    // It leaves `fetch` replaced.
    if (text.includes('msw/node'))
      return expect((await promisify(execFile)(process.execPath, [file])).stdout).toBe(output)
    const printed: string[] = []
    vi.spyOn(console, 'log').mockImplementation(
      (...values) => void printed.push(`${format(...values)}\n`),
    )
    await import(/* @vite-ignore */ file).finally(vi.restoreAllMocks)
    expect(printed.join('')).toBe(output)
  },
)

/** The output that a page shows for a block: the text that follows it at once. */
function outputAfter(fences: readonly Fence[], index: number): string | undefined {
  const next = fences[index + 1]
  return next?.language === 'text' && !next.text.startsWith('np') ? next.text : undefined
}

/** A command that runs until it is stopped: the mock itself. */
function isStart(line: string): boolean {
  return line === OURS || [' --', ' open'].some((start) => line.startsWith(OURS + start))
}

async function runLine(line: string, cwd: string, url: string): Promise<string> {
  // What a shell reads needs one.
  const isPlain = line.startsWith(OURS) && !/['"|>*]/.test(line)
  if (isPlain) {
    const { stdout, stderr } = await runHere(line.slice(OURS.length + 1).split(' '), {
      cwd,
      env: { ANIMAL_STORE_URL: url },
    })
    return stdout + stderr
  }
  const command = line
    .replace(OURS, BIN)
    .replace(/^curl/, 'curl -sS')
    .replaceAll('http://127.0.0.1:7387', url.replace(/\/v1$/, ''))
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], {
    cwd,
    env: { ...process.env, ANIMAL_STORE_URL: url },
  })
  return stdout + stderr
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** What differs from run to run: times of day and durations. */
function withoutTimes(text: string): string {
  return text.replaceAll(/\d\d:\d\d:\d\d\.\d{3}Z/g, '…Z').replaceAll(/\b[\d.]+ m?s\b/g, '… ms')
}

/** `…` stands for anything. */
function toPattern(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
