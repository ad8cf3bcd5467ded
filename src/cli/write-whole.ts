// Files for others to read: never half of one, never an old one, never somewhere that was not meant.
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, renameSync, rmSync, type Stats } from 'node:fs'
import { lstat, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { UsageError } from '../contract/errors.ts'

/**
 * Writes a new file next to the old one, then puts it in its place. Its mode is the old file's, or `mode` if there was none. A link
 * stays one: what it points to is replaced.
 */
export async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const { path, old } = await findTarget(file)
  const neighbour = toNeighbour(path)
  try {
    const handle = await open(neighbour, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.chmod(old ? old.mode & 0o777 : mode)
    } finally {
      await handle.close()
    }
    await rename(neighbour, path)
  } catch (error) {
    await rm(neighbour, { force: true })
    throw toUsageError(error, file)
  }
}

/** Refuses a file that `writeWhole` could not write; what is there stays as it is. */
export async function checkWritable(file: string): Promise<void> {
  const { path, old } = await findTarget(file)
  const neighbour = toNeighbour(path)
  try {
    // Moved away and back at once: in some folders new files can be made, and those of others not replaced.
    if (old) {
      renameSync(path, neighbour)
      renameSync(neighbour, path)
    } else {
      closeSync(openSync(neighbour, 'wx', 0o600))
      rmSync(neighbour)
    }
  } catch (error) {
    throw toUsageError(error, file)
  }
}

/** Removes a file if there is one, so that nobody takes it for the one that is yet to be written. */
export async function removeOld(file: string): Promise<void> {
  const { path } = await findTarget(file)
  await rm(path, { force: true }).catch((error) => {
    throw toUsageError(error, file)
  })
}

/** A name that nobody can foresee, and no file or link may have it already. */
function toNeighbour(path: string): string {
  return `${path}.${randomBytes(8).toString('hex')}.tmp`
}

/** Where the file really is, and what is there already: a regular file or nothing. */
async function findTarget(file: string): Promise<{ path: string; old: Stats | undefined }> {
  const found = await lstat(file).catch(ignoreMissing(file))
  if (!found) return { path: file, old: undefined }
  const path = await realpath(file).catch((error) => {
    throw toUsageError(error, file)
  })
  const old = await stat(path)
  if (!old.isFile()) throw new UsageError(`${file}: expected a regular file`)
  return { path, old }
}

function ignoreMissing(file: string): (error: unknown) => undefined {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw toUsageError(error, file)
  }
}

function toUsageError(error: unknown, file: string): UsageError {
  return new UsageError(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code})`)
}
