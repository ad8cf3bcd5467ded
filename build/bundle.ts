// The published files: the doors of the library, made of the same chunks, and the command line. What they contain of others is listed
// with its licence.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build, type OutputChunk, type RolldownOutput } from 'rolldown'
import { minifySync } from 'rolldown/utils'

/** The doors of the package, each with the module behind it. */
const DOORS = {
  index: 'src/index.ts',
  msw: 'src/hosts/msw.ts',
  node: 'src/hosts/node/index.ts',
  generate: 'src/generate/index.ts',
  scenarios: 'src/scenarios.ts',
}

/** What is loaded only when it is needed, and too large to be in the package twice: for the library and for the command line. */
const LATER = {
  'later/console': 'src/generated/console.ts',
  'later/expand': 'src/scenario/expand.ts',
  'later/openapi': 'src/generated/openapi.ts',
  'later/yaml': 'yaml',
}

/** Everything that a test or a page loads is in this one file. */
const ENGINE = {
  name: 'engine',
  test: /\/src\/(?:(?:contract|world|operations|service|mock|fetch|base-address|deep-freeze|limits|control-path|redact)\b|control\/(?:create-control|events|world-control|worlds)\.ts|scenario\/(?:check|document|explain-mistake|extend)\.ts|generate\/settings\.ts|generated\/(?:contract|default-scenario)\.ts)/,
}

const READABLE = ['index.js', 'msw.js']

const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/

// The files of yaml for Node are CommonJS, and larger.
const resolve = { alias: { yaml: join(dirname(createRequire(import.meta.url).resolve('yaml/package.json')), 'browser/index.js') } }

/** `page` is what the console was made of: it is in the files already, as text. */
export async function bundle(root: string, page: RolldownOutput): Promise<void> {
  const dir = join(root, 'dist')
  const { output } = await build({
    cwd: root,
    input: { ...DOORS, ...LATER },
    // For commander, which is CommonJS and asks for Node's modules; our own code says itself where it can run.
    platform: 'node',
    external: [/^node:/, 'msw'],
    resolve,
    output: {
      dir,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name].js',
      cleanDir: false,
      comments: { jsdoc: false },
      codeSplitting: {
        groups: [ENGINE, { debugName: 'packages', test: PACKAGE, name: (id) => toPackage(id)?.replace(/^@.*\//, '') ?? null }],
      },
    },
  })
  minifyRest(output.filter(isChunk), dir)
  const commandLine = await bundleCommandLine(root, dir)
  writeFileSync(join(dir, 'THIRD-PARTY-LICENSES.md'), toLicences(root, [...page.output, ...output, ...commandLine.output].filter(isChunk)))
}

/**
 * The command line, built apart: in chunks of its own nothing of it can get into the library, and the engine, the host and the default
 * command are one file, since Node takes a millisecond for each. What is loaded later comes from the files of the library.
 */
function bundleCommandLine(root: string, dir: string): Promise<RolldownOutput> {
  const shared = Object.entries({ ...DOORS, ...LATER })
  return build({
    cwd: root,
    input: { main: 'src/cli/main.ts' },
    platform: 'node',
    external: [/^node:/],
    resolve,
    plugins: [
      {
        // Commander could start commands that are programs of their own. We have none, and loading the module takes 4 ms.
        name: 'no-child-processes-in-commander',
        resolveId: (source, importer) => (source === 'node:child_process' && importer?.includes('/commander/') ? `\0${source}` : null),
        load: (id) => (id === '\0node:child_process' ? 'export {}' : null),
      },
      {
        name: 'later-from-the-library',
        async resolveId(source, importer, { kind }) {
          if (kind !== 'dynamic-import') return null
          const module = await this.resolve(source, importer, { skipSelf: true })
          const file = shared.find(([, path]) => path === source || join(root, path) === module?.id)
          return file ? { id: `../${file[0]}.js`, external: true } : null
        },
      },
    ],
    output: {
      dir: join(dir, 'cli'),
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      minify: { compress: true, mangle: { keepNames: true } },
      comments: false,
      codeSplitting: { groups: [{ name: 'start', test: /\/src\/cli\/(?:main|flags|log-line|commands\/serve)\.ts$/ }] },
    },
  })
}

function isChunk(part: RolldownOutput['output'][number]): part is OutputChunk {
  return part.type === 'chunk'
}

function toPackage(id: string): string | undefined {
  return PACKAGE.exec(id)?.[1]
}

/** What a test or a page loads stays as readable as it was written, for whoever steps into it; all else only has to be small. */
function minifyRest(chunks: readonly OutputChunk[], dir: string): void {
  const readable = new Set<string>()
  for (const door of READABLE) reach(door, chunks, readable)
  for (const { fileName, code, moduleIds } of chunks) {
    if (readable.has(fileName)) continue
    // A stack in a log is of use only with our own names in it.
    const names = moduleIds.some((id) => !PACKAGE.test(id)) ? { keepNames: true } : {}
    writeFileSync(join(dir, fileName), minifySync(fileName, code, { module: true, mangle: { toplevel: true, ...names } }).code)
  }
}

function reach(fileName: string, chunks: readonly OutputChunk[], reached: Set<string>): void {
  if (reached.has(fileName)) return
  reached.add(fileName)
  for (const next of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? []) reach(next, chunks, reached)
}

/** Every package that has a part in the files, with the text of its licence. */
function toLicences(root: string, chunks: readonly OutputChunk[]): string {
  const folders = new Set(chunks.flatMap(({ moduleIds }) => moduleIds).flatMap((id) => PACKAGE.exec(id)?.[0] ?? []))
  // Its words are in the files, if not its code.
  folders.add(join(root, 'node_modules/@faker-js/faker'))
  const sections = [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string; version: string }
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (!file) throw new Error(`${name} has no licence file, and cannot be bundled without one`)
    return `## ${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return `# Third-party licences\n\nThe files in this folder contain code or words of these packages.\n\n${sections.join('\n')}`
}
