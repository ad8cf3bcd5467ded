// Files for other programs to read: a whole new file takes the place of the old one, which stays until then.
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '../contract/errors.ts'

/** Writes the file, and makes its folder. */
export function replaceFile(file: string, text: string, mode: number): Promise<void> {
  return writeTemporary(file, text, mode, (temporary) => rename(temporary, file))
}

/** Throws what `replaceFile` would; what is there stays as it is. */
export function checkWritable(file: string): Promise<void> {
  return writeTemporary(file, '', 0o600, (temporary) => rm(temporary))
}

/** Removes the file of an earlier run, so that it is not taken for this run's. A path that cannot be written is refused now, not later. */
export async function removeOld(file: string): Promise<void> {
  await checkWritable(file)
  await rm(file, { force: true })
}

/** A temporary file next to the path, which `finish` moves or removes. */
async function writeTemporary(file: string, text: string, mode: number, finish: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    await mkdir(dirname(file), { recursive: true })
    const old = await stat(file).catch(() => undefined)
    if (old && !old.isFile()) throw new UsageError(`${file}: expected a regular file`)
    await writeFile(temporary, text, { mode, flag: 'wx' })
    await finish(temporary)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error instanceof UsageError ? error : new UsageError(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
