// The file of `--persist`: the state goes on from it, and is saved after changes and when the mock stops. It is a scenario file in JSON.
import { stat } from 'node:fs/promises'
import { UsageError } from '../contract/errors.ts'
import { onRevision, printState, resumeState } from '../mock/keep-state.ts'
import type { Engine } from '../mock/mock.ts'
import { isJsonFile } from '../scenario/document.ts'
import { readScenarioFile } from '../scenario/files.ts'
import type { Memory } from '../world/catalogue.ts'
import { lockFile } from './lock-file.ts'
import { notify } from './output.ts'
import { checkWritable, followLinks, replaceFile } from './replace-file.ts'

/** Changes that come within this time are saved together. */
const SAVE_AFTER_MS = 500
/** It may hold API keys. */
const FILE_MODE = 0o600
const FAILURE_EXIT_CODE = 2

/** Of the temporary file: one that a killed mock left is found again. */
const PART = 'saving'

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
  const isResumed = await stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
  if (isResumed) resumeState(worlds, await readScenarioFile(file))
  await checkWritable(file, PART)
  let timer: NodeJS.Timeout | undefined
  /** A large state takes longer to write than changes take to come: one is written at a time, and none waits. */
  let saving: Promise<void> | undefined
  let isSaved = true

  async function save(): Promise<void> {
    isSaved = true
    try {
      await replaceFile(file, `${printState(worlds)}\n`, FILE_MODE, PART)
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

  const unwatch = control.subscribe(onRevision(worlds, plan))
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
