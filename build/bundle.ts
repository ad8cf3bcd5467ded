// The published files. The entry points of the library exist twice, as ES modules and as CommonJS,
// each made of the same chunks; the command line is a part of the CommonJS build, which Node starts
// sooner. What is large and for Node alone exists once.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin, type RolldownOutput } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { type EntryPoint, entryPoints, peers } from './entry-points.ts'
import * as hiddenGlobals from './hidden-globals.ts'
import { renderLicences } from './licences.ts'

/**
 * What only Node loads, and only when it is needed: in the package once, as CommonJS, which both
 * builds can load.
 */
const SHARED = {
  mcp: 'src/control/mcp/serve.ts',
  openapi: 'src/contract/generated/openapi.ts',
  yaml: 'yaml',
}

/** The modules of the player, which a browser loads from the package as they are. */
const PLAYER = { play: 'src/hosts/player/play.ts', engine: 'src/hosts/player/engine.ts' }

/**
 * What pages load, too, which cannot load CommonJS: in the package once, as an ES module, which
 * Node can require.
 */
const CONSOLE = 'src/hosts/generated/console.ts'

/** Its files for Node are larger. */
const YAML = 'node_modules/yaml/browser/index.js'
const MCP_SHIMS = 'build/mcp-shims.ts'

/**
 * Everything that a test loads is in this one file: `createMock`, what the entry point has beside
 * it, and all that they import.
 */
const ENGINE = {
  name: 'engine',
  test: /\/build\/hidden-globals\.ts$|\/src\/(?:mock\/|service\/coverage\.ts$)/,
}

/**
 * What a page with handlers loads, and nothing else. Bundlers drop a file that a page does not use
 * as a whole, but not every table in one that it uses.
 */
const PAGE = { name: 'page', test: /\/src\/mock\/(?:answering|fetch|respond)\.ts$/ }

/** The server, which the library has in common with the command line; not the reading of files. */
const SERVER = {
  name: 'server',
  test: /\/src\/hosts\/node\/(?!(?:scenario-files|replace-file|watch-scenario|player-files)\.ts)/,
}

/** What the default command needs besides is in one file: Node takes a while for each. */
const START = {
  name: 'start',
  test: /\/src\/cli\/(?:main|lib\/flags|lib\/log|commands\/serve)\.ts$/,
}

// Of the rest one file for each purpose, not for each module: `npx` takes longer for many files.
const FILES = {
  name: 'files',
  test: /\/src\/(?:scenario\/(?:document|ids|open|read)\.ts$|hosts\/node\/)/,
}
const COMMANDS = { name: 'commands', test: /\/src\/cli\// }

/** Where Node's modules and those of Workers end and the user's begin. */
const external = [/^node:/, /^cloudflare:/, ...peers.map((name) => new RegExp(`^${name}(?:/|$)`))]

/**
 * Commander can start separate programs as commands. We have none, and loading the module takes 4
 * ms.
 */
const withoutChildProcesses: Plugin = {
  name: 'commander-without-child-processes',
  transform: (code, id) =>
    id.endsWith('/commander/lib/command.js')
      ? code.replace("require('node:child_process')", '{}')
      : null,
}

/**
 * Node prints the line of an uncaught error: that of a function, not of a whole file. Spaces would
 * be a tenth of the package.
 */
const statementsOnLines: Plugin = {
  name: 'statements-on-lines',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = breakLines(file.code)
    }
  },
}

const GETTER = /Object\.defineProperty\(exports,"([\w$]+)",\{[^{}]*\{return ([^{}]+)\}\}\)/g

/**
 * Chunks export each name by a getter, in case it changes. Ours never do once a chunk has run, and
 * hundreds of getters take 4 % of a start.
 */
const plainExports: Plugin = {
  name: 'plain-exports',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = file.code.replace(GETTER, 'exports.$1=$2')
    }
  },
}

function breakLines(code: string): string {
  const starts = parseAst(code).body.map((statement) => statement.start)
  const parts = starts.map((start, index) => code.slice(index === 0 ? 0 : start, starts[index + 1]))
  return parts.length > 0 ? parts.join('\n') : code
}

