// The package as it is published: packed, installed into empty projects, and used through every
// door by programs that know nothing of this repository (test/package/).
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { type OutputChunk, rolldown } from 'rolldown'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryPoints, peers } from '../../build/entry-points.ts'
import { checkTypes, createProject, ownVersion, type Packed, pack, run } from './install.ts'

/** A fifth of it is the SDK of the MCP server. */
const TARBALL_LIMIT = 560_000
/** Without the shipped scenarios, which a page fetches only if it names one. */
const PAGE_LIMIT = 32_000
const EXPORTS = {
  index: ['UsageError', 'assertReceived', 'createFetch', 'createMock'],
  calibrate: ['calibrate'],
  control: ['UsageError', 'connect'],
  generate: ['expandScenario', 'generatePets'],
  msw: ['createHandlers', 'handlers'],
  node: ['loadScenario', 'middleware', 'serve'],
  scenarios: ['scenarios'],
  playwright: ['withStore'],
  storybook: ['storeLoader'],
  console: ['openConsole'],
  vite: ['animalStore'],
}
/** Doors that open inside a test runner or workerd alone; the examples go through them. */
const ELSEWHERE = ['jest', 'vitest', 'worker']

const root = fileURLToPath(new URL('../../', import.meta.url))
const temporary = mkdtempSync(join(tmpdir(), 'packed-'))
let packed: Packed
/** A project with msw and a typed client. */
let project: string
/** A project with nothing but the package. */
let bare: string

beforeAll(() => {
  packed = pack(temporary)
  project = createProject(packed.tarball, [ownVersion('msw'), ownVersion('openapi-fetch')])
  bare = createProject(packed.tarball, [])
})
afterAll(() => {
  for (const folder of [temporary, project, bare])
    if (folder) rmSync(folder, { recursive: true, force: true })
})

/**
 * Bundles a program that imports the package, in one of the projects; packages of the list stay
 * outside.
 */
async function bundleFor(
  platform: 'browser' | 'node',
  code: string,
  external: (string | RegExp)[],
): Promise<OutputChunk[]> {
  const input = join(project, 'entry.mjs')
  writeFileSync(input, code)
  const bundle = await rolldown({ cwd: project, input, platform, external })
  const { output } = await bundle.generate({ minify: true })
  return output.filter((chunk) => chunk.type === 'chunk')
}

