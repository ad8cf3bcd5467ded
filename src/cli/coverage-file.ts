// The file of `exec --coverage`. Once the command has ended, it holds this run's coverage or does not exist; until then an older one stays.
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '../contract/errors.ts'
import type { Coverage } from '../coverage/coverage.ts'
import { createReport } from '../coverage/report.ts'
import { checkWritable, removeOld, replaceFile } from './replace-file.ts'
import { notify } from './say.ts'

/** World-readable: it holds no keys and no values. */
const FILE_MODE = 0o644

/** Makes the folder and tries the file, so that a wrong path does not cost a test run. */
export async function createCoverageFile(file: string) {
  // As from a variable that is not set.
  if (file === '') throw new UsageError('--coverage: expected the name of a file, got an empty text')
  await mkdir(dirname(file), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file}: cannot be written (${error.code})`)
  })
  await checkWritable(file)
  return {
    async write(coverage: Coverage): Promise<void> {
      await replaceFile(file, `${JSON.stringify(coverage, null, 2)}\n`, FILE_MODE)
      const { tried, total, percent, requests } = createReport(coverage)
      notify(`wrote ${file}: ${tried} of ${total} cells tried (${percent}%) by ${requests} request${requests === 1 ? '' : 's'}`)
    },
    /** For a run without coverage, so that an older file does not pass for it. */
    removeOld: () => removeOld(file),
  }
}
