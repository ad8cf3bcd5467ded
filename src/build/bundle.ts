// The published files: the doors of the library and the command line, all made of the same chunks, so that there is one engine in
// the package and one of each error class. What they contain of others is listed with its licence.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type RolldownOutput } from 'rolldown'
import { minifySync } from 'rolldown/utils'

/** The doors of the package, each with the module behind it. Importing the last starts nothing: that is left to bin/. */
const DOORS = {
  index: 'src/index.ts',
  msw: 'src/hosts/msw.ts',
  node: 'src/hosts/node.ts',
  generate: 'src/generate/index.ts',
  scenarios: 'src/scenarios.ts',
  cli: 'src/cli/program.ts',
}

const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/

/** `page` is what the console was made of: it is in the files already, as text. */
export async function bundle(root: string, page: RolldownOutput): Promise<void> {
  const dir = join(root, 'dist')
  const { output } = await build({
    cwd: root,
    input: DOORS,
    // For commander, which is CommonJS and asks for Node's modules; our own code says itself where it can run.
    platform: 'node',
    external: [/^node:/, 'msw'],
    output: {
      dir,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name].js',
      cleanDir: false,
      comments: { jsdoc: false },
      codeSplitting: { groups: [{ debugName: 'packages', test: PACKAGE, name: (id) => toPackage(id)?.replace(/^@.*\//, '') ?? null }] },
    },
  })
  minifyOthers(output, dir)
  writeFileSync(join(dir, 'THIRD-PARTY-LICENSES.md'), toLicences([...page.output, ...output]))
}

function toPackage(id: string): string | undefined {
  return PACKAGE.exec(id)?.[1]
}

/** Our own code stays readable where it is debugged; that of others only has to be small. */
function minifyOthers(output: RolldownOutput['output'], dir: string): void {
  for (const chunk of output) {
    if (chunk.type !== 'chunk' || !chunk.moduleIds.every((id) => PACKAGE.test(id) || id.startsWith('\0'))) continue
    writeFileSync(join(dir, chunk.fileName), minifySync(chunk.fileName, chunk.code, { module: true }).code)
  }
}

/** Every package that has a module in the files, with the text of its licence. */
function toLicences(output: readonly RolldownOutput['output'][number][]): string {
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  const folders = new Set(modules.flatMap((id) => PACKAGE.exec(id)?.[0] ?? []))
  const sections = [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string; version: string }
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (!file) throw new Error(`${name} has no licence file, and cannot be bundled without one`)
    return `## ${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return `# Third-party licences\n\nThe files in this folder contain code of these packages.\n\n${sections.join('\n')}`
}
