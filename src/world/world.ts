// The present state of one key and its rows, and nothing else. Everything that happens makes the next state and adds a row.
import { createPages, FullError } from './catalogue.ts'
import type { Times } from './clock.ts'
import type { Memory } from './memory.ts'
import type { RequestLogs } from './request-log.ts'
import type { KeptRow } from './row.ts'
import type { State } from './state.ts'

export type World = ReturnType<typeof createWorld>

/** What the worlds of a mock share. */
export interface Surroundings {
  readonly times: Times
  readonly requestLogs: RequestLogs
  readonly memory: Memory
}

/** A world that starts with this state; with a key, that of a sandbox. Its memory counts from `enter` on. */
export function createWorld(first: State, { requestLogs, memory }: Surroundings, key?: string) {
  let state = first
  let isCounted = false
  const requestLog = requestLogs.create(() => state)

  return {
    get state(): State {
      return state
    },
    /** The key of its sandbox; null for the shared world. */
    sandbox: key ?? null,
    requestLog,
    pages: createPages(),
    /** Makes room for a next state: the oldest rows of all worlds give up theirs. Throws a FullError if that is not enough. */
    checkRoom(next: State): void {
      const present = isCounted ? state : undefined
      while (!memory.fits(next, present, true)) {
        if (requestLogs.forgetOldestState()) continue
        if (memory.fits(next, present, false)) return
        throw new FullError(`The mock is full: its animals may take ${memory.maxBytes} bytes`)
      }
    },
    /** Everything that happens, happens here: a request, a change, a load, an undo. */
    advance(row: KeptRow, next: State): void {
      const before = state
      memory.take(next, before)
      state = next
      requestLog.add(row, before)
      // Where there is no room for both.
      while (memory.isOver && requestLogs.forgetOldestState());
    },
    /** Replaces the state without a row, and forgets all of them. */
    restart(next: State): void {
      requestLog.empty()
      memory.take(next, state)
      memory.release(state, next)
      state = next
    },
    /** Begins to count. */
    enter(): void {
      memory.take(state)
      isCounted = true
    },
    leave(): void {
      requestLog.empty()
      memory.release(state)
    },
  }
}
