// Files for other programs to read: a whole new file takes the place of the old one, which stays until then. A link is followed, so
// that it stays a link. The file of `--persist` is one of them: a scenario in JSON, from which the state goes on.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../contract/errors.ts'
import { onNewState, printState, resumeState } from '../mock/keep-state.ts'
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

/** Throws what `replaceFile` would; what is there stays as it is. */
export function checkWritable(file: string): Promise<string> {
  return writeTemporary(file, '', PRIVATE, (temporary) => rm(temporary))
}

/** Removes the file of an earlier run, so that it is not taken for this run's. A path that cannot be written is refused now. */
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

type Finish = (temporary: string, target: string) => Promise<void>

/** A temporary file next to the target, which `finish` moves or removes. One that a killed process left is replaced. */
async function writeTemporary(file: string, text: string, mode: number, finish: Finish): Promise<string> {
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

/** Throws a UsageError if the file cannot be read or written, is not a scenario, or is another mock's; it is then left as it is. */
export async function persistIn(file: string, { mock: { control }, worlds }: Engine, { bytes, maxBytes }: Memory) {
  if (!isJsonFile(file)) throw new UsageError(`--persist: expected a file such as state.json, got ${JSON.stringify(file)}`)
  const unlock = await lockFile(await followLinks(file).catch(() => file))
  if (!unlock) throw new UsageError(`--persist: another running mock uses ${file}; stop it, or choose another file`)
  if (bytes > maxBytes) {
    const limit = `all animals may take ${maxBytes} bytes, got ${bytes}`
    throw new UsageError(`--persist: the scenario is too large to be kept; ${limit}`)
  }
  const isResumed = existsSync(file)
  if (isResumed) resumeState(worlds, await readScenarioFile(file))
  await checkWritable(file)
  let timer: NodeJS.Timeout | undefined
  /** A large state takes longer to write than changes take to come: one is written at a time, and none waits. */
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

/**
 * Listens on a local socket that is named after the file: the system closes it with the process, however that ends. Where that fails,
 * nothing is locked. Returns nothing if another mock has the file.
 */
async function lockFile(path: string): Promise<(() => void) | undefined> {
  const name = `animal-store-mock-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  const address = ADDRESSES[process.platform]?.(name) ?? join(tmpdir(), name)
  const connection = createConnection(address)
  const isTaken = await once(connection, 'connect').then(Boolean, () => false)
  connection.destroy()
  if (isTaken) return undefined
  // A killed process leaves a socket that is a file.
  if (!ADDRESSES[process.platform]) await rm(address, { force: true })
  const server = createServer((other) => other.destroy())
  try {
    await once(server.listen(address).unref(), 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
  }
  return () => void server.close()
}

/** Sockets that are not files. */
const ADDRESSES: Readonly<Partial<Record<NodeJS.Platform, (name: string) => string>>> = {
  win32: (name) => `\\\\.\\pipe\\${name}`,
  linux: (name) => `\0${name}`,
}
