// The published files. The entry points of the library exist twice, as ES modules and as CommonJS, each made of the same chunks; the command
// line is a part of the CommonJS build, which Node starts sooner. What is large and for Node alone exists once.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type BuildOptions, build, type OutputChunk, type Plugin, type RolldownOutput } from 'rolldown'
import { entryPoints, peers } from './entry-points.ts'
import * as hiddenGlobals from './hidden-globals.ts'
import { toLicences } from './licences.ts'

/** What only Node loads, and only when it is needed: in the package once, as CommonJS, which both builds can load. */
const SHARED = {
  console: 'src/generated/console.ts',
  openapi: 'src/generated/openapi.ts',
  yaml: 'yaml',
}

/** Everything that a test or a page loads is in this one file. */
const ENGINE = {
  name: 'engine',
  test: /\/build\/hidden-globals\.ts$|\/src\/(?:(?:contract|world|surprise\/(?!kinds)|operations|service|mock|limits|random)\b|coverage\/(?:coverage|find-cell|tally)\.ts|control\/(?:create-control|events|state-control)\.ts|scenario\/(?:check|document)\.ts|generate\/settings\.ts|generated\/(?:contract|coverage|default-scenario)\.ts)/,
}

/** The server, which the library has in common with the command line. */
const SERVER = { name: 'server', test: /\/src\/hosts\/node\// }

/** What the default command needs besides is in one file: Node takes a while for each. */
const START = { name: 'start', test: /\/src\/cli\/(?:main|flags|log-line|commands\/serve)\.ts$/ }

// Of the rest one file for each purpose, not for each module: `npx` takes longer for many files.
const FILES = { name: 'files', test: /\/src\/scenario\/(?!expand\.ts)/ }
const COMMANDS = { name: 'commands', test: /\/src\/(?:cli|coverage)\// }

/** Where Node's modules and those of Workers end and the user's begin. */
const external = [/^node:/, /^cloudflare:/, ...peers.map((name) => new RegExp(`^${name}(?:/|$)`))]

// The files of yaml for Node are larger.
const resolve = { alias: { yaml: join(dirname(createRequire(import.meta.url).resolve('yaml/package.json')), 'browser/index.js') } }

/** `page` is what the console was made of: it is in the files already, as text. */
export async function bundle(root: string, page: RolldownOutput): Promise<void> {
  const outputs = await Promise.all([bundleShared(root), bundleModules(root), bundleCommonJs(root)])
  const chunks = [page, ...outputs].flatMap(({ output }) => output.filter(isChunk))
  const text = toLicences(
    root,
    chunks.flatMap(({ moduleIds }) => moduleIds),
  )
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.md'), text)
}

function bundleShared(root: string): Promise<RolldownOutput> {
  return build({
    ...settings(root),
    input: SHARED,
    output: { ...output(root, 'cjs'), entryFileNames: 'shared/[name].cjs', minify: true, comments: false },
  })
}

function bundleModules(root: string): Promise<RolldownOutput> {
  const input = Object.fromEntries(entryPoints.map(({ name, module }) => [name, module]))
  return build({
    ...settings(root),
    input,
    plugins: [shareFrom(root)],
    output: { ...output(root, 'esm'), minify: true, comments: false, codeSplitting: { groups: [ENGINE] } },
  })
}

function bundleCommonJs(root: string): Promise<RolldownOutput> {
  const dual = entryPoints.filter(({ isEsmOnly }) => !isEsmOnly)
  return build({
    ...settings(root),
    transform: {
      inject: Object.fromEntries(Object.keys(hiddenGlobals).map((name) => [name, [join(root, 'build/hidden-globals.ts'), name]])),
    },
    // What is external is decided before plugins are asked.
    external: (source, importer) => external.some((pattern) => pattern.test(source)) && !isChildProcessOfCommander(source, importer),
    input: { ...Object.fromEntries(dual.map(({ name, module }) => [name, module])), 'cli/main': 'src/cli/main.ts' },
    plugins: [
      {
        // Commander could start commands that are programs of their own. We have none, and loading the module takes 4 ms.
        name: 'no-child-processes-in-commander',
        resolveId: (source, importer) => (isChildProcessOfCommander(source, importer) ? `\0${source}` : null),
        load: (id) => (id === '\0node:child_process' ? 'export {}' : null),
      },
      shareFrom(root),
    ],
    output: {
      ...output(root, 'cjs'),
      // A stack in the server's log is of use only with our own names in it.
      minify: { compress: true, mangle: { keepNames: true } },
      comments: false,
      // Jest runs no import() in its default mode.
      dynamicImportInCjs: false,
      codeSplitting: { groups: [ENGINE, SERVER, START, FILES, COMMANDS] },
    },
  })
}

function isChildProcessOfCommander(source: string, importer = ''): boolean {
  return source === 'node:child_process' && importer.includes('/commander/')
}

function settings(root: string): BuildOptions {
  // For commander, which is CommonJS and asks for Node's modules; our own code says itself where it can run.
  return { cwd: root, platform: 'node', external, resolve }
}

function output(root: string, format: 'esm' | 'cjs') {
  const extension = format === 'esm' ? 'js' : 'cjs'
  const names = { entryFileNames: `[name].${extension}`, chunkFileNames: `chunks/[name].${extension}` }
  return { dir: join(root, 'dist'), format, exports: 'named', cleanDir: false, ...names } as const
}

function shareFrom(root: string): Plugin {
  return {
    name: 'shared',
    async resolveId(source, importer, { kind }) {
      if (kind !== 'dynamic-import') return null
      const module = await this.resolve(source, importer, { skipSelf: true })
      const found = Object.entries(SHARED).find(([, path]) => path === source || join(root, path) === module?.id)
      return found ? { id: join(root, `dist/shared/${found[0]}.cjs`), external: 'relative' } : null
    },
  }
}

function isChunk(part: RolldownOutput['output'][number]): part is OutputChunk {
  return part.type === 'chunk'
}
