// The file that `exec --coverage` leaves behind: once the command has ended this run's, or none. Until then an older one stays.
import { UsageError } from '../contract/errors.ts'
import type { Coverage } from '../coverage/coverage.ts'
import { toReport } from '../coverage/to-report.ts'
import { checkWritable, removeOld, replaceFile } from './replace-file.ts'
import { note } from './say.ts'

/** It holds no keys and no values. */
const PUBLIC = 0o644

export interface CoverageFile {
  write(coverage: Coverage): Promise<void>
  /** Removes an older file, which must not be taken for this run's. */
  removeOld(): Promise<void>
}

/** Tries the file first, so that a mistake in the path costs no test run. */
export async function createCoverageFile(file: string): Promise<CoverageFile> {
  // As from a variable that is not set.
  if (file === '') throw new UsageError('--coverage: expected the name of a file, got an empty text')
  await checkWritable(file)
  return {
    async write(coverage) {
      await replaceFile(file, `${JSON.stringify(coverage, null, 2)}\n`, PUBLIC)
      const { tried, total, percent, requests } = toReport(coverage)
      note(`wrote ${file}: ${tried} of ${total} cells tried (${percent}%) by ${requests} request${requests === 1 ? '' : 's'}`)
    },
    removeOld: () => removeOld(file),
  }
}
