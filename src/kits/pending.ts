// What a test awaits: a matcher, or `store.held`. Each is pending until it ends, so that one that
// was not awaited can be cancelled and reported.
import { UsageError } from '../contract/errors.ts'
import { findCallSite, pointAt } from './call-site.ts'

export interface Pending {
  readonly call: string
  readonly callSite: string
  isCancelled: boolean
}

/** What waits in a test, and how long by default. */
export interface PendingCalls {
  /** Those that have not ended. */
  readonly pending: Set<Pending>
  readonly timeout?: number | undefined
}

/** Returns the problem if it waited in vain; `isOver` says when to stop. */
type Wait<T> = (isOver: () => boolean) => Promise<T | Error>

// Taken once at load, so that a test's fake timers do not stop the wait. A runner may fake the
// globals from the start.
const builtIn: unknown = globalThis.process?.getBuiltinModule?.('node:timers')
const { setTimeout, clearTimeout } = (builtIn ?? globalThis) as Pick<
  typeof globalThis,
  'setTimeout' | 'clearTimeout'
>
const POLL_MS = 5
const DEFAULT_TIMEOUT_MS = 1_000

export const pause = () => new Promise<void>((resolve) => setTimeout(resolve, POLL_MS))

/** The timeout of a call in milliseconds, or else that of its store. */
export function readTimeout(calls: PendingCalls, own: number | undefined): number {
  return own ?? calls.timeout ?? DEFAULT_TIMEOUT_MS
}

/** Waits until `wait` ends or the time is over. Undefined if the test ended before. */
export async function waitFor<T>(
  calls: PendingCalls,
  call: string,
  timeout: number,
  wait: Wait<T>,
): Promise<T | undefined> {
  const own: Pending = { call, callSite: findCallSite(), isCancelled: false }
  let isLate = timeout === 0
  const timer = setTimeout(() => {
    isLate = true
  }, timeout)
  calls.pending.add(own)
  try {
    const result = await wait(() => isLate || own.isCancelled)
    if (result instanceof Error) throw pointAt(own.callSite, result)
    return result
  } catch (error) {
    // The failure of a test that is over would be an unhandled rejection.
    if (own.isCancelled) return undefined
    throw error instanceof UsageError ? pointAt(own.callSite, error) : error
  } finally {
    clearTimeout(timer)
    calls.pending.delete(own)
  }
}

/** Cancels what the test did not await, and reports the first. */
export function cancelPending(calls: PendingCalls): Error | undefined {
  const { pending } = calls
  const [first] = pending
  for (const one of pending) one.isCancelled = true
  pending.clear()
  if (!first) return undefined
  const error = new Error(`A matcher was not awaited; write: await ${first.call}`)
  return pointAt(first.callSite, error)
}
