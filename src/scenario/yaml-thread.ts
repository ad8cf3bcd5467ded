// Reads YAML in a thread of its own, for Node: the library takes some seconds for a megabyte, and a server has other requests to
// answer. This file is both sides; the thread runs it again.
import { clearTimeout, setTimeout } from 'node:timers'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type YamlReader, type YamlReading, yamlReader } from './read-yaml.ts'

/** A shorter text is read sooner than a thread starts. */
const MIN_THREAD_CHARACTERS = 16 * 2 ** 10
/** Some hundred times the largest text that the control API takes. */
const MAX_THREAD_MEGABYTES = 2_048
const ROLE = 'animal-store-mock: read YAML'

/** What the thread is to do; with paths, to find their lines. */
interface Task {
  readonly role: typeof ROLE
  readonly text: string
  readonly paths?: readonly string[]
}

export interface ThreadSettings {
  /** How long a text may take; by default as long as it does. */
  readonly maxMs?: number
  /** What the thread runs, for tests. */
  readonly script?: URL
}

/** Reads short texts at once and long ones in a thread. */
export function createThreadedYamlReader({ maxMs, script }: ThreadSettings = {}): YamlReader {
  // Node cannot run TypeScript in a thread, so from source every text counts as short.
  const canThread = script !== undefined || !import.meta.url.endsWith('.ts')
  const isShort = (text: string) => text.length < MIN_THREAD_CHARACTERS || !canThread
  const run = <Result>(task: Task, toFallback: (reason: string) => Result) =>
    runThread(script ?? new URL(import.meta.url), task, maxMs, toFallback)
  return {
    read: (text) => (isShort(text) ? yamlReader.read(text) : run({ role: ROLE, text }, toRefusal)),
    findLines: (text, paths) =>
      isShort(text) ? yamlReader.findLines(text, paths) : run({ role: ROLE, text, paths }, () => paths.map(() => 1)),
  }
}

function toRefusal(reason: string): YamlReading {
  return { value: undefined, syntaxErrors: [{ line: 1, message: `takes too ${reason} to read as YAML; use JSON instead` }], problems: [] }
}

/** The result of a task for a thread that runs the script; the fallback if it runs out of memory or time. */
export function runThread<Result>(
  script: URL,
  task: { readonly role: string },
  maxMs: number | undefined,
  toFallback: (reason: 'much memory' | 'long') => Result,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(script, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MEGABYTES },
      // Flags of the program, such as --import, are not for the thread.
      execArgv: [],
    })
    const end = (result: Result) => {
      resolve(result)
      void thread.terminate()
    }
    const timer = maxMs === undefined ? undefined : setTimeout(() => end(toFallback('long')), maxMs)
    thread.once('message', end)
    thread.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(toFallback('much memory'))
      else reject(error)
    })
    thread.once('exit', () => {
      clearTimeout(timer)
      // After a result or an error this changes nothing.
      reject(new Error('The thread has ended without a result'))
    })
  })
}

async function work({ text, paths }: Task): Promise<void> {
  parentPort?.postMessage(paths ? await yamlReader.findLines(text, paths) : await yamlReader.read(text))
}

if (!isMainThread && (workerData as Partial<Task> | null)?.role === ROLE) void work(workerData as Task)
