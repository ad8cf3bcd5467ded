// Nothing in the documentation is only claimed: snippets are parts of examples that other suites run, commands are run here, and
// tables are held against the code. Promises about behaviour are in claims.spec.ts.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { connect } from '../src/client/connect.ts'
import { extras, type MethodRow, methods } from '../src/control/methods.ts'
import * as generate from '../src/generate/index.ts'
import * as msw from '../src/hosts/msw.ts'
import * as node from '../src/hosts/node/index.ts'
import * as index from '../src/index.ts'
import * as playwright from '../src/kits/playwright.ts'
import * as storybook from '../src/kits/storybook.ts'
import * as vitestKit from '../src/kits/vitest.ts'
import * as limits from '../src/limits.ts'
import * as shipped from '../src/scenarios.ts'
import { runCli, startCli } from './support/cli-process.ts'
import { fencesOf, pageOf, pages, root, rowsOf, tableOf } from './support/documents.ts'

const { createFetch, createMock } = index
const { createHandlers } = msw
const { serve } = node
const { generatePets } = generate
const { scenarios } = shipped

const manifest = manifestOf('.')
const OURS = 'npx animal-store-mock'

describe('every page', () => {
  it.each(pages.flatMap(({ path, text }) => [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map((match) => [path, match[1] as string])))(
    '%s links to %s, which is there',
    (path, link) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? path : join(dirname(path), file)
      expect(existsSync(join(root, target))).toBe(true)
      if (anchor !== undefined) expect(anchorsOf(readFileSync(join(root, target), 'utf8'))).toContain(anchor)
    },
  )

  it.each(pages)('$path names only files that are there', ({ text }) => {
    const named = [...text.matchAll(/`((?:src|test|spec|build|docs|examples|fixtures|bench|bin|\.ci|\.github)\/[\w./-]*)`/g)].map(
      ([, file = '']) => file,
    )
    // Made by the build, and not committed.
    expect(named.filter((file) => !/^src\/generated/.test(file) && !existsSync(join(root, file)))).toEqual([])
  })

  it.each(pages)('$path names only scripts that are there', ({ text }) => {
    const own = Object.keys(manifest.scripts)
    for (const line of text.split('\n')) {
      // A row about an example, which begins with a link to it, names the example's own scripts.
      const [, example] = /^\| \[[\w-]+\]\(([\w-]+)\)/.exec(line) ?? []
      const scripts = example === undefined ? own : scriptsOf(`examples/${example}`)
      const named = [...line.matchAll(/\bnpm run ([\w:]+)/g)].map(([, script = '']) => script)
      expect(scripts, line).toEqual(expect.arrayContaining(named))
    }
  })

  it('names only flags that the help has', async () => {
    const names = (await runCli(['--help'])).stdout.matchAll(/^ {2}([a-z]+)\b/gm)
    const commands = [...names].map(([, name = '']) => name).filter((name) => name !== 'help')
    const helps = await Promise.all(
      [['--help'], ...commands.map((name) => [name, '--help']), ['scenarios', 'check', '--help']].map((line) => runCli(line)),
    )
    const known = new Set(helps.flatMap(({ stdout }) => [...stdout.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag)))
    const ours = ['README.md', ...pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'))]
    const used = ours.flatMap((path) =>
      [...withoutOtherTools(pageOf(path).text).matchAll(/(?<=[\s`])--[a-z][a-z-]+/g)].map(([flag]) => flag),
    )
    expect([...new Set(used)].filter((flag) => !known.has(flag))).toEqual([])
  })
})

describe('snippets', () => {
  const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file))
    .map((file) => readFileSync(join(root, 'examples', file), 'utf8'))

  it.each(fencesOf('ts', 'js').map(({ page, text }) => [page, text.split('\n').find((line) => !line.startsWith('import')) ?? '', text]))(
    'of %s are part of an example: %s',
    (_, __, text) => {
      expect(examples.filter((example) => example.includes(text))).toHaveLength(1)
    },
  )

  it.each(fencesOf('yaml').flatMap(({ page, text }) => (text.startsWith('- run: ') ? [[page, text]] : [])))(
    'of %s are part of the workflow that the matrix runs: %s',
    (_, text) => {
      const lines = text.trim().split('\n')
      expect(readFileSync(join(root, 'examples/ci/workflow.yaml'), 'utf8')).toContain(lines.map((line) => `      ${line}\n`).join(''))
    },
  )

  it('all say their language, and it is one that is checked', () => {
    const known = ['ts', 'js', 'sh', 'yaml', 'text']
    for (const { path, text } of pages) {
      const opened = [...text.matchAll(/^```(\w*)$/gm)].filter((_, index) => index % 2 === 0).map(([, language]) => language)
      expect({ path, unknown: opened.filter((language) => !known.includes(language ?? '')) }).toEqual({ path, unknown: [] })
    }
  })
})

describe('tables', () => {
  it('list every assumption with its choices', () => {
    const rows = createMock()
      .control.assumptions()
      .map(({ id, question, default: chosen, choices }) => [
        `\`${id}\`: ${question}`,
        `\`${chosen}\``,
        choices
          .filter((choice) => choice.id !== chosen)
          .map((choice) => `\`${choice.id}\``)
          .join(' · ') || '–',
      ])
    expect(rowsOf('docs/assumptions.md', /^`[\w-]+`: /)).toEqual(rows)
  })

  it('name the assumptions that are not noted each time', () => {
    const uncounted = createMock()
      .control.assumptions()
      .flatMap(({ id, uncounted: isThere }) => (isThere === undefined ? [] : [id]))
    const [, sentence = ''] = /too many responses to be noted each time:\n?(.*?)\./s.exec(pageOf('docs/assumptions.md').text) ?? []
    expect([...sentence.matchAll(/`([\w-]+)`/g)].map(([, id]) => id).sort()).toEqual(uncounted.sort())
  })

  it('list every limit with its value', () => {
    const rows = rowsOf('docs/limits.md', /./).filter((row) => row[3]?.startsWith('`'))
    expect(rows.map((row) => row[3]?.replaceAll('`', '')).sort()).toEqual(Object.keys(limits).sort())
    for (const [name, value] of Object.entries(limits)) {
      const row = rows.find((one) => one[3] === `\`${name}\``)
      expect(row?.[1]).toMatch(new RegExp(`(^|\\s)${toText(name, value)}(\\s|$)`))
    }
  })

  it('list every shipped scenario', () => {
    const rows = Object.values(scenarios).map(({ name, description }) => [`\`${name}\``, description])
    expect(rowsOf('docs/scenarios.md', /^`/).sort()).toEqual(rows.sort())
  })

  it('list every control method with its route, and every other route', () => {
    const toRoute = ({ method, path }: MethodRow) => `\`${method} /__mock${path}\``
    const rows = Object.entries(methods).map(([name, row]) => [`\`${name}\``, toRoute(row)])
    expect(rowsOf('docs/control-api.md', /^`[a-z.A-Z]+`$/).map(([name, route]) => [name, route])).toEqual(rows)
    const listed = rowsOf('docs/control-api.md', /^`[A-Z]+ /).map(([route]) => route)
    expect(listed.sort()).toEqual([...Object.values(extras).map(toRoute), '`GET /__mock/`'].sort())
  })

  it.each<[string, () => unknown]>([
    ['createMock', () => createMock({ nosuch: 1 } as never)],
    ['connect', () => connect('http://127.0.0.1', { nosuch: 1 } as never)],
    ['createFetch', () => createFetch(createMock(), { nosuch: 1 } as never)],
    ['createHandlers', () => createHandlers({}, { nosuch: 1 } as never)],
    ['serve', () => serve(createMock(), { nosuch: 1 } as never)],
    ['generatePets', () => generatePets({ count: 1, nosuch: 1 } as never)],
    ['mockStore', () => vitestKit.mockStore({ nosuch: 1 } as never)],
    ['withStore', () => playwright.withStore({} as never, { nosuch: 1 } as never)],
    ['storeLoader', () => storybook.storeLoader({ nosuch: 1 } as never)],
  ])('list every option of %s', async (door, call) => {
    const message = await Promise.resolve()
      .then(call)
      .catch((error: Error) => error.message)
    // The message for an unknown option names those that there are.
    const known = /(?:the options are|unknown field; expected) (.+)$/.exec(String(message))?.[1]?.split(/, | and | or /)
    expect(namesIn(tableOf('docs/library.md', `option of ${door}`))).toEqual(known?.sort())
  })

  it('list everything that the package exports', () => {
    const kits = { '/vitest': vitestKit, '/jest': { mockStore: vitestKit.mockStore }, '/playwright': playwright, '/storybook': storybook }
    // Only the runtime of Workers can import it; test/worker/examples.spec.ts does.
    const worker = { default: {}, Sandbox: {} }
    const doors = { '': index, '/msw': msw, '/node': node, '/generate': generate, '/scenarios': shipped, ...kits, '/worker': worker }
    expect(tableOf('docs/library.md', 'import').map(([names = '', from]) => [namesIn([[names]]), from])).toEqual(
      Object.entries(doors).map(([door, module]) => [Object.keys(module).sort(), `\`animal-store-mock${door}\``]),
    )
  })

  it('list every command', async () => {
    const { stdout } = await runCli(['--help'])
    const commands = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name)
    const listed = rowsOf('docs/command-line.md', /^`/).map(([cell]) => cell?.replaceAll('`', ''))
    expect(listed).toEqual(commands.filter((name) => name !== 'help' && !name?.startsWith('animal')))
  })

  it('list every decision', () => {
    const listed = [...pageOf('docs/decisions/README.md').text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => file)
    expect(listed.sort()).toEqual(
      readdirSync(join(root, 'docs/decisions'))
        .filter((file) => file !== 'README.md')
        .sort(),
    )
  })
})

describe('commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'))
  const bin = join(root, 'bin/animal-store-mock.js')
  const commands = fencesOf('sh').flatMap(({ page, text }) =>
    text
      .trim()
      .split('\n')
      .map((line) => ({ page, line })),
  )
  const ours = commands.filter(({ line }) => line.startsWith(OURS)).map(({ page, line }) => ({ page, line: line.slice(OURS.length + 1) }))
  const starts = ours.filter(({ line }) => line === '' || line.startsWith('--'))
  const others = ours.filter(({ line }) => line !== '' && !line.startsWith('--'))

  beforeAll(() => {
    for (const { text } of fencesOf('yaml')) {
      const file = /^# (\S+\.yaml)$/m.exec(text)?.[1]
      if (file !== undefined) writeFileSync(join(folder, file), text)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs a line in a shell, with our own command and the address of a running mock put in. */
  const run = (line: string, url: string) =>
    promisify(execFile)(
      'sh',
      ['-c', line.replace(OURS, `"${process.execPath}" "${bin}"`).replaceAll('http://127.0.0.1:7387', new URL(url).origin)],
      {
        cwd: folder,
        env: { ...process.env, ANIMAL_STORE_URL: url },
      },
    )

  it.each(starts)('$page: animal-store-mock $line', async ({ line }) => {
    const running = await startCli(line === '' ? [] : line.split(' '), { cwd: folder })
    const key = line.includes('scenario.yaml') ? 'qa-key' : 'any-key'
    const response = await fetch(`${running.url}/pets`, { headers: { authorization: `Bearer ${key}` } })
    expect(response.status).toBe(200)
    expect((await running.stop('SIGTERM')).code).toBe(0)
  })

  it.each([...new Set(others.map(({ page }) => page))])(
    'of %s work on a running mock, in the order that they are written',
    { timeout: 60_000 },
    async (page) => {
      const lines = others.filter((one) => one.page === page).map(({ line }) => line)
      const running = await startCli(lines.some((line) => line.includes('--sandbox ')) ? ['--sandbox'] : [], { cwd: folder })
      for (const line of lines) {
        const { stdout } = await run(`${OURS} ${line}`, running.url)
        if (line === 'coverage coverage/*.json') expect(fencesOf('text').map(({ text }) => text)).toContain(stdout)
      }
      if (lines.some((line) => line.includes('saved.yaml'))) {
        expect(parse(readFileSync(join(folder, 'saved.yaml'), 'utf8'))).toMatchObject({ name: 'saved', faults: expect.any(Array) })
        rmSync(join(folder, 'saved.yaml'))
      }
    },
  )

  it.each(commands.filter(({ line }) => line.startsWith('curl')))('$page: $line', async ({ line }) => {
    const running = await startCli([], { cwd: folder })
    const { stdout } = await run(line.replace('curl', 'curl -sS'), running.url)
    expect(stdout).toMatch(line.includes('code=503') ? /^HTTP\/1\.1 503[\s\S]*Preference-Applied: code=503, delay=100/ : /^[[{]/)
  })

  it('of the README mean the same to sh, cmd and PowerShell', () => {
    const lines = commands.filter(({ page }) => page === 'README.md').map(({ line }) => line)
    expect(lines.length).toBeGreaterThan(5)
    // Single quotes, variables, chains and line ends that only some of them know; `&` and `%` are safe in double quotes only.
    expect(lines.filter((line) => /['$`\\%^]|[&|;<>]/.test(line.replace(/"[^"$`\\%]*"/g, '')))).toEqual([])
  })

  it('are all run here, or are scripts of the repository', () => {
    const known = /^(npx animal-store-mock|curl|npm ci$|npm start$|npm test$|npm run [\w:]+$|npx vitest run )/
    expect(commands.filter(({ line }) => !known.test(line))).toEqual([])
  })

  it.each([
    ['npm', 'start', '--silent', '--', '--version'],
    ['npx', '--offline', 'animal-store-mock', '--version'],
  ])('start with ones that work in a clone: %s %s', async (command, ...args) => {
    const { stdout } = await promisify(execFile)(command, args, { cwd: root })
    expect(stdout.trim()).toBe(manifest.version)
  })
})

describe('the files for GitHub', () => {
  const read = (file: string) => parse(readFileSync(join(root, '.github', file), 'utf8'))

  it('run what must pass on every supported Node version', () => {
    const { jobs } = read('workflows/ci.yml')
    expect(jobs.test.strategy.matrix).toEqual({ node: [20, 22, 24] })
    expect(jobs.test.steps.map(({ run }: { run?: string }) => run).filter(Boolean)).toEqual(['.ci/run'])
  })

  it.each(['bug.yml', 'idea.yml'])('ask, in %s, for what is needed', (file) => {
    const form = read(`ISSUE_TEMPLATE/${file}`)
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    const ids = form.body.map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { type, attributes } of form.body) {
      expect(['textarea', 'input']).toContain(type)
      expect(attributes.label).toMatch(/\w/)
    }
  })
})

/** Commands of other packages have flags of their own. */
function withoutOtherTools(text: string): string {
  return text.replaceAll(/`npx (?!animal-store-mock)[^`]*`/g, '')
}

/** The anchors that GitHub makes of headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

/** What the first cells of the rows name, sorted: `faults.add(fault)` is `faults.add`. */
function namesIn(rows: readonly (readonly string[])[]): string[] {
  return rows.flatMap(([cell = '']) => [...cell.matchAll(/`([\w.]+)[^`]*`/g)].map(([, name = '']) => name)).sort()
}

/** A limit as the table writes it: `1 MiB`, `30 s`, `1,000`. */
function toText(name: string, value: number): string {
  const unit = [...Object.entries({ GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10 })].find(([, size]) => value >= size)
  if (name.endsWith('_BYTES') && unit) return `${value / unit[1]} ${unit[0]}`
  if (name.endsWith('_MS')) return `${value / 1000} s`
  return value.toLocaleString('en')
}

function scriptsOf(folder: string): string[] {
  return Object.keys(manifestOf(folder).scripts)
}

function manifestOf(folder: string): { scripts: object; version: string } {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}