/** `page` is what the console was made of: it is in the files already, as text. */
export async function bundle(root: string, page: RolldownOutput): Promise<void> {
  // The platform is for commander, which is CommonJS and asks for Node's modules; our own code says
  // itself where it can run.
  const alias = {
    yaml: join(root, YAML),
    '@modelcontextprotocol/server/_shims': join(root, MCP_SHIMS),
  }
  const settings = {
    cwd: root,
    platform: 'node',
    external,
    resolve: { alias },
    experimental: { attachDebugInfo: 'none' },
  } as const
  const inputs = (points: readonly EntryPoint[]) =>
    Object.fromEntries(points.map(({ name, module }) => [name, module]))
  const injected = Object.keys(hiddenGlobals).map((name) => [
    name,
    [join(root, 'build/hidden-globals.ts'), name],
  ])
  const outputs = await Promise.all([
    build({
      ...settings,
      input: SHARED,
      plugins: [withoutScenarios(root)],
      output: {
        ...output(root, 'cjs'),
        dynamicImportInCjs: false,
        entryFileNames: 'shared/[name].cjs',
        chunkFileNames: 'shared/[name].cjs',
        minify: true,
      },
    }),
    build({
      ...settings,
      input: { console: CONSOLE },
      output: { ...output(root, 'js'), entryFileNames: 'shared/[name].js', minify: true },
    }),
    build({
      ...settings,
      input: { ...inputs(entryPoints), ...PLAYER },
      plugins: [shareFrom(root), statementsOnLines],
      output: { ...output(root, 'js'), codeSplitting: { groups: [PAGE, ENGINE] } },
    }),
    build({
      ...settings,
      input: {
        ...inputs(entryPoints.filter(({ isEsmOnly }) => !isEsmOnly)),
        'cli/main': 'src/cli/main.ts',
      },
      transform: { inject: Object.fromEntries(injected) },
      plugins: [withoutChildProcesses, shareFrom(root), plainExports, statementsOnLines],
      output: {
        ...output(root, 'cjs'),
        // Jest runs no import() in its default mode.
        dynamicImportInCjs: false,
        codeSplitting: { groups: [ENGINE, SERVER, START, FILES, COMMANDS] },
      },
    }),
  ])
  const moduleIds = [page, ...outputs].flatMap(({ output }) =>
    output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])),
  )
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.md'), renderLicences(root, moduleIds))
}

function output(root: string, extension: 'js' | 'cjs') {
  return {
    dir: join(root, 'dist'),
    format: extension === 'js' ? 'esm' : 'cjs',
    exports: 'named',
    cleanDir: false,
    // With our own names, for a stack in the server's log to be of use.
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    // Bundlers of pages read annotations, and only in ES modules.
    comments: { annotation: extension === 'js', legal: false, jsdoc: false },
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `chunks/[name].${extension}`,
  } as const
}

/**
 * What both builds share takes the scenarios from the entry point, or the package would have them
 * three times.
 */
function withoutScenarios(root: string): Plugin {
  return {
    name: 'without-scenarios',
    async resolveId(source, importer, { kind }) {
      if (kind !== 'dynamic-import') return null
      const module = await this.resolve(source, importer, { skipSelf: true })
      return module?.id === join(root, 'src/scenario/shipped.ts')
        ? { id: '../scenarios.cjs', external: true }
        : null
    },
  }
}

function shareFrom(root: string): Plugin {
  return {
    name: 'shared',
    async resolveId(source, importer, { kind }) {
      if (kind !== 'dynamic-import') return null
      // Of the player: the host serves the bundle of the console under this name.
      if (source === './console.js') return { id: source, external: true }
      const module = await this.resolve(source, importer, { skipSelf: true })
      if (module?.id === join(root, CONSOLE))
        return { id: join(root, 'dist/shared/console.js'), external: 'relative' }
      const found = Object.entries(SHARED).find(
        ([, path]) => path === source || join(root, path) === module?.id,
      )
      return found ? { id: join(root, `dist/shared/${found[0]}.cjs`), external: 'relative' } : null
    },
  }
}
