// How actions tell a person what came of them: in a line at the foot of the page.
import { ControlError } from '../../client/control-client.ts'
import type { Store } from './console-state.ts'

export interface Talk {
  /** What was done, and how to take it back. */
  say(text: string, undo?: () => Promise<void>): void
  complain(text: string): void
  /** Runs it and reports failures of the control API. */
  attempt<T>(run: () => Promise<T>): Promise<T | undefined>
}

/** `onUnreachable` is called when the mock did not respond. */
export function createTalk(store: Store, onUnreachable: () => void): Talk {
  return {
    say: (text, undo) => store.set({ notice: { isProblem: false, text, ...(undo ? { undo } : {}) } }),
    complain: (text) => store.set({ notice: { isProblem: true, text } }),
    async attempt(run) {
      try {
        return await run()
      } catch (error) {
        if (!(error instanceof ControlError)) throw error
        const isConnection = error.failure === 'unreachable'
        store.set({ notice: { isProblem: true, text: error.message, isConnection } })
        if (isConnection) onUnreachable()
        return undefined
      }
    },
  }
}
