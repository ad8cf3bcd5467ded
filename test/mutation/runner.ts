// The worker's part. Before there is a plan it runs each test file as it is, and notes which tests reach which mutants and how long they
// take. With the plan it takes one mutant after the other, switches it on and asks the tests that reach it, the quickest file first, until
// one fails. Nothing is built or started for a mutant, and of the modules only the test file itself is loaded again.
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTests, type VitestRunner } from '@vitest/runner'
import { inject, it, type RunnerTask, type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest'
import { activateInProcesses, createReached, takeReached } from './mutated-cli.ts'
import { takeReachedInWorkers } from './mutated-workerd.ts'
import { isLate, type Question, type Seen, type Trial } from './plan.ts'
import { TIME_IS_UP, toMark } from './to-mark.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the workers and the run share what they know. */
    mutationFolder: string
  }
}

/** The variable through which instrumented code finds the active mutant, and counts what it reaches while there is none. */
interface Switch {
  activeMutant?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number
  reached: Record<string, number>
}

/** A mutant may run its code so many times more often than the original before it counts as an endless loop. */
const HIT_FACTOR = 100
const MIN_HITS = 10_000
const RESULTS_SENT_MS = 300

const shared = globalThis as { __stryker__?: Switch }
// Instrumented modules keep the object that they find.
shared.__stryker__ ??= { reached: {} }
const mutationSwitch: Switch = shared.__stryker__

export default class MutationRunner extends TestRunner {
  readonly #folder = inject('mutationFolder')
  readonly #plan = join(this.#folder, 'plan.json')
  /** Where this worker says what it is doing, so that one that never ends can be stopped. */
  readonly #desk = join(this.#folder, `${process.pid}.worker`)
  readonly #reached = createReached(this.#folder)
  #passed: Record<string, number> = {}
  #failed: string[] = []
  #perTest: Record<string, Record<string, number>> = {}
  #outside = mutationSwitch.reached

  override async importFile(path: string, source: 'collect' | 'setup'): Promise<unknown> {
    if (!existsSync(this.#plan)) {
      if (replacesModules(path)) this.#forget(undefined)
      return await super.importFile(path, source)
    }
    // Vitest asks for a test in every file.
    return it('tries mutants afterwards', () => {})
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test)
    this.#perTest[test.id] ??= {}
    mutationSwitch.reached = this.#perTest[test.id] as Record<string, number>
  }

