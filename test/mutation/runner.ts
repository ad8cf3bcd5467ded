// Runs tests for Stryker, inside the process that Stryker starts. Stryker's own runner for Vitest
// imports every test file again for each mutant, which takes seconds. This one imports them once,
// and runs those that reach a mutant with Vitest's own functions.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { runInThisContext } from 'node:vm'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  type CompleteDryRunResult,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import {
  type RunnerTestCase,
  type RunnerTestFile,
  type RunnerTestSuite,
  TestRunner,
  vi,
} from 'vitest'
import { collectTests, setSafeTimers, startTests } from 'vitest/internal/browser'
import { VitestSnapshotEnvironment } from 'vitest/runtime'

/** Tests of the mutated rooms: the unit tests, and specs that start no other process. */
const UNIT =
  /^src\/(contract|world|service|control|scenario|hosts\/node|client|mock)\/.*\.test\.ts$/
const SPECS =
  /^test\/(service|transcripts|control|hosts|hosts\/every|isolated)\/[^/]*\.spec\.ts$|^test\/model\/(timeline|recording)\.spec\.ts$/
/**
 * These wait for seconds, and would do so for each of hundreds of mutants; the heartbeat needs
 * `vi.mock`.
 */
const SLOW =
  /finish its request in time|half-sent requests after two seconds|a message that cannot be read is aborted|every 15 seconds|reader that is too slow|control method in a tool/
/** These start processes, mock modules, or need another value of a limit than others. */
const LEFT_OUT = /\/(secrets|vite|kit-without-msw|jest-kit|unread-responses)\.spec|over stdio|^mcp /

const TIMEOUT_MS = 60_000
/**
 * A mutant may make a test wait, or run, for ever. A test has so many times its usual time, and
 * this besides.
 */
const USUAL_TIMES = 5
const TEST_MS = 3_000
/** What tests take without a mutant: the process of the dry run tells the others. */
const USUAL_FILE = 'durations.json'
/**
 * A mutant that has lived through this much processor time of its tests counts as alive: some are
 * reached by a thousand of them.
 */
const MUTANT_MS = 6_000
/**
 * A file whose quick tests take longer together has its place among the last; slower tests run if a
 * mutant survives the quick ones.
 */
const QUICK_FILE_MS = 1_000
const QUICK_TEST_MS = 200
/** As they are before tests replace them. */
const { setTimeout } = globalThis
const now = performance.now.bind(performance)
const spent = () => process.cpuUsage().user / 1_000
/** Fails the test that runs. */
let fail = (_error: unknown) => {}

/** What Vitest's functions ask about the run. */
const config = {
  root: '',
  setupFiles: [],
  sequence: { hooks: 'stack' },
  maxConcurrency: 5,
  testTimeout: TIMEOUT_MS,
  hookTimeout: TIMEOUT_MS,
  passWithNoTests: true,
  expect: {},
  experimental: {},
  snapshotOptions: { updateSnapshot: 'none', snapshotEnvironment: new VitestSnapshotEnvironment() },
}

/** What instrumented code shares with Stryker. */
interface Instrumented {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number
  mutantCoverage?: CompleteDryRunResult['mutantCoverage']
}

const shared = globalThis as {
  __stryker__?: Instrumented
  __vitest_worker__?: unknown
  runTest?: () => unknown
}
shared.__stryker__ ??= {}
const instrumented = shared.__stryker__
let deadline = Number.POSITIVE_INFINITY
// Asked each time that the mutant runs, which ends a loop without end.
Object.defineProperty(instrumented, 'hitLimit', {
  get: () => (now() > deadline ? 0 : Number.POSITIVE_INFINITY),
})

const toId = (test: RunnerTestCase) => `${relative('.', test.file.filepath)}#${test.fullTestName}`
const hasFailed = ({ status }: TestResult) => status === TestStatus.Failed

/** Vitest's runner, without the thread that it expects to be in. */
class InProcess extends TestRunner {
  chosen: RunnerTestFile[] = []
  results: TestResult[] = []
  end = Number.POSITIVE_INFINITY
  usual: Readonly<Record<string, number>> = {}

  override importFile = (path: string) => import(path)
  override trace = (_name: string, attributes: unknown, body = attributes) =>
    (body as () => never)()
  override getImportDurations = () => ({})

