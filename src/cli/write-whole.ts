// Files for others to read: never half of one, never an old one.
import { rename, rm, writeFile } from 'node:fs/promises'
import { UsageError } from '../contract/errors.ts'

/** Writes into a neighbour first, which then takes the file's place. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const neighbour = `${file}.${process.pid}.tmp`
  try {
    await writeFile(neighbour, text)
    await rename(neighbour, file)
  } catch (error) {
    await rm(neighbour, { force: true })
    throw toUsageError(error, file)
  }
}

/** Removes a file if there is one, so that nobody takes it for the one that is yet to be written. */
export async function removeOld(file: string): Promise<void> {
  await rm(file, { force: true }).catch((error) => {
    throw toUsageError(error, file)
  })
}

function toUsageError(error: unknown, file: string): UsageError {
  return new UsageError(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code})`)
}