  // Vitest waits for it, though its own is done at once.
  override async onAfterRunTask(test: RunnerTestCase): Promise<void> {
    super.onAfterRunTask(test)
    mutationSwitch.reached = this.#outside
    const reached = this.#perTest[test.id] as Record<string, number>
    addTo(reached, takeReached(this.#reached))
    for (const inWorker of await takeReachedInWorkers()) addTo(reached, inWorker)
    if (test.result?.state === 'pass') this.#passed[test.id] = test.result.duration ?? 0
    if (test.result?.state === 'fail') this.#failed.push(`${test.fullName}: ${test.result.errors?.[0]?.message}`)
  }

  // Vitest's own has no parameter, though it is given one.
  override async onAfterRunFiles(...[files = []]: RunnerTestFile[][]): Promise<void> {
    // The results of the file are gathered for a moment before they are sent.
    await new Promise((resolve) => setTimeout(resolve, RESULTS_SENT_MS))
    if (existsSync(this.#plan)) await this.#tryMutants()
    else for (const file of files) this.#note(file)
    super.onAfterRunFiles()
  }

  #note({ filepath, result }: RunnerTestFile): void {
    for (const error of result?.errors ?? []) this.#failed.push(`${filepath}: ${error.stack ?? error.message}`)
    const seen: Seen = { file: filepath, passed: this.#passed, failed: this.#failed, perTest: this.#perTest, outside: this.#outside }
    writeFileSync(join(this.#folder, `${toMark(filepath)}.seen`), JSON.stringify(seen))
    if (replacesModules(filepath)) this.#forget(undefined)
    this.#passed = {}
    this.#failed = []
    this.#perTest = {}
    this.#outside = {}
    mutationSwitch.reached = this.#outside
  }

  async #tryMutants(): Promise<void> {
    for (const trial of JSON.parse(readFileSync(this.#plan, 'utf8')) as readonly Trial[]) {
      if (existsSync(join(this.#folder, TIME_IS_UP))) return
      if (!this.#claim(trial.mutant)) continue
      writeFileSync(this.#desk, trial.mutant)
      const start = performance.now()
      const killer = await this.#tryMutant(trial)
      mutationSwitch.activeMutant = undefined
      activateInProcesses(undefined)
      takeReached(this.#reached)
      const verdict = join(this.#folder, `${trial.mutant}.${killer === undefined ? 'survived' : 'killed'}`)
      writeFileSync(verdict, `${Math.round(performance.now() - start)} ms\n${killer ?? ''}`)
      rmSync(this.#desk, { force: true })
    }
  }

  /** Whether this worker is the first to take a mutant. */
  #claim(mutant: string): boolean {
    try {
      closeSync(openSync(join(this.#folder, `${mutant}.claimed`), 'wx'))
      return true
    } catch {
      return false
    }
  }

  async #tryMutant({ mutant, hits, questions }: Trial): Promise<string | undefined> {
    for (const question of questions) {
      const { file, reload } = question
      // Loaded as it was written: a mutant that acts then is asked about with a reload of its own.
      if (!reload) mutationSwitch.activeMutant = undefined
      activateInProcesses(undefined)
      Object.assign(mutationSwitch, { hitCount: 0, hitLimit: Math.max(hits * HIT_FACTOR, MIN_HITS) })
      const ask = () => this.#ask(question, mutant)
      // One that comes too late may be the machine's fault, but hardly twice.
      let killer = await ask()
      if (killer !== undefined && isLate(killer)) killer = await ask()
      if (reload || replacesModules(file)) this.#forget(undefined)
      if (killer !== undefined) return killer
    }
    return undefined
  }

  /** The name of the first test that fails, if one does. */
  async #ask({ file: filepath, tests, reload, timeoutMs }: Question, mutant: string): Promise<string | undefined> {
    let killer: string | undefined
    const limits = { testTimeout: timeoutMs, hookTimeout: timeoutMs, retry: 0 }
    const again: VitestRunner = Object.create(this, { config: { value: { ...this.config, ...limits } } })
    Object.assign(again, {
      importFile: async (path: string, source: 'collect' | 'setup') => {
        this.#forget(reload || replacesModules(path) ? undefined : path)
        if (reload) mutationSwitch.activeMutant = mutant
        return await TestRunner.prototype.importFile.call(again as TestRunner, path, source)
      },
      onCollectStart: () => {},
      onCollected: (files: RunnerTestFile[]) => {
        mutationSwitch.activeMutant = mutant
        activateInProcesses(mutant)
        const [file] = files
        if (file?.result?.state === 'fail') killer = `${file.name} does not load: ${file.result.errors?.[0]?.message}`
        else if (file !== undefined) keepOnly(file, new Set(tests))
      },
      onTaskUpdate: async () => {},
      onBeforeRunTask: async (test: RunnerTestCase) => {
        if (killer !== undefined) test.mode = 'skip'
        else writeFileSync(this.#desk, mutant)
        await TestRunner.prototype.onBeforeRunTask.call(again as TestRunner, test)
      },
      onAfterRunTask: (test: RunnerTestCase) => {
        if (test.result?.state === 'fail') killer ??= `${test.fullName ?? test.name}\n${test.result.errors?.[0]?.message ?? ''}`
      },
      onBeforeRunSuite: async (suite: RunnerTestSuite) => {
        if (killer !== undefined) suite.mode = 'skip'
        await TestRunner.prototype.onBeforeRunSuite.call(again as TestRunner, suite)
      },
      onAfterRunSuite: async (suite: RunnerTestSuite) => {
        // A hook that fails fails its suite.
        if (suite.result?.state === 'fail') killer ??= `${suite.name}\n${suite.result.errors?.[0]?.message ?? ''}`
      },
      onAfterRunFiles: () => {},
    })
    const { filepath: own } = this.#state
    // Modules that a test file replaces are replaced for the file that is named here.
    this.#state.filepath = filepath
    await startTests([filepath], again)
    this.#state.filepath = own
    return killer
  }

  get #state(): WorkerState {
    return (this as unknown as { workerState: WorkerState }).workerState
  }

  /** Has a module loaded again, or every module that mutants change while it loads. */
  #forget(path: string | undefined): void {
    const { evaluatedModules } = this.#state
    for (const [id, node] of evaluatedModules.idToModuleMap) {
      if (path === undefined ? !id.includes('/node_modules/') : id === path) evaluatedModules.invalidateModule(node)
    }
  }
}

/** Whether a test file needs modules of its own, since it has others in the place of some. */
function replacesModules(path: string): boolean {
  return readFileSync(path, 'utf8').includes('vi.mock(')
}

function addTo(known: Record<string, number>, reached: Readonly<Record<string, number>>): void {
  for (const [mutant, hits] of Object.entries(reached)) known[mutant] = (known[mutant] ?? 0) + hits
}

/** Skips all other tests, and the suites that have none of these, so that their hooks do not run. Returns whether one is left. */
function keepOnly(task: RunnerTask, tests: ReadonlySet<string>): boolean {
  const isKept = task.type === 'test' ? tests.has(task.id) : task.tasks.map((child) => keepOnly(child, tests)).includes(true)
  if (!isKept) task.mode = 'skip'
  return isKept
}

/** What is needed of Vitest's state of a worker. */
interface WorkerState {
  filepath?: string | undefined
  readonly evaluatedModules: {
    readonly idToModuleMap: ReadonlyMap<string, unknown>
    invalidateModule(module: unknown): void
  }
}
