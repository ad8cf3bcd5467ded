// Holds the shape of the code: imports go down, platform modules stay at the edge, facts of the interface stay in the YAML.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { peers } from '../../build/entry-points.ts'
import { parseSource } from '../../build/read-source.ts'
import { contract } from '../../src/generated/contract.ts'
import { operations } from '../../src/operations/index.ts'
import { tableOf } from '../support/documents.ts'

const root = fileURLToPath(new URL('../../src/', import.meta.url))

/** The floors of CONTRIBUTING.md, from the ground up. A file may import from its own floor and from those below. */
const FLOORS = tableOf('CONTRIBUTING.md', 'floor')
  .map(([cell = '']) => [...cell.matchAll(/`src\/([^`]+)`/g)].map(([, place = '']) => place))
  .reverse()
/** Rooms on one floor that know nothing of each other. */
const APART: readonly RegExp[] = [
  ...[/^hosts\/node\//, /^hosts\/msw\.ts$/, /^hosts\/global-fetch\.ts$/, /^hosts\/vite\.ts$/, /^hosts\/worker\//],
  ...[/^calibrate\//, /^cli\//, /^console\//, /^kits\//],
]
/** The page has no engine in it: of the rooms below the client it knows the contract, the limits and types. */
const ENGINE = /^(operations|service|control(?!\/methods\.ts)|world(?!\/row\.ts)|scenario|generate|hosts)\/|^mock\//
/** Files that build regular expressions, each once: from our schemas, from the spec, `baseUrl` and constants; one takes those of a test. */
const MAY_BUILD_REGEXPS = [
  'contract/schema.ts',
  'kits/match-request.ts',
  'mock/base-address.ts',
  'service/route.ts',
  'settings/duration.ts',
]
const MAY_USE_NODE = /^cli\/|^hosts\/node\/|^scenario\/files\.ts$/

interface Source {
  readonly file: string
  readonly text: string
  /** What it imports, as paths from src/ or as package names; types are not imports once it runs. */
  readonly imports: readonly string[]
  readonly typeImports: readonly string[]
}

const sources: Source[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return { file, text, ...readImports(file, text) }
  })

function readImports(file: string, text: string): Pick<Source, 'imports' | 'typeImports'> {
  const { imports, typeImports } = parseSource(file, text)
  const toPath = (source: string) => (source.startsWith('.') ? relative(root, join(root, dirname(file), source)) : source)
  return { imports: imports.map(toPath), typeImports: typeImports.map(toPath) }
}

/** Everything that is loaded with a file, sooner or later. */
function reach(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const to of sources.find((source) => source.file === file)?.imports ?? []) reach(to, reached)
  return reached
}

/** The floor that names the file itself, or its folder; packages are below all of them. */
function floorOf(file: string): number {
  const named = FLOORS.findIndex((places) => places.includes(file))
  return named >= 0 ? named : FLOORS.findIndex((places) => places.includes(`${file.split('/')[0]}/`))
}

describe('the source tree', () => {
  it('has a floor for every file, and a file or folder for everything that a floor names', () => {
    expect(sources.map(({ file }) => file).filter((file) => floorOf(file) < 0)).toEqual([])
    expect(FLOORS.flat().filter((place) => !existsSync(join(root, place)))).toEqual([])
  })

  it('has no file of more than 300 lines, and no line of more than 120 columns', () => {
    const isLong = (lines: readonly string[]) => lines.length > 300 || lines.some((line) => [...line].length > 120)
    const long = sources.filter(({ file, text }) => !file.startsWith('generated/') && isLong(text.trimEnd().split('\n')))
    expect(long.map(({ file }) => file)).toEqual([])
  })

  it('is read with all its imports: with names, without, of types and later ones', () => {
    const loaded = ["import { a } from './a.ts'", "import '../cli/main.ts'", "export * from './b.ts'", 'const c = await import(\n"./c.ts")']
    const types = ["import type { D } from './d.ts'", "let e: import('./e.ts').E", "export type { F } from './f.ts'"]
    expect(readImports('world/x.ts', [...loaded, ...types].join('\n'))).toEqual({
      imports: ['world/a.ts', 'cli/main.ts', 'world/b.ts', 'world/c.ts'],
      typeImports: ['world/d.ts', 'world/e.ts', 'world/f.ts'],
    })
  })

  it('has no import from a higher floor', () => {
    const upward = sources.flatMap(({ file, imports, typeImports }) =>
      [...imports, ...typeImports].filter((to) => floorOf(to) > floorOf(file)).map((to) => `${file} → ${to}`),
    )
    expect(upward).toEqual([])
  })

  it('has no import between hosts, kits and others of one layer, but from the top layer to hosts, and from Vite’s server to Node’s', () => {
    const roomOf = (file: string) => APART.findIndex((room) => room.test(file))
    const across = sources.flatMap(({ file, imports, typeImports }) =>
      [...imports, ...typeImports]
        .filter((to) => roomOf(file) >= 0 && roomOf(to) >= 0 && roomOf(to) !== roomOf(file))
        .map((to) => `${file.split('/')[0]} → ${to.split('/').slice(0, -1).join('/')}`),
    )
    expect([...new Set(across)].sort()).toEqual([
      'cli → calibrate',
      'cli → hosts/node',
      'hosts → hosts/node',
      'kits → hosts',
      'kits → hosts/node',
    ])
  })

  it.each<[string, string[]]>([
    ['vitest', ['msw', 'vitest']],
    ['jest', ['@jest/globals', 'msw']],
    ['playwright', []],
    ['storybook', ['msw']],
  ])('has a kit for %s that needs no packages of the user but %j', (kit, packages) => {
    const reached = reach(`kits/${kit}.ts`)
    const named = (name: string) => [...reached].some((source) => source === name || source.startsWith(`${name}/`))
    expect(peers.filter(named).sort()).toEqual(packages)
  })

  it('has no import of the engine in the console', () => {
    const inside = sources.flatMap(({ file, imports }) =>
      file.startsWith('console/') ? imports.filter((to) => ENGINE.test(to)).map((to) => `${file} → ${to}`) : [],
    )
    expect(inside).toEqual([])
  })

  it('has no cycle of imports', () => {
    const next = new Map(sources.map(({ file, imports, typeImports }) => [file, [...imports, ...typeImports]]))
    const done = new Set<string>()
    const walk = (file: string, path: readonly string[]): string[] | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
      if (done.has(file)) return undefined
      for (const to of next.get(file) ?? []) {
        const cycle = walk(to, [...path, file])
        if (cycle) return cycle
      }
      done.add(file)
      return undefined
    }
    for (const { file } of sources) expect(walk(file, [])).toBeUndefined()
  })

  it('builds no regular expression from what a request, a control body or a file carries', () => {
    // Methods of strings turn a text into one as well.
    const builds = /\bRegExp\s*\(|\.(?:match|matchAll|search)\((?!\/|[A-Z][A-Z_]+\))/
    const found = sources.filter(({ file, text }) => !file.startsWith('generated/') && builds.test(text))
    expect(found.map(({ file }) => file).sort()).toEqual(MAY_BUILD_REGEXPS)
  })

  it('imports node: modules in the command line, the Node host and scenario files alone', () => {
    const inside = sources.filter(({ file, imports }) => !MAY_USE_NODE.test(file) && imports.some((source) => source.startsWith('node:')))
    expect(inside.map(({ file }) => file)).toEqual([])
  })

  it('has no import of calibrate, which calls the real service, in servers and the engine', () => {
    for (const entry of ['hosts/node/index.ts', 'cli/commands/serve.ts', 'cli/commands/exec.ts', 'hosts/worker/index.ts', 'index.ts']) {
      expect([...reach(entry)].filter((file) => file.startsWith('calibrate/'))).toEqual([])
    }
  })

  it('keeps msw, faker and yaml out of the engine', () => {
    const heavy = /^(msw|@faker-js\/|json-schema-faker|yaml|commander)/
    const reached = reach('index.ts')
    expect(reached).toContain('scenario/document.ts')
    expect([...reached].filter((source) => heavy.test(source) || source.startsWith('node:'))).toEqual([])
  })
})

describe('the facts of the interface', () => {
  const written = sources.filter(({ file }) => !file.startsWith('generated/') && !file.startsWith('console/'))
  const code = written.map(({ file, text }) => ({ file, code: text.replace(/^\s*(\/\/|\/?\*).*$/gm, '') }))
  const statuses = contract.schemas.PetStatus.enum
  const paths = [contract.basePath, ...Object.values(contract.operations).map(({ path }) => path)]

  it.each([...statuses, ...paths, contract.operations.getPet.sunset])('include %s, which is written in the YAML alone', (fact) => {
    const again = code.filter((source) => new RegExp(`['"\`/]${fact.replace(/[{}/]/g, '\\$&')}['"\`/]`).test(source.code))
    expect(again.map(({ file }) => file)).toEqual([])
  })

  it('include the bounds of limit, which are written in the YAML alone', () => {
    const engine = code.filter(({ file }) => /^(operations|service)\//.test(file))
    expect(engine.filter((source) => /\b(100|20)\b/.test(source.code)).map(({ file }) => file)).toEqual([])
  })

  it('have an operation in the code for each one in the YAML', () => {
    const document = parse(readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8'))
    const ids = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(Object.keys(operations).sort()).toEqual(ids.sort())
  })

  it('have an assumption for everything that they leave open, with choices and a reason', () => {
    const ledger = parse(readFileSync(new URL('../../spec/assumptions.yaml', import.meta.url), 'utf8')) as Record<string, unknown>[]
    for (const assumption of ledger) {
      expect(Object.keys(assumption)).toEqual(expect.arrayContaining(['id', 'question', 'silence', 'choices', 'why']))
    }
    expect(ledger).toHaveLength(14)
  })
})
