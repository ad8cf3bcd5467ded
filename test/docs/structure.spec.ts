// Holds the shape of the code: rooms import to the left, platform modules stay at the edge, facts
// of the interface stay in the YAML.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { peers } from '../../build/entry-points.ts'
import { parseSource } from '../../build/read-source.ts'
import { contract } from '../../src/contract/generated/contract.ts'
import { operations } from '../../src/service/operations/index.ts'
import { tableOf } from '../support/documents.ts'

const isGenerated = (file: string): boolean => file.includes('/generated/')
const root = fileURLToPath(new URL('../../src/', import.meta.url))

/**
 * The rooms from left to right. A file imports, values and types, from its own room or one to its
 * left.
 */
const ROOMS = [
  'contract',
  'world',
  'scenario',
  'service',
  'control',
  'mock',
  'hosts',
  'calibrate',
  'kits',
  'console',
  'cli',
  'index.ts',
]
/**
 * Files that build regular expressions, each once: from our schemas, from the spec, `baseUrl` and
 * constants; one takes those of a test.
 */
const MAY_BUILD_REGEXPS = [
  'contract/schema.ts',
  'kits/match-request.ts',
  'mock/base-address.ts',
  'scenario/settings/duration.ts',
]
const MAY_USE_NODE = /^(?:cli|hosts\/node|kits)\//

interface Source {
  readonly file: string
  readonly text: string
  /**
   * What it imports, as paths from src/ or as package names; types are not imports once it runs.
   */
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
  const toPath = (source: string) =>
    source.startsWith('.') ? relative(root, join(root, dirname(file), source)) : source
  return { imports: imports.map(toPath), typeImports: typeImports.map(toPath) }
}

/** Everything that is loaded with a file, sooner or later. */
function reach(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const to of sources.find((source) => source.file === file)?.imports ?? []) reach(to, reached)
  return reached
}

const roomOf = (file: string): string => file.split('/')[0] as string

/** A folder in a room, or the room itself for the files at its root. */
function subRoomOf(file: string): string {
  const [room = '', folder = '', name] = file.split('/')
  return name === undefined ? room : `${room}/${folder}`
}

/** The way from a place back to itself, if there is one. */
function findLoop(next: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  const walk = (place: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(place)) return [...path.slice(path.indexOf(place)), place]
    if (done.has(place)) return undefined
    for (const to of next.get(place) ?? []) {
      const loop = walk(to, [...path, place])
      if (loop) return loop
    }
    done.add(place)
    return undefined
  }
  for (const place of next.keys()) {
    const loop = walk(place, [])
    if (loop) return loop
  }
  return undefined
}

const isOurs = (source: string): boolean => sources.some(({ file }) => file === source)

/** The imports of values and types between two files of `src/`. */
const edges = sources.flatMap(({ file, imports, typeImports }) =>
  [...imports, ...typeImports].filter(isOurs).map((to) => ({ file, to })),
)

