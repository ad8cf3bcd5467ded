// Reloads the shared state when a scenario file, or one that it extends, changes and is valid.
import { statSync } from 'node:fs'
import { UsageError } from '../../contract/errors.ts'
import { toJson } from '../../contract/int64-json.ts'
import { count, say } from '../../contract/problem.ts'
import type { Mock } from '../../mock/mock.ts'
import type { ReadScenario } from '../../world/scenario.ts'

export type Watch = ReturnType<typeof createWatch>
type Open = () => ReadScenario | Promise<ReadScenario>

const POLL_MS = 100

export function createWatch(file: string, report: (line: string) => void) {
  const read = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let last: string | undefined
  let isBroken = false

  function follow(path: string): void {
    read.set(path, look(path))
  }

  async function reload(mock: Mock, open: Open): Promise<void> {
    read.clear()
    try {
      const scenario = await open()
      const text = toJson(scenario)
      if (timer && text === last && isBroken) report(`${file} is valid again, and as it was`)
      isBroken = false
      if (!timer || text === last) return
      // If the file no longer asks for surprises, `false` ends the ones that it asked for before.
      mock.control.load({ surprise: false, ...scenario })
      last = text
      const { pets, sandboxes = 0 } = mock.control.summary()
      const kept = sandboxes === 0 ? '' : '; sandboxes keep their states'
      report(`${file} changed: replaced the state with ${count(pets, 'animal')}${kept}`)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      for (const problem of error.problems) report(say(problem))
      report(`${file} is invalid: keeping the last valid state`)
      isBroken = true
    }
  }

  return {
    follow,
    /**
     * Reloads from now on. `open` reads the file as the start did, which gave `scenario`, with the
     * same flags.
     */
    start(mock: Mock, open: Open, scenario: ReadScenario): void {
      last = toJson(scenario)
      let before: string | undefined
      const poll = async () => {
        const now = [...read.keys()].map(look).join(',')
        const hasChanged = now !== [...read.values()].join(',')
        // Editors write in several steps; the file is read when it has stayed the same for one
        // round.
        if (hasChanged && now === before) await reload(mock, open)
        before = now
        if (timer) timer = setTimeout(poll, POLL_MS).unref()
      }
      timer = setTimeout(poll, POLL_MS).unref()
    },
    stop(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

function look(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch {
    return 'missing'
  }
}
