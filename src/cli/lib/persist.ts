// The file of `--persist`: resumes from it, saves every change, and keeps other mocks away from it.
import { existsSync } from 'node:fs'
import { misuse } from '../../contract/errors.ts'
import { MAX_PERSISTED_BYTES } from '../../contract/limits.ts'
import type { MockEvent } from '../../control/control.ts'
import { checkWritable, followLinks, PRIVATE, replaceFile } from '../../hosts/node/replace-file.ts'
import type { Engine } from '../../mock/mock.ts'
import { isJsonFile } from '../../scenario/scenario-names.ts'
import type { Memory } from '../../world/memory.ts'
import type { State } from '../../world/state.ts'
import type { Worlds } from '../../world/worlds.ts'
import { printStates, resumeFromFile } from './kept-states.ts'
import { lockFile } from './lock-file.ts'
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
  if (isResumed) await resumeFromFile(worlds, file)
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
      const { text, left } = printStates(worlds)
      await replaceFile(file, `${text}\n`, PRIVATE)
      if (left > 0) complain(describeLeft(left))
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

  const unwatch = mock.control.subscribe(onNewStates(worlds, plan))
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

/** Returns a listener that calls `save` if the state of an event has changed since the last one. */
function onNewStates(worlds: Worlds, save: () => void) {
  const known = new Map<string | null, State>()
  for (const world of worlds.all()) known.set(world.sandbox, world.state)
  worlds.isSaved = true
  return ({ sandbox }: MockEvent): void => {
    const key = sandbox ?? undefined
    const state = worlds.has(key) ? worlds.peek(key).state : undefined
    if (known.get(sandbox) === state) return
    if (state) known.set(sandbox, state)
    else known.delete(sandbox)
    save()
  }
}

function describeLeft(left: number): string {
  const limit = `all states together may take ${MAX_PERSISTED_BYTES} bytes`
  return `the longest idle sandboxes were not saved (${left}): ${limit}`
}