  /** Nothing was collected again; what was collected at the start runs. */
  onCollected(files: RunnerTestFile[]) {
    files.push(...this.chosen)
  }

  override async onBeforeRunTask(test: RunnerTestCase) {
    if (spent() > this.end) test.mode = 'skip'
    await super.onBeforeRunTask(test)
  }

  override onBeforeTryTask(test: RunnerTestCase) {
    super.onBeforeTryTask(test)
    if (!instrumented.activeMutant) instrumented.currentTestId = toId(test)
  }

  async runTask(test: RunnerTestCase) {
    const call = TestRunner.getTestFn(test)
    if (!instrumented.activeMutant) return call()
    const limit = TEST_MS + Math.ceil(USUAL_TIMES * (this.usual[toId(test)] ?? 0))
    deadline = now() + limit
    shared.runTest = call
    // Ends a loop that does not reach the mutant again, as long as the test has not waited for
    // anything.
    const run = runInThisContext('runTest()', { timeout: limit })
    const failed = new Promise((_, reject) => (fail = reject))
    setTimeout(fail, limit, new Error('timed out')).unref()
    await Promise.race([run, failed])
  }

  override onAfterRunTask(test: RunnerTestCase) {
    super.onAfterRunTask(test)
    instrumented.currentTestId = undefined
    deadline = Number.POSITIVE_INFINITY
    const [error] = test.result?.errors ?? []
    const result = {
      id: toId(test),
      name: test.fullTestName,
      timeSpentMs: test.result?.duration ?? 0,
      fileName: test.file.filepath,
    }
    if (!error) return void this.results.push({ ...result, status: TestStatus.Success })
    this.results.push({ ...result, status: TestStatus.Failed, failureMessage: error.message })
    // One failure is enough to kill a mutant.
    if (instrumented.activeMutant) this.end = 0
  }
}

class MutationRunner {
  files: RunnerTestFile[] = []
  runner: InProcess | undefined
  /** What the tests of a file take together. */
  times = new Map<string, number>()
  mutants = 0
  isSpoiled = false

  /** Only mutants that a test reaches come here, so nothing is to be loaded again. */
  capabilities = () => ({ reloadEnvironment: true })

  async init() {
    Object.assign(process.env, { HOSTS: 'direct', RUNS_FACTOR: '0.2', SPEC_SEED: '1' })
    config.root = process.cwd()
    shared.__vitest_worker__ = {
      config,
      ctx: { pool: 'forks' },
      environment: { name: 'node' },
      metaEnv: process.env,
      rpc: { resolveSnapshotPath: (path: string) => `${path}.snap`, snapshotSaved() {} },
      onCleanup() {},
    }
    Object.assign(globalThis, { __vitest_mocker__: { queueMock() {} } })
    setLimits()
    setSafeTimers()
    const runner = new InProcess(config as never)
    const paths = ['src', 'test'].flatMap((root) =>
      readdirSync(root, { recursive: true }).map((path) => `${root}/${path}`),
    )
    const tests = paths.filter(
      (path) => UNIT.test(path) || (SPECS.test(path) && !LEFT_OUT.test(path)),
    )
    this.files = await collectTests(
      tests.map((path) => resolve(path)),
      runner as never,
    )
    this.runner = runner
    for (const { name, result } of this.files)
      if (result) throw new Error(`${name}: ${result.errors?.[0]?.message}`)
    // A mutant may throw where no test catches it.
    process.on('uncaughtException', (error) => fail(error))
  }

  async dryRun(): Promise<DryRunResult> {
    const tests = await this.run((test) => !SLOW.test(test.name) && !LEFT_OUT.test(test.name))
    const usual = tests.map(({ id, timeSpentMs }) => [id, timeSpentMs])
    writeFileSync(USUAL_FILE, JSON.stringify(Object.fromEntries(usual)))
    const { mutantCoverage = { static: {}, perTest: {} } } = instrumented
    return { status: DryRunStatus.Complete, tests, mutantCoverage }
  }

