// Keeps a state beyond its mock, in a browser's storage or a file. It is kept as a scenario, which
// people can edit. Workers keep more.
import { misuse } from '../contract/errors.ts'
import { parseJson } from '../contract/int64-json.ts'
import { checkScenario } from '../scenario/check-scenario.ts'
import { describeState, printScenario, resumeState } from '../world/saved-state.ts'
import type { ReadScenario } from '../world/scenario.ts'
import type { Worlds } from '../world/worlds.ts'

/**
 * Where a page keeps the state: `sessionStorage` or `localStorage`, or anything with these two
 * methods.
 */
export interface StateStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

const ITEM = 'animal-store-mock'

/**
 * Resumes the state in the storage. The result saves the state if it has changed; if that fails,
 * the mock works without it.
 */
export function keepInStorage(storage: StateStorage, worlds: Worlds): () => void {
  try {
    const text = storage.getItem(ITEM)
    if (typeof text === 'string') resumeKept(worlds, checkScenario(parseJson(text)))
  } catch (error) {
    const { message } = error as Error
    throw misuse('storage', `the item ${ITEM} is not the state of a mock; remove it: ${message}`)
  }
  return onNewState(worlds, () => {
    try {
      storage.setItem(ITEM, printState(worlds))
    } catch (error) {
      const { message } = error as Error
      console.error(
        `animal-store-mock: the state is not kept, since its storage failed: ${message}`,
      )
    }
  })
}

export function resumeKept(worlds: Worlds, scenario: ReadScenario): void {
  const { origin } = worlds.of().state
  worlds.resume(resumeState({ scenario }, origin, worlds.times))
}

/** Returns a function that calls `save` if the shared state has changed since its last call. */
export function onNewState(worlds: Worlds, save: () => void): () => void {
  let { state } = worlds.of()
  worlds.isSaved = true
  return () => {
    if (worlds.of().state === state) return
    state = worlds.of().state
    save()
  }
}

export function printState(worlds: Worlds): string {
  const { state } = worlds.of()
  const { frozenAt, start } = state.clock
  // A clock that runs starts again where it was set.
  return printScenario(state, describeState(state, frozenAt ?? start?.instant ?? 0))
}
