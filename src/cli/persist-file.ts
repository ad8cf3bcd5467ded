// The file of `--persist`: the state goes on from it, and is saved after changes and when the mock stops. It is a scenario file in JSON.
import { stat } from 'node:fs/promises'
import { UsageError } from '../contract/errors.ts'
import { printState, resumeState, watchState } from '../mock/keep-state.ts'
import type { Mock } from '../mock/mock.ts'
import { isJsonFile } from '../scenario/document.ts'
import { readScenarioFile } from '../scenario/files.ts'
import type { Worlds } from '../world/worlds.ts'
import { notify } from './output.ts'
import { checkWritable, replaceFile } from './replace-file.ts'

/** Changes that come within this time are saved together. */
const SAVE_AFTER_MS = 500
/** It may hold API keys. */
const FILE_MODE = 0o600
const FAILURE_EXIT_CODE = 2

/** Throws a UsageError if the file cannot be read or written, or is not a scenario; it is then left as it is. */
export async function persistIn(file: string, { control }: Mock, worlds: Worlds) {
  if (!isJsonFile(file)) throw new UsageError(`--persist: expected a file such as state.json, got ${JSON.stringify(file)}`)
  const isResumed = await stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
  if (isResumed) resumeState(worlds, await readScenarioFile(file))
  await checkWritable(file)
  let timer: NodeJS.Timeout | undefined
  /** One after the other. */
  let saving = Promise.resolve()
  let isSaved = true

  function save(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    saving = saving.then(async () => {
      const problem = await replaceFile(file, `${printState(control)}\n`, FILE_MODE).catch((error: Error) => error)
      isSaved = problem === undefined
      if (problem) notify(`the state was not saved: ${problem.message}`)
    })
    return saving
  }

  const unwatch = watchState(control, () => {
    timer ??= setTimeout(save, SAVE_AFTER_MS)
  })
  return {
    isResumed,
    async stop(): Promise<void> {
      unwatch()
      await (timer === undefined && isSaved ? saving : save())
      if (!isSaved) process.exitCode = FAILURE_EXIT_CODE
    },
  }
}
