// Writes files that other programs read, and the file of `--persist`. A complete new file replaces the old one; links stay.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../contract/errors.ts'
import { onNewState, printState, resumeKept } from '../mock/keep-state.ts'
import type { Engine } from '../mock/mock.ts'
import { isJsonFile } from '../scenario/document.ts'
import { readScenarioFile } from '../scenario/files.ts'
import type { Memory } from '../world/memory.ts'
import { notify } from './output.ts'

const SAVE_AFTER_MS = 500
/** For files that may hold API keys, and for those that do not. */
export const [PRIVATE, PUBLIC] = [0o600, 0o644]
const FAILURE_EXIT_CODE = 2

export function replaceFile(file: string, text: string, mode: number): Promise<string> {
  return writeTemporary(file, text, mode, rename)
}

/** Throws what `replaceFile` would, and leaves the file alone. */
export function checkWritable(file: string): Promise<string> {
  return writeTemporary(file, '', PRIVATE, (temporary) => rm(temporary))
}

/** Removes an earlier run's file, so that nobody takes it for this run's. Fails early if the path cannot be written. */
export async function removeOld(file: string): Promise<void> {
  await rm(await checkWritable(file), { force: true })
}

/** Like `realpath`, also for a file that does not exist yet. */
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

/** Writes a temporary file next to the target, for `finish` to move or remove. A killed process may have left one. */
async function writeTemporary(file: string, text: string, mode: number, finish: typeof rename): Promise<string> {
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

/** Resumes from the file if it exists, and saves every change. A UsageError leaves the file as it was. */
export async function persistIn(file: string, { mock: { control }, worlds }: Engine, { bytes, maxBytes }: Memory) {
  if (!isJsonFile(file)) throw new UsageError(`--persist: expected a file such as state.json, got ${JSON.stringify(file)}`)
  const unlock = await lockFile(await followLinks(file).catch(() => file))
  if (!unlock) throw new UsageError(`--persist: another running mock uses ${file}; stop it, or choose another file`)
  if (bytes > maxBytes) {
    throw new UsageError(`--persist: the scenario is too large to be kept; all animals may take ${maxBytes} bytes, got ${bytes}`)
  }
  const isResumed = existsSync(file)
  if (isResumed) resumeKept(worlds, await readScenarioFile(file))
  await checkWritable(file)
  let timer: NodeJS.Timeout | undefined
  /** Only one save runs at a time: a large state takes longer to write than the next change takes to come. */
  let saving: Promise<void> | undefined
  let isSaved = true

  async function save(): Promise<void> {
    isSaved = true
    try {
      await replaceFile(file, `${printState(worlds)}\n`, PRIVATE)
    } catch (error) {
      isSaved = false
      notify(`the state was not saved: ${(error as Error).message}`)
    }
    saving = undefined
  }

  function plan(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      if (saving) plan()
      else saving = save()
    }, SAVE_AFTER_MS)
  }

  const unwatch = control.subscribe(onNewState(worlds, plan))
  return {
    isResumed,
    async stop(): Promise<void> {
      unwatch()
      clearTimeout(timer)
      await saving
      if (timer !== undefined || !isSaved) await save()
      unlock()
      if (!isSaved) process.exitCode = FAILURE_EXIT_CODE
    },
  }
}

/** Listens on a local socket, which the system closes however the process ends. Undefined if another mock has the file. */
async function lockFile(path: string): Promise<(() => void) | undefined> {
  const name = `animal-store-mock-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  const address = ADDRESSES[process.platform]?.(name) ?? join(tmpdir(), name)
  const connection = createConnection(address)
  const isTaken = await once(connection, 'connect').then(Boolean, () => false)
  connection.destroy()
  if (isTaken) return undefined
  // A killed process leaves its socket file behind.
  if (!ADDRESSES[process.platform]) await rm(address, { force: true })
  const server = createServer((other) => other.destroy())
  try {
    await once(server.listen(address).unref(), 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
  }
  return () => void server.close()
}

/** On these platforms a socket need not be a file. */
const ADDRESSES: Readonly<Partial<Record<NodeJS.Platform, (name: string) => string>>> = {
  win32: (name) => `\\\\.\\pipe\\${name}`,
  linux: (name) => `\0${name}`,
}
