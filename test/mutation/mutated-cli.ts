// The command line with its mutants, for the tests that start it as a process: the mutant is chosen by a variable, and what the process
// reached is left in a file when it ends, and every now and then before, since many a test kills what it has started.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'rolldown'

/** Instrumented code asks for the active mutant here. */
const ACTIVE_MUTANT = '__STRYKER_ACTIVE_MUTANT__'
const REACHED = 'MUTATION_REACHED'

/** Files that are still being written. */
const UNFINISHED = '.part'

const BIN = `const { renameSync, writeFileSync } = require('node:fs')
const { ${REACHED}: folder } = process.env
let last = ''
const leave = () => {
  const text = JSON.stringify(globalThis.__stryker__?.reached ?? {})
  if (text === last) return
  last = text
  const file = folder + '/' + process.pid
  writeFileSync(file + '${UNFINISHED}', text)
  renameSync(file + '${UNFINISHED}', file)
}
if (folder) {
  process.on('exit', leave)
  setInterval(leave, 50).unref()
}
require('../dist/cli/main.cjs').run(process.argv)
`

/** Builds it into a folder, and has the tests start it from there. */
export async function buildMutatedCli(root: string, texts: ReadonlyMap<string, string>, folder: string): Promise<void> {
  await build({
    cwd: root,
    platform: 'node',
    input: { 'cli/main': 'src/cli/main.ts' },
    external: [/^node:/],
    plugins: [
      {
        name: 'mutants',
        load(id) {
          const code = texts.get(id.slice(root.length))
          return code === undefined ? null : { code, moduleType: 'ts' }
        },
      },
    ],
    output: {
      dir: join(folder, 'dist'),
      format: 'cjs',
      exports: 'named',
      entryFileNames: '[name].cjs',
      chunkFileNames: 'chunks/[name].cjs',
    },
  })
  const bin = join(folder, 'bin/animal-store-mock.js')
  mkdirSync(dirname(bin))
  writeFileSync(bin, BIN)
  process.env.CLI_UNDER_TEST = bin
}

/** What the processes of a worker reached since it was last asked. */
export function takeReached(folder: string): Readonly<Record<string, number>> {
  const reached: Record<string, number> = {}
  for (const name of readdirSync(folder).filter((file) => !file.endsWith(UNFINISHED))) {
    const text = readFileSync(join(folder, name), 'utf8')
    for (const [mutant, hits] of Object.entries(JSON.parse(text) as Record<string, number>)) reached[mutant] = (reached[mutant] ?? 0) + hits
    rmSync(join(folder, name))
  }
  return reached
}

/** A folder for what the processes of this worker reach. */
export function createReached(folder: string): string {
  const reached = join(folder, `reached-${process.pid}`)
  mkdirSync(reached, { recursive: true })
  process.env[REACHED] = reached
  return reached
}

/** The mutant that is active in the processes that are started from now on. */
export function activateInProcesses(mutant: string | undefined): void {
  if (mutant === undefined) delete process.env[ACTIVE_MUTANT]
  else process.env[ACTIVE_MUTANT] = mutant
}