describe('the tarball', () => {
  it('is at most 560 kB', () => {
    expect(packed.size).toBeLessThanOrEqual(TARBALL_LIMIT)
  })

  it('holds the published files, and no source or test', () => {
    expect(packed.files).toEqual(
      expect.arrayContaining([
        ...[
          'LICENSE',
          'README.md',
          'bin/animal-store-mock.js',
          'dist/THIRD-PARTY-LICENSES.md',
          'dist/openapi.json',
        ],
        ...['SKILL.md', 'fixtures/scenario.schema.json', 'spec/openapi.yaml'],
      ]),
    )
    const published =
      /^(bin\/|dist\/|fixtures\/|spec\/openapi\.yaml$|[A-Z]+(\.md)?$|package\.json$)/
    expect(packed.files.filter((file) => !published.test(file))).toEqual([])
    expect(packed.files.filter((file) => /\.(test|spec)\.|\.map$/.test(file))).toEqual([])
  })

  it('has a README whose links a registry can lead to the repository', () => {
    const folder = join(bare, 'node_modules/animal-store-mock')
    const text = readFileSync(join(folder, 'README.md'), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([])
    const { repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(repository.url).toMatch(/^git\+https:\/\/github\.com\/[\w-]+\/[\w-]+\.git$/)
  })

  it('names one repository and one site in every file that has their addresses', () => {
    const { bugs, homepage, repository } = JSON.parse(
      readFileSync(join(bare, 'node_modules/animal-store-mock/package.json'), 'utf8'),
    )
    const address = repository.url.replace(/^git\+|\.git$/g, '')
    expect(bugs.url).toBe(`${address}/issues`)
    expect(homepage).toMatch(/^https:\/\/.+\/$/)
    for (const file of ['SECURITY.md', '.github/ISSUE_TEMPLATE/config.yml']) {
      const text = readFileSync(join(root, file), 'utf8')
      const named = [...text.matchAll(/https:\/\/github\.com\/[\w-]+\/[\w-]+/g)].map(([one]) => one)
      expect(new Set(named), file).toEqual(new Set([address]))
    }
  })

  it('has a skill for agents, which the command agents prints without its head', () => {
    const skill = readFileSync(join(bare, 'node_modules/animal-store-mock/SKILL.md'), 'utf8')
    expect(skill).toMatch(/^---\nname: animal-store-mock\ndescription: \S.{20,}\n---\n\n#/)
    const printed = run(join(bare, 'node_modules/.bin/animal-store-mock'), ['agents'], bare)
    expect(skill.endsWith(printed)).toBe(true)
    expect(printed).toMatch(/^## /)
  })

  it('brings no dependencies along', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
      readFileSync(join(bare, 'node_modules/animal-store-mock/package.json'), 'utf8'),
    )
    expect({ dependencies, peerDependencies, peerDependenciesMeta }).toEqual({
      peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }])),
    })
    const { packages } = JSON.parse(readFileSync(join(bare, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, unknown>
    }
    expect(Object.keys(packages)).toEqual(['', 'node_modules/animal-store-mock'])
  })

  it('has no script that npm would run, or warn about, when it is installed', () => {
    const { scripts } = JSON.parse(
      readFileSync(join(bare, 'node_modules/animal-store-mock/package.json'), 'utf8'),
    )
    expect(
      Object.keys(scripts).filter((name) => /install$|prepare$|^prepublish$/.test(name)),
    ).toEqual([])
  })

  it('names the licence of everything that is bundled', () => {
    const text = readFileSync(
      join(bare, 'node_modules/animal-store-mock/dist/THIRD-PARTY-LICENSES.md'),
      'utf8',
    )
    for (const name of ['@faker-js/faker', 'commander', 'preact', 'yaml'])
      expect(text).toContain(`## ${name} `)
  })

  it('has nothing that publint would object to', async () => {
    const { messages } = await publint({
      pkgDir: join(bare, 'node_modules/animal-store-mock'),
      pack: false,
      strict: true,
    })
    expect(messages).toEqual([])
  })

  it('has types that every resolution finds', () => {
    const attw = fileURLToPath(
      new URL('../../node_modules/@arethetypeswrong/cli/dist/index.js', import.meta.url),
    )
    // YAML is a file to read, not a module to import.
    const esmOnly = entryPoints.flatMap(({ name, isEsmOnly }) => (isEsmOnly ? [name] : []))
    const check = (flags: readonly string[]) =>
      JSON.parse(
        run(process.execPath, [attw, packed.tarball, ...flags, '--format', 'json'], temporary),
      )
    const { analysis, problems } = check([
      '--profile',
      'strict',
      '--exclude-entrypoints',
      'openapi.yaml',
      ...esmOnly,
    ])
    const rest = check(['--profile', 'esm-only', '--entrypoints', ...esmOnly])
    expect(
      [...Object.keys(analysis.entrypoints), ...Object.keys(rest.analysis.entrypoints)].sort(),
    ).toEqual(
      Object.keys(
        JSON.parse(readFileSync(join(bare, 'node_modules/animal-store-mock/package.json'), 'utf8'))
          .exports,
      )
        .filter((path) => !path.endsWith('.yaml'))
        .sort(),
    )
    expect(problems).toEqual({})
  })
})

