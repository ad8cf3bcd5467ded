// The kit of a runner: it makes stores, and hooks them into the tests of a file.
import { UsageError } from '../contract/errors.ts'
import { hash } from '../contract/random.ts'
import { installPassThrough } from '../hosts/global-fetch.ts'
import { isRecordingFile } from '../world/row.ts'
import { findCallSite, pointAt } from './call-site.ts'
import { readVariable } from './environment.ts'
import { readStoreOptions, type StoreOptions } from './kit-options.ts'
import { storeMatchers } from './matchers.ts'
import { createStore, type RunningStore, type Store } from './store.ts'
import { type EndedTest, watchTest } from './watch-test.ts'

/** The test that is running. Vitest does not know the line of its definition. */
export type RunningTest = Pick<EndedTest, 'name' | 'hasFailed'> &
  Partial<EndedTest> & { isConcurrent: boolean }

export interface Runner {
  readonly kit: string
  readonly intercept: 'msw' | 'fetch'
  readonly expect: { extend(matchers: typeof storeMatchers): void }
  isRunning(): boolean
  beforeAll(run: () => Promise<void>): void
  beforeEach(run: (test: RunningTest) => Promise<void>): void
  afterEach(run: (test: RunningTest) => Promise<void>): void
  afterAll(run: () => void): void
}

const LATE =
  'mockStore: call it at the top of a file or of a describe block, not inside a test or a hook'
const CONCURRENT =
  'is a concurrent test; make it a plain test, or pass sandbox: true to mockStore, and call ' +
  'store.sandbox() in each test'

/** Importing a kit catches clients that keep the `fetch` they find. */
export function createKit(runner: Runner): (options?: StoreOptions) => Store {
  installPassThrough()
  return (given = {}) => {
    const callSite = findCallSite()
    runner.expect.extend(storeMatchers)
    const options = { intercept: runner.intercept, ...readStoreOptions(given) }
    if (runner.isRunning()) throw pointAt(callSite, new UsageError(LATE))
    const running = createStore(runner.kit, options)
    addHooks(runner, options, running, callSite)
    return running.store
  }
}

function addHooks(
  runner: Runner,
  options: StoreOptions,
  running: RunningStore,
  callSite: string,
): void {
  const { failOn = [], record = readRecordFolder() } = options
  const { watched, interception } = running
  const names: string[] = []
  let endTest: Awaited<ReturnType<typeof watchTest>> | undefined

  function nameFile(test: string): string | undefined {
    names.push(test)
    if (!record) return undefined
    const times = names.filter((name) => name === test).length
    return nameRecording(record, times > 1 ? `${test} ${times}` : test, callSite)
  }

  function refuse(past: readonly string[]): void {
    if (past.length === 0) return
    const lines = ['Requests went past the store:', ...past]
    throw pointAt(callSite, new Error(lines.join('\n  ')))
  }

  runner.beforeAll(async () => {
    try {
      await running.begin()
    } catch (error) {
      throw error instanceof UsageError ? pointAt(callSite, error) : error
    }
  })
  runner.beforeEach(async ({ name, isConcurrent }) => {
    if (isConcurrent && !options.sandbox)
      throw pointAt(callSite, new Error(`${JSON.stringify(name)} ${CONCURRENT}`))
    if (isConcurrent) return
    running.reset()
    endTest = await watchTest(failOn, watched)
  })
  runner.afterEach(async ({ isConcurrent, ...test }) => {
    const file = nameFile(test.name)
    // It is not known which of several concurrent tests sent a request.
    const ended = isConcurrent ? undefined : await endTest?.({ callSite, file, ...test })
    if (ended) console.error([ended.log, ended.saved].filter(Boolean).join('\n'))
    refuse(interception.takePast())
    if (ended?.problem) throw ended.problem
  })
  runner.afterAll(() => {
    const past = interception.takePast()
    interception.stop()
    refuse(past)
  })
}

/** The variable may also name a file, which is for `exec`. */
function readRecordFolder(): string | undefined {
  const folder = readVariable({ syntax: '--record <folder>', parse: String })
  return folder !== undefined && isRecordingFile(folder) ? undefined : folder
}

/**
 * A file for a recording: the name of the test, and a hash for tests of the same name in other
 * files.
 */
function nameRecording(folder: string, name: string, callSite: string): string {
  const words = name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)
  return `${folder}/${words}-${hash(`${callSite} ${name}`).toString(36)}.jsonl`
}
