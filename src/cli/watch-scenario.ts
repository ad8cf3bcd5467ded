// Loads a scenario file again whenever it changes. A file that is not in order changes nothing: the last good world stays.
import { type FSWatcher, realpathSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import { isUsageError } from '../contract/errors.ts'
import { toJson } from '../contract/int64-json.ts'
import { type Mock, type MockOptions, toScenario } from '../mock.ts'
import { loadScenario } from '../scenario/files.ts'
import { toAnimals } from './say.ts'

/** Editors write in several steps; this long after the last one the file is read. */
const PAUSE = 50

/** Watches until the function that it gives is called; the flags stand before the file, as they did at the start. */
export function watchScenario(file: string, mock: Mock, options: MockOptions, note: (text: string) => void): () => void {
  /** What the file last came to: a scenario, or its problems. */
  let outcome = toJson(options.scenario)
  let timer: NodeJS.Timeout | undefined
  let reading = Promise.resolve()
  let isStopped = false

  /** Whether it is another outcome; a folder tells of its other files too, and of a file that was saved as it was. */
  function isNews(next: string): boolean {
    const isNew = next !== outcome && !isStopped
    outcome = next
    return isNew
  }

  async function reload(): Promise<void> {
    try {
      const scenario = await loadScenario(file)
      if (!isNews(toJson(scenario))) return
      mock.control.load(toScenario({ ...options, scenario }))
      for (const key of mock.control.sandboxes()) mock.control.removeSandbox(key)
      note(`${file} has changed and is loaded: ${toAnimals(mock.control.summary().pets)}`)
    } catch (error) {
      if (!isUsageError(error)) throw error
      if (!isNews(error.message)) return
      for (const problem of error.problems) note(problem)
      note(`${file} is not loaded: the last good world stays`)
    }
  }

  // Not the file itself: a new one that takes its place would not be noticed.
  const watchers = foldersOf(file).map((folder): FSWatcher => {
    return watch(folder, { persistent: false }, () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        reading = reading.then(reload)
      }, PAUSE)
    }).on('error', () => note(`${folder} can no longer be watched`))
  })
  return () => {
    isStopped = true
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}

/** Where the file is, and where it really is if it is a link. */
function foldersOf(file: string): string[] {
  return [...new Set([realpathSync(dirname(file)), dirname(realpathSync(file))])]
}