describe('the source tree', () => {
  it('has the rooms that CONTRIBUTING.md describes, and no others', () => {
    const described = tableOf('CONTRIBUTING.md', 'room').map(
      ([cell = '']) => /`src\/([^`/]+)/.exec(cell)?.[1],
    )
    expect(described).toEqual(ROOMS)
    expect(readdirSync(root).sort()).toEqual(ROOMS.toSorted())
  })

  it('has imports from the own room or one to its left alone', () => {
    const toTheRight = edges.filter(
      ({ file, to }) => ROOMS.indexOf(roomOf(to)) > ROOMS.indexOf(roomOf(file)),
    )
    expect(toTheRight.map(({ file, to }) => `${file} → ${to}`)).toEqual([])
  })

  it('has no loop of sub-rooms, and none of files', () => {
    const subRooms = new Map<string, string[]>()
    const files = new Map<string, string[]>()
    for (const { file, to } of edges) {
      files.set(file, [...(files.get(file) ?? []), to])
      const [from, other] = [subRoomOf(file), subRoomOf(to)]
      if (from !== other) subRooms.set(from, [...(subRooms.get(from) ?? []), other])
    }
    expect(findLoop(subRooms)).toBeUndefined()
    expect(findLoop(files)).toBeUndefined()
  })

  it('is read with all its imports: with names, without, of types and later ones', () => {
    const loaded = [
      "import { a } from './a.ts'",
      "import '../cli/main.ts'",
      "export * from './b.ts'",
      'const c = await import(\n"./c.ts")',
    ]
    const types = [
      "import type { D } from './d.ts'",
      "let e: import('./e.ts').E",
      "export type { F } from './f.ts'",
    ]
    expect(readImports('world/x.ts', [...loaded, ...types].join('\n'))).toEqual({
      imports: ['world/a.ts', 'cli/main.ts', 'world/b.ts', 'world/c.ts'],
      typeImports: ['world/d.ts', 'world/e.ts', 'world/f.ts'],
    })
  })

  it.each<[string, string[]]>([
    ['vitest', ['msw', 'vitest']],
    ['jest', ['@jest/globals', 'msw']],
    ['playwright', []],
    ['storybook', ['msw']],
  ])('has a kit for %s that needs no packages of the user but %j', (kit, packages) => {
    const reached = reach(`kits/${kit}.ts`)
    const named = (name: string) =>
      [...reached].some((source) => source === name || source.startsWith(`${name}/`))
    expect(peers.filter(named).sort()).toEqual(packages)
  })

  it('has no engine in the console, which is a page', () => {
    const engine = [
      'mock/mock.ts',
      'service/answer.ts',
      'world/timeline.ts',
      'scenario/expand.ts',
      'control/create.ts',
    ]
    const reached = reach('console/main.tsx')
    expect(engine.filter((file) => reached.has(file))).toEqual([])
  })

  it('builds no regular expression from what a request, a control body or a file carries', () => {
    // Methods of strings turn a text into one as well.
    const builds = /\bRegExp\s*\(|\.(?:match|matchAll|search)\((?!\/|[A-Z][A-Z_]+\))/
    const found = sources.filter(({ file, text }) => !isGenerated(file) && builds.test(text))
    expect(found.map(({ file }) => file).sort()).toEqual(MAY_BUILD_REGEXPS)
  })

  it('imports node: modules in the command line, the kits and the Node host alone', () => {
    const inside = sources.filter(
      ({ file, imports }) =>
        !MAY_USE_NODE.test(file) && imports.some((source) => source.startsWith('node:')),
    )
    expect(inside.map(({ file }) => file)).toEqual([])
  })

  it('has no import of calibrate, which calls the real service, in servers and the engine', () => {
    for (const entry of [
      'hosts/node/index.ts',
      'cli/commands/serve.ts',
      'cli/commands/exec.ts',
      'hosts/worker/index.ts',
      'index.ts',
    ]) {
      expect([...reach(entry)].filter((file) => file.startsWith('calibrate/'))).toEqual([])
    }
  })

  it('keeps msw, faker and yaml out of the engine', () => {
    const heavy = /^(msw|@faker-js\/|json-schema-faker|yaml|commander)/
    const reached = reach('index.ts')
    expect(reached).toContain('scenario/document.ts')
    expect(
      [...reached].filter((source) => heavy.test(source) || source.startsWith('node:')),
    ).toEqual([])
  })
})

describe('the facts of the interface', () => {
  const written = sources.filter(({ file }) => !isGenerated(file) && !file.startsWith('console/'))
  const code = written.map(({ file, text }) => ({
    file,
    code: text.replace(/^\s*(\/\/|\/?\*).*$/gm, ''),
  }))
  const statuses = contract.schemas.PetStatus.enum
  const paths = [contract.basePath, ...Object.values(contract.operations).map(({ path }) => path)]

  it.each([...statuses, ...paths, contract.operations.getPet.sunset])(
    'include %s, which is written in the YAML alone',
    (fact) => {
      const again = code.filter((source) =>
        new RegExp(`['"\`/]${fact.replace(/[{}/]/g, '\\$&')}['"\`/]`).test(source.code),
      )
      expect(again.map(({ file }) => file)).toEqual([])
    },
  )

  it('include the bounds of limit, which are written in the YAML alone', () => {
    const engine = code.filter(({ file }) => /^(operations|service)\//.test(file))
    expect(
      engine.filter((source) => /\b(100|20)\b/.test(source.code)).map(({ file }) => file),
    ).toEqual([])
  })

  it('have an operation in the code for each one in the YAML', () => {
    const document = parse(
      readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8'),
    )
    const ids = Object.values(
      document.paths as Record<string, Record<string, { operationId: string }>>,
    ).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
    expect(Object.keys(operations).sort()).toEqual(ids.sort())
  })

  it('have an assumption for everything that they leave open, with choices and a reason', () => {
    const ledger = parse(
      readFileSync(new URL('../../spec/assumptions.yaml', import.meta.url), 'utf8'),
    ) as Record<string, unknown>[]
    for (const assumption of ledger) {
      expect(Object.keys(assumption)).toEqual(
        expect.arrayContaining(['id', 'question', 'silence', 'choices', 'why']),
      )
    }
  })
})
