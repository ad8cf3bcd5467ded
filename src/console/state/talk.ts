// How actions tell a person what comes of them: in a line at the foot of the page.
import { ControlError } from '../../client/client.ts'
import type { Store } from './console-state.ts'

export interface Talk {
  /** What was done, and how to take it back, which resolves to what to say then; only as long as `isLast` says that nothing followed. */
  say(text: string, undo?: () => Promise<string>, isLast?: () => boolean): void
  complain(text: string): void
  /** Runs it and reports failures of the control API. */
  attempt<T>(run: () => Promise<T>): Promise<T | undefined>
  /** The same for what a person does, which a problem with what they did before is no answer to. */
  act<T>(run: () => Promise<T>): Promise<T | undefined>
  /** Says what is being done, if that takes a while; before it begins, if it keeps the page from saying so later. */
  during<T>(text: string, run: () => Promise<T>, isBlocking?: boolean): Promise<T>
}

/** Nobody wonders earlier. */
const BUSY_AFTER_MS = 400
/** Until the page has been painted; a hidden one is not, so this does not wait for it. */
const PAINTED_AFTER_MS = 50

/** `onUnreachable` is called when the mock did not respond. */
export function createTalk(store: Store, onUnreachable: () => void): Talk {
  async function attempt<T>(run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ControlError)) throw error
      const isConnection = error.status === 0
      store.set({ notice: { isProblem: true, text: error.message, isConnection } })
      if (isConnection) onUnreachable()
      return undefined
    }
  }

  function say(text: string, undo?: () => Promise<string>, isLast = () => true): void {
    const takeBack = async (run: () => Promise<string>) => {
      // Once is enough.
      store.set({ notice: undefined })
      await attempt(async () => say(await during('Undoing…', run)))
    }
    const offer = undo && isLast() ? { undo: () => takeBack(undo), isLast } : {}
    store.set({ notice: { isProblem: false, text, ...offer } })
  }

  async function during<T>(text: string, run: () => Promise<T>, isBlocking = false): Promise<T> {
    const show = () => store.set({ notice: { isProblem: false, isBusy: true, text } })
    const timer = setTimeout(show, isBlocking ? 0 : BUSY_AFTER_MS)
    try {
      if (isBlocking) await new Promise((resolve) => setTimeout(resolve, PAINTED_AFTER_MS))
      return await run()
    } finally {
      clearTimeout(timer)
      if (store.get().notice?.isBusy) store.set({ notice: undefined })
    }
  }

  return {
    say,
    complain: (text) => store.set({ notice: { isProblem: true, text } }),
    attempt,
    act(run) {
      if (store.get().notice?.isProblem) store.set({ notice: undefined })
      return attempt(run)
    },
    during,
  }
}
