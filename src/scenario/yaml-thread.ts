// Reads YAML in a thread of its own, for Node: the library takes some seconds for a megabyte, and a server has other requests to
// answer. This file is both sides; the thread runs it again.
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

const TOO_LARGE: YamlReading = {
  value: undefined,
  syntaxErrors: [{ line: 1, message: 'takes too much memory to read as YAML; use JSON instead' }],
  problems: [],
}

/** Reads short texts here and long ones in a thread. */
export const threadedYamlReader: YamlReader = {
  read: (text) => (isShort(text) ? yamlReader.read(text) : run({ role: ROLE, text }, TOO_LARGE)),
  findLines: (text, paths) =>
    isShort(text)
      ? yamlReader.findLines(text, paths)
      : run(
          { role: ROLE, text, paths },
          paths.map(() => 1),
        ),
}

/** Node cannot run TypeScript in a thread, so from source every text counts as short. */
function isShort(text: string): boolean {
  return text.length < MIN_THREAD_CHARACTERS || import.meta.url.endsWith('.ts')
}

/** The result of a task; `whenFull` if the thread runs out of memory. */
function run<Result>(task: Task, whenFull: Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MEGABYTES },
      // Flags of the program, such as --import, are not for the thread.
      execArgv: [],
    })
    thread.once('message', (result: Result) => {
      resolve(result)
      void thread.terminate()
    })
    thread.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(whenFull)
      else reject(error)
    })
    // After a message or an error this changes nothing.
    thread.once('exit', () => reject(new Error('The thread that reads YAML has ended without a result')))
  })
}

async function work({ text, paths }: Task): Promise<void> {
  parentPort?.postMessage(paths ? await yamlReader.findLines(text, paths) : await yamlReader.read(text))
}

if (!isMainThread && (workerData as Partial<Task> | null)?.role === ROLE) void work(workerData as Task)
