// Writes files that other programs read. A complete new file replaces the old one; links stay.
import { mkdir, readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../../contract/errors.ts'

/** For files that may hold API keys, and for those that do not. */
export const PRIVATE = 0o600
export const PUBLIC = 0o644

export const replaceFile = (file: string, text: string, mode: number) =>
  writeTemporary(file, text, mode, rename)
export const checkWritable = (file: string) =>
  writeTemporary(file, '', PRIVATE, (temporary) => rm(temporary))

/**
 * Removes an earlier run's address, so that you do not take it for this run's. Refuses any other
 * file.
 */
export async function removeOld(file: string): Promise<void> {
  const target = await checkWritable(file)
  const text = await readFile(target, 'utf8').catch(() => '')
  const isAddress = /^(?:https?:\/\/\S+\s*)?$/.test(text)
  if (!isAddress) throw new UsageError(`${file}: the file exists already, and is not a ready file`)
  await rm(target, { force: true })
}

/**
 * Like `realpath`, also for a file that does not exist yet: on a first start, a link into a volume
 * leads nowhere.
 */
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

/**
 * Writes a temporary file next to the target, for `finish` to move or remove. A killed process may
 * have left one.
 */
async function writeTemporary(
  file: string,
  text: string,
  mode: number,
  finish: typeof rename,
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
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
