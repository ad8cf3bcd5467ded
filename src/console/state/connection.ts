// Keeps the page connected: listens, and when the mock goes away tries again, each time a little later.
import { ControlError } from './control-client.ts'
import { readEvents } from './read-events.ts'

/** How it stands between the page and the mock. */
export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Lost; the next try is at that time, in milliseconds since the epoch. */
  | { readonly kind: 'waiting'; readonly retryAt: number }
  /** The control API wants a token, or another one. */
  | { readonly kind: 'locked'; readonly isWrong: boolean }

export interface Connection {
  /** Tries at once, with whatever token there is by now. */
  retry(): void
}

interface ConnectionSettings {
  listen(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  hasToken(): boolean
  onState(state: ConnectionState): void
  onData(data: string): void
}

/** The mock sends a sign of life every fifteen seconds. */
const SILENCE_LIMIT = 40_000
const FIRST_WAIT = 500
const LONGEST_WAIT = 15_000

export function connect({ listen, hasToken, onState, onData }: ConnectionSettings): Connection {
  let wake: () => void = () => {}
  let failures = 0
  void run()

  async function run(): Promise<never> {
    for (;;) {
      onState({ kind: 'connecting' })
      await pause(await hear())
    }
  }

  /** Listens for as long as it goes well; gives the milliseconds to wait before the next try. */
  async function hear(): Promise<number> {
    const abort = new AbortController()
    let silence = setTimeout(() => abort.abort(), SILENCE_LIMIT)
    try {
      const stream = await listen(abort.signal)
      failures = 0
      onState({ kind: 'live' })
      await readEvents(stream, onData, () => {
        clearTimeout(silence)
        silence = setTimeout(() => abort.abort(), SILENCE_LIMIT)
      })
    } catch (error) {
      if (error instanceof ControlError && error.status === 401) {
        onState({ kind: 'locked', isWrong: hasToken() })
        return Number.POSITIVE_INFINITY
      }
    } finally {
      clearTimeout(silence)
    }
    const wait = toWait(failures++)
    onState({ kind: 'waiting', retryAt: Date.now() + wait })
    return wait
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = Number.isFinite(milliseconds) ? setTimeout(resolve, milliseconds) : undefined
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return { retry: () => wake() }
}

/** Twice as long after each failure, up to a limit. */
export function toWait(failures: number): number {
  return Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT)
}
