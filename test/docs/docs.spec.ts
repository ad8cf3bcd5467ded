// Nothing in the documentation is only claimed: snippets are parts of examples that other suites
// run, commands are run here, and tables are compared with the code. Promises about behaviour are
// in claims.spec.ts.
import { execFile, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { purposes } from '../../build/docs-methods.ts'
import { WRITTEN_BY_COMMANDS } from '../../build/docs-options.ts'
import { renderTypes } from '../../build/docs-types.ts'
import { fillTables } from '../../build/fill-docs.ts'
import * as calibration from '../../src/calibrate/calibrate.ts'
import { commands as cliCommands } from '../../src/cli/commands.ts'
import type { CliCommand } from '../../src/cli/lib/command.ts'
import * as client from '../../src/control/client/connect.ts'
import type { MethodRow } from '../../src/control/method-row.ts'
import { extras, methods } from '../../src/control/methods.ts'
import * as msw from '../../src/hosts/msw.ts'
import * as node from '../../src/hosts/node/index.ts'
import * as vite from '../../src/hosts/node/vite.ts'
import * as page from '../../src/hosts/page.ts'
import * as index from '../../src/index.ts'
import * as playwright from '../../src/kits/playwright.ts'
import * as storybook from '../../src/kits/storybook.ts'
import * as vitestKit from '../../src/kits/vitest.ts'
import * as generate from '../../src/scenario/generated-animals.ts'
import { type Flag, nameBinding } from '../../src/scenario/settings/flag.ts'
import { settingTexts } from '../../src/scenario/settings/texts.ts'
import * as shipped from '../../src/scenario/shipped.ts'
import { startCli } from '../support/cli-process.ts'
import {
  anchorsOf,
  fencesOf,
  isNodeTest,
  pageOf,
  pages,
  root,
  rowsOf,
  sectionOf,
  tableOf,
} from '../support/documents.ts'
import { runHere } from '../support/run-here.ts'

const { createFetch, createMock } = index
const { createHandlers } = msw
const { serve } = node
const { generatePets } = generate
const { scenarios } = shipped

const manifest = manifestOf('.')
const OURS = 'npx animal-store-mock'
/** Done to the letter by stories.spec.ts, as is the code that begins with its imports. */
const STORIES = [
  'docs/getting-started.md',
  'docs/recipes.md',
  'docs/timeline.md',
  'docs/what-if.md',
  'docs/recordings.md',
]
const SCRIPTS = [
  'docs/library.md',
  'docs/control.md',
  'docs/appendix/functions.md',
  'docs/appendix/limits.md',
]

describe('every page', () => {
  it.each(pages)('$path has working links, and names only files that exist', ({ path, text }) => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => link)
    const broken = links.filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = join(root, file === '' ? path : join(dirname(path), file))
      return (
        !existsSync(target) ||
        (anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor))
      )
    })
    expect(broken).toEqual([])
    const named = [
      ...text.matchAll(
        /`((?:src|test|spec|build|docs|examples|fixtures|bench|bin|\.ci|\.github)\/[\w./-]*)`/g,
      ),
    ]
    // Made by the build, and not committed.
    expect(
      named
        .map(([, file = '']) => file)
        .filter((file) => !/^src\/generated/.test(file) && !existsSync(join(root, file))),
    ).toEqual([])
  })

  it.each(pages)('$path names only scripts that exist', ({ path, text }) => {
    const [own = '.'] = /^examples\/[\w-]+(?=\/)/.exec(path) ?? []
    for (const line of text.split('\n')) {
      // A row about an example, which begins with a link to it, names the example's scripts.
      const [, example] = /^\| \[[\w-]+\]\(([\w-]+)\)/.exec(line) ?? []
      const { scripts } = manifestOf(example === undefined ? own : `examples/${example}`)
      const named = [...line.matchAll(/\bnpm run ([\w:]+)/g)].map(([, script = '']) => script)
      expect(Object.keys(scripts), line).toEqual(expect.arrayContaining(named))
    }
  })
})

