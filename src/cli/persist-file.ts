// The file of `--persist`: the state goes on from it, and is saved after changes and when the mock stops. It is a scenario file in JSON.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../contract/errors.ts'
import { onNewState, printState, resumeState } from '../mock/keep-state.ts'
import type { Engine } from '../mock/mock.ts'
import { isJsonFile } from '../scenario/document.ts'
import { readScenarioFile } from '../scenario/files.ts'
import type { Memory } from '../world/memory.ts'
import { notify } from './output.ts'
import { checkWritable, followLinks, replaceFile } from './replace-file.ts'

/** Changes that come within this time are saved together. */
const SAVE_AFTER_MS = 500
/** It may hold API keys. */
const FILE_MODE = 0o600
const FAILURE_EXIT_CODE = 2

/** Throws a UsageError if the file cannot be read or written, is not a scenario, or is another mock's; it is then left as it is. */
export async function persistIn(file: string, { mock: { control }, worlds }: Engine, memory: Memory) {
  if (!isJsonFile(file)) throw new UsageError(`--persist: expected a file such as state.json, got ${JSON.stringify(file)}`)
  const unlock = await lockFile(await followLinks(file).catch(() => file))
  if (!unlock) throw new UsageError(`--persist: another running mock uses ${file}; stop it, or choose another file`)
  if (memory.bytes > memory.maxBytes) {
    throw new UsageError(
      `--persist: the scenario is too large to be kept; all animals may take ${memory.maxBytes} bytes, got ${memory.bytes}`,
    )
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
      await replaceFile(file, `${printState(worlds)}\n`, FILE_MODE)
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

type Unlock = () => void

/**
 * A local socket that is named after the file: the system closes it with the process, however that ends. Where there are no such sockets,
 * nothing is locked. Returns nothing if another mock has the file; the path has no links.
 */
async function lockFile(path: string): Promise<Unlock | undefined> {
  const name = `animal-store-mock-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  if (process.platform === 'win32') return listen(`\\\\.\\pipe\\${name}`)
  // Abstract: there is no file that a killed process would leave.
  if (process.platform === 'linux') return listen(`\0${name}`)
  const socket = join(tmpdir(), name)
  const unlock = await listen(socket)
  if (unlock || (await isAnswered(socket))) return unlock
  await rm(socket, { force: true })
  return listen(socket)
}

async function listen(address: string): Promise<Unlock | undefined> {
  const server = createServer((connection) => connection.destroy())
  try {
    await once(server.listen(address).unref(), 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
  }
  return () => void server.close()
}

async function isAnswered(address: string): Promise<boolean> {
  const connection = createConnection(address)
  const isConnected = await once(connection, 'connect').then(Boolean, () => false)
  connection.destroy()
  return isConnected
}
