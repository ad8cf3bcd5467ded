// `npm run test:mutation [-- group… --file src/world --sample 200 --seed 7 --minutes 30]`: changes the code in thousands of small ways and asks the
// tests to notice each one. Prints the score of every file and each change that went unnoticed; fails if a group stays below its mark.
// --file takes the files that begin with it alone, --tests asks only the test files that match (the score is then too low), --sample so many changes of each group, the same ones for the same --seed;
// --minutes ends a long run early, with the score of the changes that were tried by then (they are tried in random order).
// --survivors names a file that gets the changes that went unnoticed, as they are found; if it is there already, only those in it are tried.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createVitest, type Vitest } from 'vitest/node'
import { parse } from 'yaml'
import { type Group, groups } from './groups.ts'
import { instrument, type Mutant } from './instrument.ts'
import { buildMutatedCli } from './mutated-cli.ts'
import { buildMutatedWorker, toStandIn } from './mutated-workerd.ts'
import { isLate, type Seen, toTrial } from './plan.ts'
import { TIME_IS_UP } from './to-mark.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const STUCK_MS = 90_000
const WORKERS = availableParallelism()

/** A change that no test can notice, and why it does no harm. */
interface Harmless {
  readonly file: string
  readonly original: string
  readonly replacement: string
  /** Part of the line that it is on, where the file has the same text elsewhere. */
  readonly on?: string
  readonly why: string
}

const harmless = (parse(readFileSync(new URL('./harmless.yaml', import.meta.url), 'utf8')) ?? []) as readonly Harmless[]

const { positionals: asked, values: flags } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string', default: 'src/' },
    tests: { type: 'string', default: '' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    survivors: { type: 'string' },
  },
})
const earlier =
  flags.survivors === undefined || !existsSync(flags.survivors)
    ? undefined
    : (JSON.parse(readFileSync(flags.survivors, 'utf8')) as readonly Survivor[])
for (const name of asked) if (!(name in groups)) throw new Error(`no group ${name}: there are ${Object.keys(groups).join(', ')}`)

for (const [name, group] of Object.entries(groups)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const { drawn, tried, killed } = await runGroup(group)
  const alive = tried.filter((mutant) => !killed.has(mutant.id) && !isHarmless(mutant))
  const late = tried.filter(({ id }) => isLate(killed.get(id) ?? ''))
  for (const file of new Set(tried.map((mutant) => mutant.file))) {
    const all = tried.filter((mutant) => mutant.file === file).length
    const left = alive.filter((mutant) => mutant.file === file).length
    console.log(`${(100 - (100 * left) / all).toFixed(1).padStart(6)} %  ${String(all - left).padStart(4)} of ${all}  ${file}`)
  }
  for (const mutant of late) console.log(`${toLine(mutant)}\n  noticed by a timeout: ${killed.get(mutant.id)?.split('\n')[1]}`)
  for (const mutant of alive) console.log(toLine(mutant))
  keepSurvivors(alive)
  const score = (100 * (tried.length - alive.length)) / tried.length
  const ofDrawn = tried.length === drawn ? '' : ` (of ${drawn} drawn; time was up)`
  const sampled = flags.sample === undefined ? '' : 'sampled '
  const byTests = `${killed.size} by tests (${late.length} of them by a timeout)`
  const listed = tried.length - alive.length - killed.size
  console.log(
    `${name}: ${score.toFixed(1)} % of ${tried.length} ${sampled}changes${ofDrawn} noticed: ${byTests}, ${listed} listed as harmless (mark ${group.mark} %)`,
  )
  if (score < group.mark) process.exitCode = 1
}
process.exit()

interface Outcome {
  readonly drawn: number
  readonly tried: readonly Mutant[]
  /** How each one was noticed. */
  readonly killed: ReadonlyMap<string, string>
}

async function runGroup(group: Group): Promise<Outcome> {
  const files = listFiles('src').filter(
    (file) => isSource(file) && file.startsWith(flags.file) && isIn(group.sources, file) && !isIn(group.apart ?? [], file),
  )
  const tests = [...listFiles('src'), ...listFiles('test')].filter(
    (file) =>
      /\.(?:test|spec)\.ts$/.test(file) && new RegExp(flags.tests).test(file) && group.asks(file, readFileSync(root + file, 'utf8')),
  )
  const drawn = sample((await instrument(root, files)).mutants.filter(isAsked))
  // Switches cost time wherever they stand: only those of the sample are written into the code.
  const { texts, mutants: written } = await instrument(root, files, drawn)
  const byKey = new Map(written.map((mutant) => [toKey(mutant), mutant]))
  const mutants = drawn.map((mutant) => byKey.get(toKey(mutant)) as Mutant)
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
  if (group.startsCli) await buildMutatedCli(root, texts, folder)
  if (group.startsWorkerd) await buildMutatedWorker(root, texts, folder)
  const vitest = await startVitest(tests, group, texts, folder)
  try {
    const specifications = await vitest.globTestSpecifications()
    await vitest.runTestSpecifications(specifications)
    const seen = readSeen(folder)
    const passed = seen.reduce((total, file) => total + Object.keys(file.passed).length, 0)
    console.log(`${passed} tests of ${seen.length} files (of ${tests.length}) pass as they are, in ${Math.round(process.uptime())} s`)
    for (const failed of seen.flatMap((file) => file.failed)) console.log(`fails as it is, so that it is not asked: ${failed}`)
    const plan = mutants.map((mutant) => toTrial({ id: mutant.id, file: root + mutant.file }, seen, toNeighbours(mutant, mutants)))
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan))
    const deadline = flags.minutes === undefined ? Number.POSITIVE_INFINITY : 60_000 * Number(flags.minutes)
    // A mutant may loop for ever: its worker is stopped, and others take the mutants that it leaves undone.
    for (let isStuck = () => true; isStuck() && performance.now() < deadline; ) {
      isStuck = watchWorkers(folder, mutants, deadline)
      // A worker takes as many mutants as it can get; the file that it is started for does not matter.
      await vitest.runTestSpecifications(specifications.slice(0, WORKERS))
    }
    const verdicts = new Map(
      readdirSync(folder).flatMap((name) => (/\.(killed|survived)$/.test(name) ? [[name, readFileSync(join(folder, name), 'utf8')]] : [])),
    )
    return {
      drawn: mutants.length,
      tried: mutants.filter(({ id }) => verdicts.has(`${id}.killed`) || verdicts.has(`${id}.survived`)),
      killed: new Map(mutants.flatMap(({ id }) => (verdicts.has(`${id}.killed`) ? [[id, verdicts.get(`${id}.killed`) as string]] : []))),
    }
  } finally {
    await vitest.close()
    rmSync(folder, { recursive: true })
  }
}

