// Runs a test file once as it is, to see which tests reach which mutants, and then again for each mutant that is still alive,
// with only the tests that reach it. Mutants are switched inside the process: nothing is built or started for one of them.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTests, type VitestRunner } from '@vitest/runner'
import { inject, type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest'
import { toMark } from './to-mark.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the workers tell each other which mutants are dead. */
    mutationFolder: string
  }
}

/** The variable through which instrumented code finds the active mutant and leaves its coverage. */
interface Switch {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> }
}

/** A mutant may run its code so many times more often than the original before it counts as an endless loop. */
const HIT_FACTOR = 100
const MIN_HITS = 10_000
const MUTANT_TEST_TIMEOUT_MS = 3_000
const RESULTS_SENT_MS = 300

const shared = globalThis as { __stryker__?: Switch }
shared.__stryker__ ??= {}
const mutationSwitch: Switch = shared.__stryker__

export default class MutationRunner extends TestRunner {
  readonly #passed = new Set<string>()
  #fileOf: Readonly<Record<string, string>> | undefined

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test)
    mutationSwitch.currentTestId = test.id
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test)
    mutationSwitch.currentTestId = undefined
    if (test.result?.state === 'pass') this.#passed.add(test.id)
  }

  // Vitest's own has no parameter, though it is given one.
  /** Where this worker says what it is doing, so that one that never ends can be stopped. */
  readonly #desk = join(inject('mutationFolder'), `${process.pid}.worker`)

  override async onAfterRunFiles(...[files = []]: RunnerTestFile[][]): Promise<void> {
    // The results of the plain run are gathered for a moment before they are sent.
    await new Promise((resolve) => setTimeout(resolve, RESULTS_SENT_MS))
    const coverage = mutationSwitch.mutantCoverage ?? { static: {}, perTest: {} }
    delete mutationSwitch.mutantCoverage
    for (const file of files) {
      for (const [mutant, { tests, hits, isStatic }] of toPlan(coverage, this.#passed)) {
        if (this.#isAsked(file.filepath, mutant, isStatic)) await this.#tryMutant(file, mutant, tests, hits, isStatic)
      }
    }
    mutationSwitch.activeMutant = undefined
    super.onAfterRunFiles()
  }

  /**
   * Only mutants of the sample. Loading every module again for one takes long, so that of the unit tests only that of its own file is
   * asked about what happens then.
   */
  #isAsked(filepath: string, mutant: string, isStatic: boolean): boolean {
    this.#fileOf ??= JSON.parse(readFileSync(join(inject('mutationFolder'), 'mutants.json'), 'utf8')) as Record<string, string>
    const source = this.#fileOf[mutant]
    if (source === undefined) return false
    return !isStatic || !filepath.endsWith('.test.ts') || filepath.endsWith(`/${source.replace(/\.ts$/, '.test.ts')}`)
  }

  async #tryMutant(file: RunnerTestFile, mutant: string, tests: ReadonlySet<string>, hits: number, isStatic: boolean): Promise<void> {
    const grave = join(inject('mutationFolder'), `${mutant}.killed`)
    const survived = join(inject('mutationFolder'), `${toMark(file.filepath)}-${mutant}.survived`)
    if (existsSync(grave) || existsSync(survived)) return
    writeFileSync(this.#desk, mutant)
    Object.assign(mutationSwitch, { activeMutant: mutant, hitCount: 0, hitLimit: Math.max(hits * HIT_FACTOR, MIN_HITS) })
    const killer = await this.#runAgain(file.filepath, tests, isStatic)
    mutationSwitch.activeMutant = undefined
    writeFileSync(killer === undefined ? survived : grave, killer ?? '')
    rmSync(this.#desk, { force: true })
  }

  /** The name of the first test that fails, if one does. */
  async #runAgain(filepath: string, tests: ReadonlySet<string>, isStatic: boolean): Promise<string | undefined> {
    let killer: string | undefined
    const again: VitestRunner = Object.create(this, {
      config: { value: { ...this.config, testTimeout: MUTANT_TEST_TIMEOUT_MS, hookTimeout: MUTANT_TEST_TIMEOUT_MS, retry: 0 } },
    })
    Object.assign(again, {
      importFile: (path: string, source: 'collect' | 'setup') => {
        this.#forget(isStatic ? undefined : path)
        return TestRunner.prototype.importFile.call(again as TestRunner, path, source)
      },
      onCollectStart: () => {},
      onCollected: (files: RunnerTestFile[]) => {
        const [file] = files
        if (file?.result?.state === 'fail') killer = `${file.name} does not load`
      },
      onTaskUpdate: async () => {},
      onBeforeRunTask: async (test: RunnerTestCase) => {
        if (killer !== undefined || !tests.has(test.id)) test.mode = 'skip'
        await TestRunner.prototype.onBeforeRunTask.call(again as TestRunner, test)
      },
      onAfterRunTask: (test: RunnerTestCase) => {
        if (test.result?.state === 'fail') killer ??= test.fullName ?? test.name
      },
      onBeforeRunSuite: TestRunner.prototype.onBeforeRunSuite,
      onAfterRunSuite: async (suite: { result?: { state: string }; name: string }) => {
        // A hook that fails fails its suite.
        if (suite.result?.state === 'fail') killer ??= suite.name
      },
      onAfterRunFiles: () => {},
    })
    await startTests([filepath], again)
    return killer
  }

  /** Has a module loaded again, or every module that mutants change while it loads. */
  #forget(path: string | undefined): void {
    const { evaluatedModules } = (this as unknown as { workerState: WorkerState }).workerState
    for (const [id, node] of evaluatedModules.idToModuleMap) {
      if (path === undefined ? !id.includes('/node_modules/') : id === path) evaluatedModules.invalidateModule(node)
    }
  }
}

/** What is needed of Vitest's state of a worker. */
interface WorkerState {
  readonly evaluatedModules: {
    readonly idToModuleMap: ReadonlyMap<string, unknown>
    invalidateModule(module: unknown): void
  }
}

interface Plan {
  readonly tests: Set<string>
  hits: number
  /** Reached while modules load, so that they have to load again. */
  isStatic: boolean
}

function toPlan(coverage: NonNullable<Switch['mutantCoverage']>, passed: ReadonlySet<string>): Map<string, Plan> {
  const plan = new Map<string, Plan>()
  const of = (mutant: string): Plan => {
    const known = plan.get(mutant) ?? { tests: new Set(), hits: 0, isStatic: false }
    plan.set(mutant, known)
    return known
  }
  for (const [test, mutants] of Object.entries(coverage.perTest)) {
    if (!passed.has(test)) continue
    for (const [mutant, hits] of Object.entries(mutants)) {
      of(mutant).tests.add(test)
      of(mutant).hits += hits
    }
  }
  for (const [mutant, hits] of Object.entries(coverage.static)) {
    // What runs while modules load can be seen by any test of the file.
    for (const test of passed) of(mutant).tests.add(test)
    of(mutant).hits += hits
    of(mutant).isStatic = true
  }
  return plan
}
