// The bundles that are published: the doors of the library, sharing chunks, and the command line on its own, so that
// importing the library can never start it. What they bundle of others is listed with its licence.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin, type RolldownOutput } from 'rolldown'
import { minifySync } from 'rolldown/utils'

/** The doors of the package, each with the module behind it. */
const DOORS = {
  index: 'src/index.ts',
  msw: 'src/hosts/msw.ts',
  node: 'src/hosts/node.ts',
  generate: 'src/generate/index.ts',
  scenarios: 'src/scenarios.ts',
}

/** What the command line takes from the library's files instead of bundling it again, lazily: faker alone is most of the package. */
const SHARED = [
  { module: /\/src\/generate\/index\.ts$/, door: './generate.js' },
  { module: /\/src\/scenarios\.ts$/, door: './scenarios.js' },
]

export async function bundle(root: string): Promise<void> {
  const outputs = await Promise.all([bundleLibrary(root), bundleCommandLine(root)])
  for (const output of outputs) minifyOthers(output, join(root, 'dist'))
  writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.md'), toLicences(outputs))
}

function bundleLibrary(root: string): Promise<RolldownOutput> {
  return build({
    cwd: root,
    input: DOORS,
    platform: 'neutral',
    external: [/^node:/, 'msw'],
    output: toOutput(root, 'shared'),
  })
}

function bundleCommandLine(root: string): Promise<RolldownOutput> {
  return build({
    cwd: root,
    input: { cli: 'src/cli/program.ts' },
    platform: 'node',
    external: [/^node:/],
    plugins: [shareWithLibrary],
    output: toOutput(root, 'cli'),
  })
}

/** Every package gets a chunk of its own. No folders: a path to a door must hold in whatever chunk it ends up. */
function toOutput(root: string, prefix: string) {
  return {
    dir: join(root, 'dist'),
    entryFileNames: '[name].js',
    chunkFileNames: `${prefix}-[name].js`,
    cleanDir: false,
    codeSplitting: {
      groups: [{ debugName: 'packages', test: PACKAGE, name: (id: string) => PACKAGE.exec(id)?.[1]?.replace(/^@.*\//, '') ?? null }],
    },
  }
}

const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/

const shareWithLibrary: Plugin = {
  name: 'share-with-library',
  async resolveId(source, importer) {
    const resolved = importer ? await this.resolve(source, importer, { skipSelf: true }) : null
    const shared = SHARED.find(({ module }) => resolved && module.test(resolved.id))
    return shared ? { id: shared.door, external: true } : null
  },
}

/** Our own code stays readable where it is debugged; that of others only has to be small. */
function minifyOthers({ output }: RolldownOutput, folder: string): void {
  for (const chunk of output) {
    if (chunk.type !== 'chunk' || !chunk.moduleIds.every((id) => PACKAGE.test(id) || id.startsWith('\0'))) continue
    writeFileSync(join(folder, chunk.fileName), minifySync(chunk.fileName, chunk.code, { module: true }).code)
  }
}

/** Every package that has a module in the bundles, with the text of its licence. */
function toLicences(outputs: readonly RolldownOutput[]): string {
  const modules = outputs.flatMap(({ output }) => output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])))
  const folders = new Set(modules.flatMap((id) => PACKAGE.exec(id)?.[0] ?? []))
  const sections = [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string; version: string }
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (!file) throw new Error(`${name} has no licence file, and cannot be bundled without one`)
    return `## ${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return `# Third-party licences\n\nThe files in this folder contain code of these packages.\n\n${sections.join('\n')}`
}
