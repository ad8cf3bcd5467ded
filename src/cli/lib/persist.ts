// The file of `--persist`: resumes from it, saves every change, and keeps other mocks away from it.
import { existsSync } from 'node:fs'
import { misuse } from '../../contract/errors.ts'
import { checkWritable, followLinks, PRIVATE, replaceFile } from '../../hosts/node/replace-file.ts'
import { readScenarioFile } from '../../hosts/node/scenario-files.ts'
import { onNewState, printState, resumeKept } from '../../mock/keep-state.ts'
import type { Engine } from '../../mock/mock.ts'
import { isJsonFile } from '../../scenario/scenario-names.ts'
import type { Memory } from '../../world/memory.ts'
import { lockFile } from './lock-file.ts'
import { notify } from './output.ts'

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
