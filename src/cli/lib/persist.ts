// The file of `--persist`: resumes from it, saves every change, and keeps other mocks away from it.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { misuse } from '../../contract/errors.ts'
import { checkWritable, followLinks, PRIVATE, replaceFile } from '../../hosts/node/replace-file.ts'
import { readScenarioFile } from '../../hosts/node/scenario-files.ts'
import { onNewState, printState, resumeKept } from '../../mock/keep-state.ts'
import type { Engine } from '../../mock/mock.ts'
import { isJsonFile } from '../../scenario/scenario-names.ts'
import type { Memory } from '../../world/memory.ts'
import { complain } from './output.ts'

const SAVE_AFTER_MS = 500

export async function persistIn(file: string, engine: Engine, memory: Memory) {
  const { mock, worlds } = engine
  const { bytes, maxBytes } = memory
  if (!isJsonFile(file))
    throw misuse('--persist', `expected a file such as state.json, got ${JSON.stringify(file)}`)
  const unlock = await lockFile(await followLinks(file).catch(() => file))
  if (!unlock)
    throw misuse('--persist', `another running mock uses ${file}; stop it, or choose another file`)
  if (bytes > maxBytes) {
    const limit = `all animals may take ${maxBytes} bytes, got ${bytes}`
    throw misuse('--persist', `the scenario is too large to be kept; ${limit}`)
  }
  const isResumed = existsSync(file)
  if (isResumed) resumeKept(worlds, await readScenarioFile(file))
  await checkWritable(file)
  let timer: NodeJS.Timeout | undefined
  /**
   * Only one save runs at a time: a large state takes longer to write than the next change takes to
   * come.
   */
  let saving: Promise<void> | undefined
  let isSaved = true

  async function save(): Promise<void> {
    isSaved = true
    try {
      await replaceFile(file, `${printState(worlds)}\n`, PRIVATE)
    } catch (error) {
      isSaved = false
      complain(`the state was not saved: ${(error as Error).message}`)
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

  const unwatch = mock.control.subscribe(onNewState(worlds, plan))
  return {
    isResumed,
    async stop(): Promise<void> {
      unwatch()
      clearTimeout(timer)
      await saving
      if (timer !== undefined || !isSaved) await save()
      unlock()
      if (!isSaved) process.exitCode = 2
    },
  }
}

/**
 * Listens on a local socket, which the system closes however the process ends. Undefined if another
 * mock does.
 */
async function lockFile(path: string): Promise<(() => void) | undefined> {
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 32)
  const name = `animal-store-mock-${hash}`
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name)
  if (await isListening(address)) return undefined
  // A killed process leaves its socket behind.
  await rm(address, { force: true }).catch(() => {})
  const server = createServer((other) => other.destroy())
  // Where no such socket is possible, the mock runs without the lock rather than not at all.
  await once(server.listen(address).unref(), 'listening').catch(() => {})
  return () => {
    server.close()
  }
}

async function isListening(address: string): Promise<boolean> {
  const connection = createConnection(address)
  try {
    await once(connection, 'connect')
    return true
  } catch {
    return false
  } finally {
    connection.destroy()
  }
}