function readSeen(folder: string): readonly Seen[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.seen'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Seen)
}

function toNeighbours({ file }: Mutant, mutants: readonly Mutant[]): ReadonlySet<string> {
  return new Set(mutants.flatMap((mutant) => (mutant.file === file ? [mutant.id] : [])))
}

function toKey({ file, line, column, mutator, original, replacement }: Mutant): string {
  return JSON.stringify([file, line, column, mutator, original, replacement])
}

interface Survivor {
  readonly file: string
  readonly line: number
  readonly original: string
  readonly replacement: string
}

function keepSurvivors(alive: readonly Mutant[]): void {
  if (flags.survivors === undefined) return
  const kept = alive.map(({ file, line, original, replacement }): Survivor => ({ file, line, original, replacement }))
  kept.sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line)
  writeFileSync(flags.survivors, `[\n${kept.map((survivor) => JSON.stringify(survivor)).join(',\n')}\n]\n`)
}

/** Lines move when a file is edited: a change is known by its text alone. */
function isAsked({ file, original, replacement }: Mutant): boolean {
  return earlier === undefined || earlier.some((one) => one.file === file && one.original === original && one.replacement === replacement)
}

/** As many as were asked for, in random order, by a linear congruential generator from the seed. */
function sample(mutants: readonly Mutant[]): readonly Mutant[] {
  let state = Number(flags.seed) >>> 0
  const drawn = mutants.map((mutant) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return { mutant, state }
  })
  return drawn
    .sort((one, other) => one.state - other.state)
    .slice(0, flags.sample === undefined ? undefined : Number(flags.sample))
    .map(({ mutant }) => mutant)
}

async function startVitest(tests: readonly string[], group: Group, texts: ReadonlyMap<string, string>, folder: string): Promise<Vitest> {
  return await createVitest(
    'test',
    {
      config: false,
      root,
      watch: false,
      include: [...tests],
      runner: join(root, 'test/mutation/runner.ts'),
      provide: { mutationFolder: folder },
      reporters: [{}],
      silent: true,
      // Modules stay loaded from one file to the next, and from one mutant to the next.
      isolate: false,
      maxWorkers: WORKERS,
      testTimeout: 30_000,
      teardownTimeout: 1_000,
      dangerouslyIgnoreUnhandledErrors: true,
      ...(group.tests ? { testNamePattern: group.tests } : {}),
    },
    {
      plugins: [
        {
          name: 'mutants',
          enforce: 'pre',
          resolveId: (source, importer) => (group.startsWorkerd ? toStandIn(source, importer) : null),
          load: (id) => texts.get(id.slice(root.length).split('?')[0] as string) ?? null,
        },
      ],
    },
  )
}

/** Stops workers that have been busy with one mutant for too long; the mutant counts as noticed. Returns whether there were any. */
function watchWorkers(folder: string, mutants: readonly Mutant[], deadline: number): () => boolean {
  let stopped = 0
  const timer = setInterval(() => {
    keepSurvivors(mutants.filter((mutant) => existsSync(join(folder, `${mutant.id}.survived`)) && !isHarmless(mutant)))
    if (performance.now() > deadline) writeFileSync(join(folder, TIME_IS_UP), '')
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.worker'))) {
      const desk = join(folder, name)
      // Its worker may have taken it away by now.
      if (Date.now() - (statSync(desk, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) < STUCK_MS) continue
      writeFileSync(join(folder, `${readFileSync(desk, 'utf8')}.killed`), `${STUCK_MS} ms\nit never ends`)
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

function isIn(parts: readonly string[], file: string): boolean {
  return parts.some((part) => `${file}/`.startsWith(`src/${part}/`))
}

function isSource(file: string): boolean {
  return file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('src/generated/')
}

function isHarmless({ file, line, original, replacement }: Mutant): boolean {
  const isOn = (part: string) => (readFileSync(root + file, 'utf8').split('\n')[line - 1] as string).includes(part)
  return harmless.some(
    (one) => one.file === file && one.original === original && one.replacement === replacement && (one.on === undefined || isOn(one.on)),
  )
}

function toLine({ file, line, column, mutator, original, replacement }: Mutant): string {
  return `${file}:${line}:${column} ${mutator}\n  - ${original.replaceAll('\n', '\n    ')}\n  + ${replacement.replaceAll('\n', '\n    ')}`
}
