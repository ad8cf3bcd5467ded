// Files for other programs to read: a whole new file takes the place of the old one, which stays until then. A link is followed, so that it
// stays a link.
import { mkdir, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../contract/errors.ts'

/** Writes the file, and makes its folder. Returns where it is. */
export function replaceFile(file: string, text: string, mode: number): Promise<string> {
  return writeTemporary(file, text, mode, rename)
}

/** Throws what `replaceFile` would; what is there stays as it is. */
export function checkWritable(file: string): Promise<string> {
  return writeTemporary(file, '', 0o600, (temporary) => rm(temporary))
}

/** Removes the file of an earlier run, so that it is not taken for this run's. A path that cannot be written is refused now, not later. */
export async function removeOld(file: string): Promise<void> {
  await rm(await checkWritable(file), { force: true })
}

/** Where a path leads, through links to what may not exist yet. */
export async function followLinks(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const folder = await followLinks(dirname(resolve(file)))
    const link = await readlink(file).catch(() => undefined)
    return link === undefined ? join(folder, basename(file)) : followLinks(resolve(folder, link))
  }
}

/** A temporary file next to the target, which `finish` moves or removes. One that a killed process left is replaced. */
async function writeTemporary(
  file: string,
  text: string,
  mode: number,
  finish: (temporary: string, target: string) => Promise<void>,
): Promise<string> {
  let temporary: string | undefined
  try {
    const target = await followLinks(file)
    await mkdir(dirname(target), { recursive: true })
    const old = await stat(target).catch(() => undefined)
    if (old && !old.isFile()) throw new UsageError(`${file}: expected a regular file`)
    temporary = `${target}.saving.tmp`
    await rm(temporary, { force: true })
    await writeFile(temporary, text, { mode: old ? old.mode & 0o777 : mode, flag: 'wx' })
    await finish(temporary, target)
    return target
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => {})
    throw error instanceof UsageError ? error : new UsageError(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
