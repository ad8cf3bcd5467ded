// Files for other programs to read: a whole new file takes the place of the old one, which stays until then.
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { chmod, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '../contract/errors.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Writes the file. Its mode is the old file's, or `mode` if there was none. A link stays one: what it points to is replaced. */
export async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  await attempt(file, async () => {
    const { path, old } = await findTarget(file)
    await writeBeside(path, text, old ?? mode, (temporary) => rename(temporary, path))
  })
}

/** Makes the folder of the file and tries to write there; what is there stays as it is. */
export async function checkWritable(file: string): Promise<void> {
  await attempt(file, async () => {
    await mkdir(dirname(file), { recursive: true })
    const { path } = await findTarget(file)
    await writeBeside(path, '', 0o600, (temporary) => rm(temporary))
  })
}

/** Removes a file of an earlier run, so that it is not taken for this run's. */
export async function removeOld(file: string): Promise<void> {
  await attempt(file, async () => rm((await findTarget(file)).path, { force: true }))
}

/** A temporary file next to the path, which `finish` moves or removes; nothing of it is left after an error or a signal. */
async function writeBeside(path: string, text: string, mode: number, finish: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  const onSignal = (signal: NodeJS.Signals) => {
    rmSync(temporary, { force: true })
    // The command has its own way to end, or else the signal ends it.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }
  for (const signal of SIGNALS) process.once(signal, onSignal)
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' })
    await chmod(temporary, mode)
    await finish(temporary)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}

/** Where the file really is, and the mode of what is there: a regular file or nothing. */
async function findTarget(file: string): Promise<{ path: string; old?: number }> {
  const old = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!old) return { path: file }
  if (!old.isFile()) throw new UsageError(`${file}: expected a regular file`)
  return { path: await realpath(file), old: old.mode & 0o777 }
}

async function attempt(file: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined ? error : new UsageError(`${file}: cannot be written (${code})`)
  }
}
