// Keeps the page connected: listens for events and, when the mock goes away, tries again, each time a little later.
import { ControlError, type EventOptions } from '../../client/client.ts'
import type { MockEvent } from '../../control/control.ts'
import type { Token } from './token.ts'

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Nobody is looking, so no connection is held: a browser grants an address six of them, for all its tabs together. */
  | { readonly kind: 'paused' }
  /** Lost; the next attempt is at that time, in milliseconds since the epoch. */
  | { readonly kind: 'waiting'; readonly retryAt: number }
  /** The control API needs a token, or a different one. */
  | { readonly kind: 'locked'; readonly refused: ReturnType<Token['source']> }

export interface Connection {
  /** Tries at once, with whatever token there is by now. */
  retry(): void
  /** The page was hidden or shown again. */
  setHidden(isHidden: boolean): void
}

interface ConnectionSettings {
  listen(options: EventOptions): Promise<AsyncIterable<MockEvent>>
  tokenSource: Token['source']
  isHidden: boolean
  onState(state: ConnectionState): void
  onEvent(event: MockEvent): void
}

/** The mock sends a heartbeat every fifteen seconds. */
const SILENCE_LIMIT_MS = 40_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

export function connect({ listen, tokenSource, isHidden, onState, onEvent }: ConnectionSettings): Connection {
  let wake: () => void = () => {}
  let stop: () => void = () => {}
  let failures = 0
  let isPaused = isHidden
  /** Whether somebody asked for another attempt while one was under way: what it was made with may be out of date. */
  let isRetryWanted = false
  void run()

  async function run(): Promise<never> {
    for (;;) {
      if (isPaused) {
        onState({ kind: 'paused' })
        await pause(Number.POSITIVE_INFINITY)
      } else {
        onState({ kind: 'connecting' })
        await pause(await follow())
      }
    }
  }

  /** Listens for as long as it goes well; returns how long to wait before the next attempt. */
  async function follow(): Promise<number> {
    const abort = new AbortController()
    stop = () => abort.abort()
    let silence = setTimeout(stop, SILENCE_LIMIT_MS)
    const onActivity = () => {
      clearTimeout(silence)
      silence = setTimeout(stop, SILENCE_LIMIT_MS)
    }
    try {
      const events = await listen({ signal: abort.signal, onActivity })
      failures = 0
      isRetryWanted = false
      onState({ kind: 'live' })
      for await (const event of events) onEvent(event)
    } catch (error) {
      if (error instanceof ControlError && error.status === 401) {
        onState({ kind: 'locked', refused: tokenSource() })
        return Number.POSITIVE_INFINITY
      }
    } finally {
      clearTimeout(silence)
    }
    if (isPaused) return 0
    const wait = toWait(failures++)
    onState({ kind: 'waiting', retryAt: Date.now() + wait })
    return wait
  }

  function pause(milliseconds: number): Promise<void> {
    const wait = isRetryWanted ? 0 : milliseconds
    isRetryWanted = false
    return new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer)
        wake = () => {}
        resolve()
      }
      const timer = Number.isFinite(wait) ? setTimeout(goOn, wait) : undefined
      wake = () => {
        isRetryWanted = false
        goOn()
      }
    })
  }

  return {
    retry() {
      isRetryWanted = true
      wake()
    },
    setHidden(hidden) {
      isPaused = hidden
      if (hidden) stop()
      else wake()
    },
  }
}

/** Twice as long after each failure, up to a limit. */
export function toWait(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)
}