  async mutantRun({
    activeMutant,
    sandboxFileName,
    testFilter,
  }: MutantRunOptions): Promise<MutantRunResult> {
    if (this.isSpoiled) throw new Error('Stryker tries again in a new process')
    this.mutants++
    Object.assign(instrumented, { activeMutant: activeMutant.id, hitCount: 0 })
    const reaching = new Set(testFilter)
    if (this.mutants === 1) this.readUsual()
    if (sandboxFileName.includes('/hosts/'))
      this.putFirst(resolve('test/hosts'), resolve('test/isolated'))
    this.putFirst(dirname(sandboxFileName))
    const tests = await this.run((test) => reaching.has(toId(test)) && this.isQuick(toId(test)))
    if (!tests.some(hasFailed))
      tests.push(
        ...(await this.run((test) => reaching.has(toId(test)) && !this.isQuick(toId(test)))),
      )
    instrumented.activeMutant = undefined
    const killer = tests.find(hasFailed)
    if (killer) await this.learn(killer)
    return toMutantRunResult({ status: DryRunStatus.Complete, tests })
  }

  readUsual() {
    const runner = this.runner as InProcess
    runner.usual = JSON.parse(readFileSync(USUAL_FILE, 'utf8'))
    for (const [id, duration] of Object.entries(runner.usual)) {
      const file = resolve(id.slice(0, id.indexOf('#')))
      if (this.isQuick(id)) this.times.set(file, this.timeOf(file) + duration)
    }
    this.files.sort((a, b) => this.timeOf(a.filepath) - this.timeOf(b.filepath))
  }

  isQuick = (id: string) => (this.runner?.usual[id] ?? 0) < QUICK_TEST_MS
  timeOf = (file: string) => this.times.get(file) ?? 0

  /** Puts the quick tests of files or folders before the others. */
  putFirst(...paths: string[]) {
    const isFirst = (file: string) =>
      this.timeOf(file) < QUICK_FILE_MS && paths.some((path) => file.startsWith(path))
    const rank = ({ filepath }: RunnerTestFile) => Number(isFirst(filepath))
    this.files.sort((a, b) => rank(b) - rank(a))
  }

  /**
   * The next mutant is probably near this one, so these tests come first. A test that still fails
   * says nothing about mutants.
   */
  async learn({ id, fileName }: TestResult): Promise<void> {
    // It has failed before it could put back what it replaced.
    vi.restoreAllMocks().unstubAllGlobals().useRealTimers()
    const [again] = await this.run((test) => toId(test) === id)
    if (fileName) this.putFirst(fileName)
    this.isSpoiled = again !== undefined && hasFailed(again)
    if (this.isSpoiled && this.mutants > 1) throw new Error('Stryker tries again in a new process')
  }

  async run(isWanted: (test: RunnerTestCase) => boolean): Promise<TestResult[]> {
    const runner = this.runner as InProcess
    runner.results = []
    runner.end = instrumented.activeMutant ? spent() + MUTANT_MS : Number.POSITIVE_INFINITY
    runner.chosen = this.files.filter((file) => choose(file, isWanted))
    await startTests([], runner as never)
    return runner.results
  }
}

/**
 * Sets for all specs, in Stryker's copy, the limits that those of test/isolated set with `vi.mock`.
 */
function setLimits() {
  const names = readdirSync('test/isolated').filter((name) => !LEFT_OUT.test(`/${name}`))
  const specs = names.map((name) => readFileSync(`test/isolated/${name}`, 'utf8'))
  let limits = readFileSync('src/contract/limits.ts', 'utf8')
  for (const [, name, value] of specs.join().matchAll(/limits\.ts'.* ([A-Z_]+): ([\d_]+) \}/g))
    limits = limits.replace(new RegExp(`${name} = .*`), `${name} = ${value}`)
  writeFileSync(`src/limits.${process.pid}`, limits)
  renameSync(`src/limits.${process.pid}`, 'src/contract/limits.ts')
}

/** Marks what is to run; false if nothing of it is. */
function choose(suite: RunnerTestSuite, isWanted: (test: RunnerTestCase) => boolean): boolean {
  delete suite.result
  suite.mode = 'skip'
  for (const task of suite.tasks) {
    delete task.result
    if (task.type === 'test') task.mode = isWanted(task) ? 'run' : 'skip'
    if (task.type === 'test' ? task.mode === 'run' : choose(task, isWanted)) suite.mode = 'run'
  }
  return suite.mode === 'run'
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'in-process', MutationRunner),
]
