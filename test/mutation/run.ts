// `npm run test:mutation [-- group… --file src/world --sample 200 --seed 7]`: changes the code in thousands of small ways and asks the
// tests to notice each one. Prints the score of every file and each change that went unnoticed; fails if a group stays below its mark.
// --file takes the files that begin with it alone, --sample so many changes of each group, the same ones for the same --seed.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node'
import { parse } from 'yaml'
import { type Group, groups } from './groups.ts'
import { type Instrumented, instrument, type Mutant } from './instrument.ts'
import { toMark } from './to-mark.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const STUCK_MS = 30_000
const REPORT = join(root, 'test/mutation/unnoticed.txt')

/** A change that no test can notice, and why it does no harm. */
interface Harmless {
  readonly file: string
  readonly original: string
  readonly replacement: string
  readonly why: string
}

const harmless = (parse(readFileSync(new URL('./harmless.yaml', import.meta.url), 'utf8')) ?? []) as readonly Harmless[]

/** Unit tests first: they are quick, and what they notice nobody else is asked about. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((left, right) => Number(left.moduleId.includes('/test/')) - Number(right.moduleId.includes('/test/')))
  }
}

const { positionals: asked, values: flags } = parseArgs({
  allowPositionals: true,
  options: { file: { type: 'string', default: 'src/' }, sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
})
for (const name of asked) if (!(name in groups)) throw new Error(`no group ${name}: there are ${Object.keys(groups).join(', ')}`)

const unnoticed: string[] = []
for (const [name, group] of Object.entries(groups)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const { mutants, killed } = await runGroup(group)
  const alive = mutants.filter((mutant) => !killed.has(mutant.id) && !isHarmless(mutant))
  const score = (100 * (mutants.length - alive.length)) / mutants.length
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const all = mutants.filter((mutant) => mutant.file === file).length
    const left = alive.filter((mutant) => mutant.file === file).length
    console.log(`${(100 - (100 * left) / all).toFixed(1).padStart(6)} %  ${String(all - left).padStart(4)} of ${all}  ${file}`)
  }
  console.log(
    `${name}: ${score.toFixed(1)} % of ${mutants.length} ${flags.sample === undefined ? '' : 'sampled '}changes noticed (mark ${group.mark} %)`,
  )
  unnoticed.push(...alive.map(toLine))
  if (score < group.mark) process.exitCode = 1
}
writeFileSync(REPORT, unnoticed.join('\n'))
console.log(`${unnoticed.length} unnoticed, listed in ${REPORT.slice(root.length)}`)
process.exit()

async function runGroup(group: Group): Promise<{ mutants: readonly Mutant[]; killed: ReadonlySet<string> }> {
  const files = listFiles('src').filter(
    (file) => isSource(file) && file.startsWith(flags.file) && group.sources.some((part) => `${file}/`.startsWith(`src/${part}/`)),
  )
  const tests = [...listFiles('src'), ...listFiles('test')].filter(
    (file) => /\.(?:test|spec)\.ts$/.test(file) && group.asks(file, readFileSync(root + file, 'utf8')),
  )
  const instrumented = await instrument(root, files)
  const mutants = sample(instrumented.mutants)
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
  try {
    writeFileSync(join(folder, 'mutants.json'), JSON.stringify(Object.fromEntries(mutants.map(({ id, file }) => [id, file]))))
    // A mutant may loop for ever: its worker is stopped, and the tests that it leaves undone are asked again.
    for (let left = tests; left.length > 0; left = tests.filter((file) => !existsSync(join(folder, `${toMark(root + file)}.done`)))) {
      const isStuck = watchWorkers(folder)
      await runTests(left, group, instrumented, folder)
      if (!isStuck()) break
    }
    const killed = new Set(readdirSync(folder).flatMap((name) => (name.endsWith('.killed') ? [name.slice(0, -'.killed'.length)] : [])))
    return { mutants, killed }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** As many as were asked for, by a linear congruential generator from the seed. */
function sample(mutants: readonly Mutant[]): readonly Mutant[] {
  if (flags.sample === undefined) return mutants
  let state = Number(flags.seed) >>> 0
  const drawn = mutants.map((mutant) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return { mutant, state }
  })
  return drawn
    .sort((one, other) => one.state - other.state)
    .slice(0, Number(flags.sample))
    .map(({ mutant }) => mutant)
}

async function runTests(tests: readonly string[], group: Group, { texts }: Instrumented, folder: string): Promise<void> {
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root,
      watch: false,
      include: [...tests],
      runner: join(root, 'test/mutation/runner.ts'),
      provide: { mutationFolder: folder },
      reporters: ['dot'],
      silent: true,
      // Long enough for every mutant of a file.
      testTimeout: 30_000,
      teardownTimeout: 1_000,
      dangerouslyIgnoreUnhandledErrors: true,
      sequence: { sequencer: InOrder },
      ...(group.tests ? { testNamePattern: group.tests } : {}),
    },
    {
      plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => texts.get(id.slice(root.length).split('?')[0] as string) ?? null }],
    },
  )
  await vitest.start()
  await vitest.close()
}

/** Stops workers that have been busy with one mutant for too long; the mutant counts as noticed. Returns whether there were any. */
function watchWorkers(folder: string): () => boolean {
  let stopped = 0
  const timer = setInterval(() => {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.worker'))) {
      const desk = join(folder, name)
      if (Date.now() - statSync(desk).mtimeMs < STUCK_MS) continue
      writeFileSync(join(folder, `${readFileSync(desk, 'utf8')}.killed`), 'it never ends')
      rmSync(desk)
      process.kill(Number.parseInt(name, 10), 'SIGKILL')
      stopped++
    }
  }, 1_000)
  return () => {
    clearInterval(timer)
    return stopped > 0
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`)
}

function isSource(file: string): boolean {
  return file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('src/generated/')
}

function isHarmless({ file, original, replacement }: Mutant): boolean {
  return harmless.some((one) => one.file === file && one.original === original && one.replacement === replacement)
}

function toLine({ file, line, column, mutator, original, replacement }: Mutant): string {
  return `${file}:${line}:${column} ${mutator}\n  - ${original.replaceAll('\n', '\n    ')}\n  + ${replacement.replaceAll('\n', '\n    ')}`
}
