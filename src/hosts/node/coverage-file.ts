// The file that a test process leaves behind for `animal-store-mock coverage`: one for each process, however many stores it had.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { threadId } from 'node:worker_threads'
import { UsageError } from '../../contract/errors.ts'
import type { Coverage } from '../../coverage/coverage.ts'
import { mergeCoverage } from '../../coverage/merge.ts'

const FOLDER = join('coverage', 'store')

/**
 * Adds coverage to this process's file. Runners load this module anew for every test file, so what was counted before is read from there;
 * synchronously, since two stores of one process may end at the same time.
 */
export function addToCoverageFile(coverage: Coverage): void {
  // The time it started keeps apart what several machines or containers wrote, where processes have the same numbers.
  const file = join(FOLDER, `${process.pid}-${threadId}-${Math.round(performance.timeOrigin).toString(36)}.json`)
  try {
    mkdirSync(FOLDER, { recursive: true })
    const earlier: Coverage[] = existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8'))] : []
    writeFileSync(`${file}.tmp`, `${JSON.stringify(mergeCoverage([...earlier, coverage]), null, 2)}\n`)
    renameSync(`${file}.tmp`, file)
  } catch (error) {
    throw new UsageError(`${file}: coverage cannot be written (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`)
  }
}