describe('an installed package', () => {
  it('has exactly the listed exports in each of its ES modules', () => {
    const seen = JSON.parse(run(process.execPath, ['imports.mjs'], project))
    expect(seen.exports).toEqual(EXPORTS)
    expect(seen.golden).toEqual(
      JSON.parse(
        readFileSync(
          new URL('../../src/scenario/generate/generate-pets.golden.json', import.meta.url),
          'utf8',
        ),
      ),
    )
    expect([...Object.keys(EXPORTS), ...ELSEWHERE].sort()).toEqual(
      entryPoints.map(({ name }) => name).sort(),
    )
  })

  it('can be required from CommonJS', () => {
    expect(run(process.execPath, ['imports.cjs'], project)).toBe('Animal Store\n')
  })

  it('takes a mock of its ES modules in its CommonJS functions, and the other way round', () => {
    expect(run(process.execPath, ['mixed.mjs'], project)).toBe('both ways\n')
  })

  it.each(['nodenext', 'bundler'] as const)(
    'has types that compile with moduleResolution %s, an openapi-fetch client among them',
    (resolution) => {
      checkTypes(project, resolution)
    },
  )

  it('needs msw for animal-store-mock/msw alone', () => {
    const load = (door: string) =>
      run(
        process.execPath,
        ['--input-type=module', '-e', `await import('animal-store-mock${door}')`],
        bare,
      )
    for (const door of [
      '',
      '/calibrate',
      '/control',
      '/node',
      '/generate',
      '/scenarios',
      '/playwright',
      '/storybook',
      '/vite',
      '/console',
    ])
      expect(load(door)).toBe('')
    expect(() => load('/msw')).toThrow(/Cannot find package 'msw'/)
  })

  it('has the command animal-store-mock', () => {
    const { version } = JSON.parse(
      readFileSync(join(bare, 'node_modules/animal-store-mock/package.json'), 'utf8'),
    )
    expect(run('npx', ['--no-install', 'animal-store-mock', '--version'], bare).trim()).toBe(
      version,
    )
    const animals = run(
      join(bare, 'node_modules/.bin/animal-store-mock'),
      ['generate', '--count', '2', '--seed', '7'],
      bare,
    )
    expect(animals).toContain('Tuffy the Harlequin rabbit')
    expect(
      run(
        join(bare, 'node_modules/.bin/animal-store-mock'),
        ['exec', '--', process.execPath, '-p', 'process.env.ANIMAL_STORE_URL'],
        bare,
      ),
    ).toMatch(/http:\/\/127\.0\.0\.1:\d+\/v1/)
  })

  it('does not run its command when it is imported', () => {
    const importAll = `${Object.keys(EXPORTS)
      .map((door) => `import 'animal-store-mock${door === 'index' ? '' : `/${door}`}'`)
      .join('\n')}\nconsole.log('idle')`
    const output = execFileSync(
      process.execPath,
      ['--input-type=module', '-e', importAll, '--', '--port', '0'],
      {
        cwd: project,
        encoding: 'utf8',
        timeout: 20_000,
      },
    )
    expect(output).toBe('idle\n')
  })
})

describe('in a page', () => {
  it.each([
    'animal-store-mock',
    'animal-store-mock/msw',
    'animal-store-mock/generate',
    'animal-store-mock/scenarios',
  ])('%s imports no module of Node', async (door) => {
    const chunks = await bundleFor('browser', `export * from '${door}'`, [/^node:/, /^msw/])
    const own = chunks.map(({ fileName }) => fileName)
    const imports = new Set(chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]))
    expect([...imports].filter((name) => !own.includes(name))).toEqual(
      door.endsWith('msw') ? ['msw'] : [],
    )
  })

  it('the handlers are at most 32 kB of a compressed bundle, with the engine and the default scenario', async () => {
    const chunks = await bundleFor('browser', "export * from 'animal-store-mock/msw'", [/^msw/])
    const lazy = new Set(chunks.flatMap((chunk) => chunk.dynamicImports))
    const atOnce = new Set(
      chunks
        .filter(({ isEntry }) => isEntry)
        .flatMap((entry) => [entry.fileName, ...entry.imports]),
    )
    expect([...atOnce].filter((name) => lazy.has(name))).toEqual([])
    const loaded = chunks.filter(({ fileName }) => atOnce.has(fileName))
    const size = loaded.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
    console.log(`animal-store-mock/msw for a browser, without msw: ${size} bytes gz`)
    expect(size).toBeLessThanOrEqual(PAGE_LIMIT)
  })

  it('the handlers can be built by Vite', async () => {
    writeFileSync(
      join(project, 'page.mjs'),
      "import { setupWorker } from 'msw/browser'\nimport { handlers } from 'animal-store-mock/msw'\nsetupWorker(...handlers).start()",
    )
    writeFileSync(
      join(project, 'index.html'),
      '<!doctype html><title>x</title><script type="module" src="./page.mjs"></script>',
    )
    const output = await build({
      root: project,
      configFile: false,
      logLevel: 'warn',
      build: { write: false },
    })
    expect(
      [output]
        .flat()
        .flatMap((one) => ('output' in one ? one.output.map(({ fileName }) => fileName) : [])),
    ).toContain('index.html')
  })
})
