// Reloads the shared state when a scenario file changes, or a file that it extends; sandboxes keep their states. An invalid file changes
// nothing, and so does one that is written again as it was.
import { statSync } from 'node:fs'
import { UsageError } from '../../contract/errors.ts'
import { toJson } from '../../contract/int64-json.ts'
import { say } from '../../contract/problem.ts'
import type { Mock } from '../../mock/mock.ts'
import { checkScenario, type MockOptions } from '../../mock/mock-options.ts'
import { readScenarioFile } from '../../scenario/files.ts'

/** How often the files are looked at. Watches of the system miss files that are replaced, and folders that come and go. */
const POLL_MS = 100

/** `report` gets a line for each reload, and for each problem. */
export function createWatch(file: string, report: (line: string) => void) {
  /** What each path was when it was last read. */
  const read = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  /** The last scenario that was valid. */
  let last: string | undefined
  const follow = (path: string) => void read.set(path, look(path))

  async function reload(mock: Mock, options: MockOptions): Promise<void> {
    read.clear()
    try {
      const scenario = checkScenario({ ...options, scenario: await readScenarioFile(file, { onFile: follow }) })
      const text = toJson(scenario)
      if (!timer || text === last) return
      last = text
      mock.control.load(scenario)
      const { pets, sandboxes = 0 } = mock.control.summary()
      const kept =
        sandboxes === 0 ? '' : `; ${sandboxes === 1 ? 'the sandbox keeps its state' : `${sandboxes} sandboxes keep their states`}`
      report(`${file} changed: replaced the state with ${pets} ${pets === 1 ? 'animal' : 'animals'}${kept}`)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      for (const problem of error.problems) report(say(problem))
      report(`${file} is invalid: keeping the last valid state`)
    }
  }

  return {
    /** Call it with each path before it is read. */
    follow,
    /** Reloads from now on; the options override the file, as they did at the start. */
    start(mock: Mock, options: MockOptions): void {
      last = toJson(checkScenario(options))
      let before: string | undefined
      let isReading = false
      timer = setInterval(async () => {
        const now = [...read.keys()].map(look).join()
        // Editors write in several steps; the file is read when it has stayed the same for one round.
        const isSettled = now === before
        before = now
        if (isReading || !isSettled || now === [...read.values()].join()) return
        isReading = true
        await reload(mock, options)
        isReading = false
      }, POLL_MS).unref()
    },
    stop(): void {
      clearInterval(timer)
      timer = undefined
    },
  }
}

/** Differs once the file was written or replaced. */
function look(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch {
    return 'missing'
  }
}
