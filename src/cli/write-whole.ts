// Writes a file so that nobody ever reads half of it: into a neighbour first, which then takes its place.
import { rename, rm, writeFile } from 'node:fs/promises'
import { UsageError } from '../contract/errors.ts'

export async function writeWhole(file: string, text: string): Promise<void> {
  const neighbour = `${file}.${process.pid}.tmp`
  try {
    await writeFile(neighbour, text)
    await rename(neighbour, file)
  } catch (error) {
    await rm(neighbour, { force: true })
    throw new UsageError(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