describe('the snippets', () => {
  const examples = ['examples', 'test/kits/runners/kit-browser'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.m?[jt]s$/.test(file))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  )

  it.each(
    fencesOf('ts', 'js')
      .filter((fence) => !STORIES.includes(fence.page) || !isNodeTest(fence))
      .filter(({ page, text }) => !SCRIPTS.includes(page) || !text.startsWith('import'))
      .map(({ page, text }) => [
        page,
        text.split('\n').find((line) => !line.startsWith('import')) ?? '',
        text,
      ]),
  )('of %s are part of an example: %s', (_, __, text) => {
    expect(examples.some((example) => example.includes(text))).toBe(true)
  })

  it.each(
    fencesOf('yaml').flatMap(({ page, text }) =>
      text.startsWith('- run: ') ? [[page, text]] : [],
    ),
  )('of %s are part of the workflow that the matrix runs: %s', (_, text) => {
    const lines = text.trim().split('\n')
    expect(readFileSync(join(root, 'examples/ci/workflow.yaml'), 'utf8')).toContain(
      lines.map((line) => `      ${line}\n`).join(''),
    )
  })

  it('of a whole workflow is the beginning of the one that the matrix runs', () => {
    const whole = fencesOf('yaml').find(
      ({ page, text }) => page === 'docs/ci.md' && /^jobs:$/m.test(text),
    )
    expect(
      readFileSync(join(root, 'examples/ci/workflow.yaml'), 'utf8').startsWith(
        `${whole?.text.trim()}\n`,
      ),
    ).toBe(true)
  })

  it('all say their language, and it is one that is checked', () => {
    const known = ['ts', 'js', 'sh', 'yaml', 'text', 'py', 'java', 'go']
    for (const { path, text } of pages) {
      const opened = [...text.matchAll(/^```(\w*)$/gm)]
        .filter((_, index) => index % 2 === 0)
        .map(([, language]) => language)
      expect({
        path,
        unknown: opened.filter((language) => !known.includes(language ?? '')),
      }).toEqual({ path, unknown: [] })
    }
  })
})

describe('the tables', () => {
  it.each(pages.filter(({ text }) => text.includes('<!-- table: ')))(
    'of $path are as the build writes them',
    ({ text }) => {
      expect(fillTables(text)).toBe(text)
    },
  )

  it('of the types are as the build writes them', () => {
    expect(pageOf('docs/appendix/types.md').text).toBe(renderTypes())
  })

  it('of the control methods are all in docs/control.md', () => {
    const { text } = pageOf('docs/control.md')
    for (const name of purposes) expect(text).toContain(`<!-- table: methods for ${name} -->`)
  })

  it('list every field of a scenario, a fault and a logged request, and every member of a mock', async () => {
    const { properties } = JSON.parse(
      readFileSync(join(root, 'fixtures/scenario.schema.json'), 'utf8'),
    )
    expect(namesIn(tableOf('docs/scenarios.md', 'field'))).toEqual(
      Object.keys(properties)
        .filter((name) => !WRITTEN_BY_COMMANDS.includes(name))
        .sort(),
    )
    expect(namesIn(tableOf('docs/faults.md', 'field'))).toEqual(
      Object.keys(properties.faults.items.properties).sort(),
    )
    const mock = createMock({ faults: [{ operation: '*', status: 503 }] })
    await mock.fetch('/v1/pets', { headers: { authorization: 'Bearer any-key' } })
    const [row = {}] = mock.control.requests()
    // Read from the others, and not sent over HTTP.
    const derived = ['json', 'petId', 'query'].filter((name) => name in row)
    const fields = sectionOf('docs/appendix/types.md', 'requestrow')
      .match(/^\| `\w+/gm)
      ?.map((cell) => cell.slice(3))
    expect(fields?.sort()).toEqual([...Object.keys(row), ...derived].sort())
    expect(namesIn(tableOf('docs/library.md', 'member of a mock'))).toEqual(
      Object.keys(mock).sort(),
    )
  })

  it('list every control method with its route and a true example, and every other route', async () => {
    const toRoute = ({ method, path }: MethodRow) => `\`${method} /__mock${path}\``
    const rows = tableOf('docs/appendix/routes.md', 'method')
    expect(rows.map(([name, route]) => [name, route])).toEqual(
      Object.entries(methods).map(([name, row]) => [`\`${name}\``, toRoute(row)]),
    )
    const listed = rowsOf('docs/appendix/routes.md', /^`[A-Z]+ /).map(([route]) => route)
    expect(listed.sort()).toEqual([...Object.values(extras).map(toRoute), '`GET /__mock/`'].sort())

    const { url, close } = await serve(createMock({ scenario: scenarios.single, sandbox: true }))
    onTestFinished(close)
    await fetch(`${url}/pets`, { headers: { authorization: 'Bearer key-1' } })
    let recording = ''
    for (const [name, route = '', body = '', response = ''] of rows) {
      // The shared state logs requests without a valid key.
      if (name === '`requests`') await fetch(`${url}/pets`)
      const [method = '', path = ''] = route.replaceAll('`', '').split(' ')
      const target = new URL(path.replace('{id}', path.includes('sandboxes') ? 'key-1' : '1'), url)
      const headers = {
        connection: 'close',
        ...(body === '' ? { 'x-mock-control': '1' } : { 'content-type': 'application/json' }),
      }
      const sent = await fetch(target, {
        method,
        headers,
        ...(body === ''
          ? {}
          : { body: body.replaceAll('`', '').replace('"…"', () => JSON.stringify(recording)) }),
      })
      const received = await sent.text()
      if (name === '`recording`')
        recording = await (await fetch(new URL(`${path}?sandbox=*`, url))).text()
      const text = sent.status === 204 ? '204' : `\`${received}\``
      expect(text, name).toMatch(
        new RegExp(`^${response.split('…').map(escapePattern).join('.*')}$`, 's'),
      )
    }
  })

  it.each<[string, () => unknown]>([
    ['createMock', () => createMock({ nosuch: 1 } as never)],
    ['connect', () => client.connect('http://127.0.0.1', { nosuch: 1 } as never)],
    ['calibrate', () => calibration.calibrate({ nosuch: 1 } as never)],
    ['createFetch', () => createFetch(createMock(), { nosuch: 1 } as never)],
    ['createHandlers', () => createHandlers({}, { nosuch: 1 } as never)],
    ['middleware', () => node.middleware(createMock(), { nosuch: 1 } as never)],
    ['serve', () => serve(createMock(), { nosuch: 1 } as never)],
    ['generatePets', () => generatePets({ count: 1, nosuch: 1 } as never)],
    ['mockStore', () => vitestKit.mockStore({ nosuch: 1 } as never)],
    ['withStore', () => playwright.withStore({} as never, { nosuch: 1 } as never)],
    ['storeLoader', () => storybook.storeLoader({ nosuch: 1 } as never)],
    ['animalStore', () => vite.animalStore({ nosuch: 1 } as never)],
  ])('list every option of %s', async (name, call) => {
    const message = await Promise.resolve()
      .then(call)
      .catch((error: Error) => error.message)
    const known = /(?:the options are|unknown field; expected) (.+)$/
      .exec(String(message))?.[1]
      ?.split(/, | and | or /)
    expect([...new Set(listOptions(name))].sort()).toEqual(known?.sort())
  })

  it('list everything that the package exports', () => {
    const kits = {
      '/vitest': vitestKit,
      '/jest': { mockStore: vitestKit.mockStore },
      '/playwright': playwright,
      '/storybook': storybook,
      '/console': page,
      '/vite': vite,
    }
    // Only the runtime of Workers can import it; test/worker/examples.spec.ts does.
    const worker = { default: {}, Sandbox: {} }
    const engine = {
      '': index,
      '/msw': msw,
      '/node': node,
      '/control': client,
      '/calibrate': calibration,
      '/generate': generate,
      '/scenarios': shipped,
    }
    expect(
      tableOf('docs/library.md', 'import').map(([names = '', from]) => [namesIn([[names]]), from]),
    ).toEqual(
      Object.entries({ ...engine, ...kits, '/worker': worker }).map(([path, module]) => [
        Object.keys(module).sort(),
        `\`animal-store-mock${path}\``,
      ]),
    )
  })

  it('list every setting as a binding of a Worker, beside its flag', () => {
    const rows = tableOf('examples/workerd/README.md', 'binding')
    for (const flag of Object.values(settingTexts).flatMap(
      ({ flags }) => Object.values(flags) as Flag[],
    )) {
      const row = rows.find(([binding = '']) => binding.includes(`\`${nameBinding(flag.syntax)}\``))
      expect(row?.[1], flag.syntax).toContain(`\`${flag.syntax.split(' ')[0]}\``)
    }
  })

  it('list every command', () => {
    const section = sectionOf('docs/command-line.md', 'commands')
    expect(Object.keys(cliCommands).filter((name) => !section.includes(`\`${name}\``))).toEqual([])
  })

  it('name only flags that exist', () => {
    const flagsOf = ({ flags = {}, commands = {} }: CliCommand): Flag[] => [
      ...Object.values(flags),
      ...Object.values(commands).flatMap(flagsOf),
    ]
    const flags = Object.values(cliCommands).flatMap(flagsOf)
    const names = flags.map(({ syntax }) => /--[a-z-]+/.exec(syntax)?.[0])
    const used = [
      ...pages.filter(({ path }) => /^(?:README|SKILL)\.md$|^docs\//.test(path)),
    ].flatMap(({ text }) =>
      [...withoutOtherTools(text).matchAll(/(?<=[\s`])--[a-z][a-z-]+/g)].map(([flag]) => flag),
    )
    expect(
      [...new Set(used)].filter(
        (flag) => ![...names, '--help', '--quiet', '--version'].includes(flag),
      ),
    ).toEqual([])
  })

  it('name only commands that exist, also for agents', () => {
    const used = pages.flatMap(({ text }) => [
      ...text.matchAll(/npx animal-store-mock ([a-z][a-z-]*)/g),
    ])
    expect(
      [...new Set(used.map(([, name = '']) => name))].filter(
        (name) => !Object.hasOwn(cliCommands, name),
      ),
    ).toEqual([])
  })

  it('list every decision', () => {
    const listed = [...pageOf('docs/decisions/README.md').text.matchAll(/\]\(([\w-]+\.md)\)/g)].map(
      ([, file = '']) => file,
    )
    const files = readdirSync(join(root, 'docs/decisions')).filter((file) => file !== 'README.md')
    expect(listed.sort()).toEqual(files.sort())
  })
})

describe('the commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'))
  const bin = join(root, 'bin/animal-store-mock.js')
  const commands = fencesOf('sh')
    .filter(({ page }) => !STORIES.includes(page))
    .flatMap(({ page, text }) =>
      text
        .trim()
        .split('\n')
        .map((line) => ({ page, line })),
    )
  const ours = commands
    .filter(({ line }) => line.startsWith(OURS))
    .map(({ page, line }) => ({ page, line: line.slice(OURS.length + 1) }))
  const starts = ours.filter(({ line }) => line === '' || line.startsWith('--'))
  const others = ours.filter(({ line }) => line !== '' && !line.startsWith('--'))
  const outputs = fencesOf('text').map(({ text }) => text)

  beforeAll(() => {
    writeFileSync(join(folder, 'saved.yaml'), JSON.stringify(createMock().control.state()))
    for (const { text } of fencesOf('yaml')) {
      const file = /^# (\w+\.yaml)$/m.exec(text)?.[1]
      if (file !== undefined) writeFileSync(join(folder, file), text)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const atMock = (line: string, url: string) =>
    line.replaceAll(
      /http:\/\/127\.0\.0\.1:7387|https:\/\/staging\.example\.com/g,
      new URL(url).origin,
    )
  const startMock = async (options: index.MockOptions = {}) => {
    const { url, close } = await serve(createMock(options))
    onTestFinished(close)
    return { url, env: { ANIMAL_STORE_URL: url, ANIMAL_STORE_REAL_KEY: 'any-key' } }
  }

  /** Runs a line in a shell, with our own command and the address of a running mock put in. */
  const run = (line: string, { url, env }: Awaited<ReturnType<typeof startMock>>) =>
    promisify(execFile)(
      'sh',
      ['-c', atMock(line, url).replace(OURS, `"${process.execPath}" "${bin}"`)],
      {
        cwd: folder,
        env: { ...process.env, ...env },
      },
    )

  it.each(starts)('of $page work: animal-store-mock $line', async ({ line }) => {
    const running = await startCli(line === '' ? [] : line.split(' '), { cwd: folder })
    const key = line.includes('scenario.yaml') ? 'qa-key' : 'any-key'
    const response = await fetch(`${running.url}/pets`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(response.status).toBe(line.includes('listPets=503') ? 503 : 200)
    expect((await running.stop('SIGTERM')).code).toBe(0)
  })

  it('show what `scenarios check` prints', async () => {
    const text = readFileSync(join(folder, 'scenario.yaml'), 'utf8')
    writeFileSync(join(folder, 'scenario.yaml'), text.replace('status: sold }', 'status: gone }'))
    const { stdout, stderr } = await runHere(['scenarios', 'check', 'scenario.yaml'], {
      cwd: folder,
    })
    writeFileSync(join(folder, 'scenario.yaml'), text)
    expect(outputs.filter((output) => output.startsWith('scenario.yaml:')).join()).toContain(
      (stdout + stderr).trim().split('\n')[0],
    )
  })

  it.each([...new Set(others.map(({ page }) => page))])(
    'of %s work on a running mock, in the order that they are written',
    { timeout: 60_000 },
    async (page) => {
      const lines = others.filter((one) => one.page === page).map(({ line }) => line)
      const mock = await startMock({ sandbox: lines.some((line) => line.includes('--sandbox ')) })
      for (const line of lines) {
        // Other commands and what a shell reads need one.
        const isPlain = !/^(exec|surprise) |[|>*]/.test(line)
        const { code, stdout } = isPlain
          ? await runHere(atMock(line, mock.url).split(' '), { cwd: folder, env: mock.env })
          : { code: 0, ...(await run(`${OURS} ${line}`, mock)) }
        expect(code, line).toBe(0)
        if (line === 'coverage coverage') expect(outputs).toContain(stdout)
        if (line.includes('saved.yaml'))
          expect(parse(readFileSync(join(folder, 'saved.yaml'), 'utf8'))).toMatchObject({
            name: 'saved',
          })
      }
    },
  )

  it.each(commands.filter(({ line }) => line.startsWith('curl')))(
    'of $page work: $line',
    async ({ line }) => {
      const { stdout } = await run(line.replace('curl', 'curl -sS'), await startMock())
      expect(stdout).toMatch(
        line.includes('code=503')
          ? /^HTTP\/1\.1 503[\s\S]*Preference-Applied: code=503, delay=100/
          : /^[[{]/,
      )
    },
  )

  it('of the README mean the same to sh, cmd and PowerShell', () => {
    const lines = commands.filter(({ page }) => page === 'README.md').map(({ line }) => line)
    expect(lines.length).toBeGreaterThan(2)
    // Single quotes, variables, chains and line ends that only some of them know; `&` and `%` are
    // safe in double quotes only.
    expect(
      lines.filter((line) => /['$`\\%^]|[&|;<>]/.test(line.replace(/"[^"$`\\%]*"/g, ''))),
    ).toEqual([])
  })

  it('are all run by these tests, or are scripts of the repository', () => {
    const known = /^(npx animal-store-mock|curl|npm ci$|npm test$|npm run [\w:]+$|npx vitest run )/
    expect(commands.filter(({ line }) => !known.test(line))).toEqual([])
  })

  it('of a clone of the repository start the mock', async () => {
    const { stdout } = await promisify(execFile)('npm', ['start', '--silent', '--', '--version'], {
      cwd: root,
    })
    expect(stdout.trim()).toBe(manifest.version)
  })

  it('say what to do in a clone that is not built yet', () => {
    mkdirSync(join(folder, 'bin'))
    cpSync(bin, join(folder, 'bin/animal-store-mock.cjs'))
    const { status, stderr } = spawnSync(process.execPath, ['bin/animal-store-mock.cjs'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(stderr).toBe('animal-store-mock: this clone is not built yet; run npm ci first\n')
    expect(status).toBe(2)
  })
})

describe('the files for GitHub', () => {
  const read = (file: string) => parse(readFileSync(join(root, '.github', file), 'utf8'))

  it('name each action by its commit', () => {
    for (const file of readdirSync(join(root, '.github/workflows'))) {
      const jobs = Object.values<{ steps: { uses?: string }[] }>(read(`workflows/${file}`).jobs)
      const used = jobs.flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))
      expect(used.length, file).toBeGreaterThan(0)
      for (const action of used) expect(action).toMatch(/@[0-9a-f]{40}$/)
    }
  })
})

/** Commands of other packages have other flags. */
function withoutOtherTools(text: string): string {
  return text.replaceAll(/`npx (?!animal-store-mock)[^`]*`|^git .*$/gm, '')
}

/**
 * The options of a function in the reference: its table, and the sentence about those of others.
 */
function listOptions(name: string): string[] {
  const reference = pageOf('docs/library.md').text + pageOf('docs/appendix/functions.md').text
  const [, section = ''] = reference.split(`\n## \`${name}(`)
  const [own = ''] = section.split('\n## ', 1)
  const [, rows = ''] = own.split(/^\| option \|.*$/m)
  const table = [...(rows.split('\n\n', 1)[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(
    ([, option = '']) => option,
  )
  const [also = ''] = /^It also takes .*(?:\n.+)*/m.exec(own) ?? []
  const [first = ''] = also.split('. ', 1)
  const named = [
    ...first.replaceAll(/\[.*?\]\(.*?\)|, as `\w+` does/g, '').matchAll(/`(\w+)`/g),
  ].map(([, option = '']) => option)
  const fields = first.includes('(scenarios.md#fields)')
    ? tableOf('docs/scenarios.md', 'field').slice(3)
    : []
  const unlisted = fields.length > 0 ? WRITTEN_BY_COMMANDS : []
  const others = named.flatMap((option) =>
    option === 'createMock' ? listOptions('createMock') : option,
  )
  return [...table, ...others, ...namesIn(fields), ...unlisted]
}

/** What the first cells of the rows name, sorted: `faults.add(fault)` is `faults.add`. */
function namesIn(rows: readonly (readonly string[])[]): string[] {
  return rows
    .flatMap(([cell = '']) => [...cell.matchAll(/`([\w.$]+)[^`]*`/g)].map(([, name = '']) => name))
    .sort()
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function manifestOf(folder: string): { scripts: object; version: string } {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}
