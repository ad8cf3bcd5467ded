// The file that `exec --coverage` leaves behind: once the command has ended this run's, or none. Until then an older one stays.
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../contract/errors.ts'
import type { Coverage } from '../coverage/coverage.ts'
import { toReport } from '../coverage/to-report.ts'
import { note } from './say.ts'
import { checkWritable, removeOld, writeWhole } from './write-whole.ts'

/** It holds no keys and no values. */
const PUBLIC = 0o644

export interface CoverageFile {
  write(coverage: Coverage): Promise<void>
  /** There is nothing to write, and an older file must not be taken for it. */
  removeOld(): Promise<void>
}

/** Makes its folder and tries the file, so that a mistake in the path costs no test run. */
export async function createCoverageFile(file: string): Promise<CoverageFile> {
  // As from a variable that is not set.
  if (file === '') throw new UsageError('--coverage: expected the name of a file, got an empty text')
  await makeFolder(resolve(dirname(file))).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file}: cannot be written (${error.code})`)
  })
  await checkWritable(file)
  return {
    async write(coverage) {
      await writeWhole(file, `${JSON.stringify(coverage, null, 2)}\n`, PUBLIC)
      const { tried, total, percent, requests } = toReport(coverage)
      note(`wrote ${file}: ${tried} of ${total} cells tried (${percent}%) by ${requests} request${requests === 1 ? '' : 's'}`)
    },
    removeOld: () => removeOld(file),
  }
}

/** Node's own way to make several never ends where there can be none, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const above = dirname(folder)
  await mkdir(folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return
    if (above === folder || existsSync(above)) throw error
    await makeFolder(above)
    await makeFolder(folder)
  })
}
