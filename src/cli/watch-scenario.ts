// Reloads a scenario file when it changes, or a file that it extends. An invalid file changes nothing: the last valid world stays.
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { isUsageError } from '../contract/errors.ts'
import { list } from '../contract/schema.ts'
import { CAN_THREAD, MIN_THREAD_BYTES } from '../hosts/node/load-queue.ts'
import type { FileReading } from '../hosts/node/load-thread.ts'
import type { Mock, MockOptions } from '../mock/mock.ts'
import { toAnimals } from './say.ts'

/** Editors write in several steps; the file is read this long after the last one. */
const SETTLE_MS = 50

/** A short file can stand for many animals by these words, which may be written with escapes. */
const MAY_STAND_FOR_MORE = /extends|generate|\\[uUx]/

/** Starts watching; returns a function that ends it. */
export type Watch = (mock: Mock, note: (text: string) => void) => () => void

/** Prepares to watch the file that the options' scenario was read from, before the mock has clients who would have to wait for that. */
export async function prepareWatch(file: string, options: MockOptions): Promise<Watch> {
  const { toMark } = await importReading()
  const mark = toMark(options.scenario)
  return (mock, note) => watchScenario(file, mock, options, mark, note)
}

/** A file of its own in the build: a thread runs it too. */
function importReading() {
  return import('../hosts/node/load-thread.ts')
}

/** Options override the file, as they did at the start. */
function watchScenario(file: string, mock: Mock, options: MockOptions, mark: string, note: (text: string) => void): () => void {
  /** What the file was last: a scenario, or its problems. */
  let outcome = mark
  /** What was read last of it and of the files that it extends. */
  let texts: FileReading['texts'] = {}
  let timer: NodeJS.Timeout | undefined
  let reading = Promise.resolve()
  let isStopped = false
  const folders = createFolderWatch(() => schedule(SETTLE_MS))

  function schedule(delay: number): void {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(() => {
      reading = reading.then(reload)
    }, delay)
    timer.unref()
  }

  /** Whether the outcome is another one; a folder reports its other files too, and a file that was saved unchanged. */
  function isNews(next: string): boolean {
    const isNew = next !== outcome && !isStopped
    outcome = next
    return isNew
  }

  /** Which files have changed since they were last read. */
  function findChanged(next: FileReading['texts']): readonly string[] {
    const before = texts
    texts = { ...before, ...next }
    const changed = Object.keys(next).filter((label) => Object.hasOwn(before, label) && before[label] !== next[label])
    // One that was missing for a while is there again.
    return changed.length > 0 ? changed : [file]
  }

  async function reload(): Promise<void> {
    // Before reading: a change during it is reported.
    folders.renew()
    const { loadFile, loadFileInThread } = await importReading()
    const { scenario, mark, paths, ...read } = await ((await takesLong(file)) ? loadFileInThread : loadFile)(file, options)
    const changed = findChanged(read.texts)
    try {
      if (!isNews(mark)) return
      if (isUsageError(scenario)) throw scenario
      mock.control.load(scenario)
      for (const key of mock.control.sandboxes()) mock.control.removeSandbox(key)
      note(`${list(changed, 'and')} changed: reloaded with ${toAnimals(mock.control.summary().pets)}`)
    } catch (error) {
      if (!isUsageError(error)) throw error
      for (const problem of error.problems) note(problem)
      note(`${file} is invalid: keeping the last valid world`)
    } finally {
      // A folder that was not watched before may have changed meanwhile.
      if (!isStopped && folders.follow(paths)) schedule(0)
    }
  }

  folders.follow([resolve(file)])
  schedule(0)
  return () => {
    isStopped = true
    clearTimeout(timer)
    folders.close()
  }
}

/** Whether others would have to wait while it is read here. */
async function takesLong(file: string): Promise<boolean> {
  if (!CAN_THREAD) return false
  try {
    return (await stat(file)).size >= MIN_THREAD_BYTES || MAY_STAND_FOR_MORE.test(await readFile(file, 'utf8'))
  } catch {
    // Reading it says why.
    return false
  }
}

interface FolderWatch {
  /** Watches the folders of these files instead of those before; returns whether one of them is new. */
  follow(files: readonly string[]): boolean
  /** Watches the same paths again: a folder that was removed and made anew is another folder. */
  renew(): void
  close(): void
}

/** Watches folders, not files: a new file that takes the place of the old one would not be noticed. */
function createFolderWatch(onChange: () => void): FolderWatch {
  let folders: ReadonlySet<string> = new Set()
  let watchers: FSWatcher[] = []

  function add(folder: string, child?: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (child === undefined || name === null || name === child) onChange()
      })
      watchers.push(watcher.on('error', onChange))
    } catch {
      // It is not there, or may not be watched: the folders above it tell.
    }
  }

  function close(): void {
    for (const watcher of watchers) watcher.close()
    watchers = []
  }

  function renew(): void {
    close()
    for (const folder of folders) {
      add(folder)
      // From above, a folder is seen to be replaced, and a missing one to come back.
      const entrance = findEntrance(folder)
      add(dirname(entrance), basename(entrance))
    }
  }

  return {
    follow(files) {
      const next = new Set(files.map((path) => dirname(path)))
      const isNew = [...next].some((folder) => !folders.has(folder))
      folders = next
      if (isNew) renew()
      return isNew
    },
    renew,
    close,
  }
}

/** The folder itself, or the one above it that has to come back first. */
function findEntrance(folder: string): string {
  const above = dirname(folder)
  return above === folder || existsSync(above) ? folder : findEntrance(above)
}
