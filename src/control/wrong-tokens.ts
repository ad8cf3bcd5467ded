// Wrong control tokens: many of them are answered late, so that guessing is slow, and they are logged together, so that it is
// noticed and cannot fill the log.
import type { Call, Reply } from '../service/call.ts'

/** How long wrong tokens are counted before they are logged again. */
const LOG_INTERVAL_MS = 10_000
/** So many in that time may be mistakes; whatever comes after them is answered late. */
const PROMPT_REFUSALS = 500
const DELAY_MS = 1_000

/** What it needs of its host. */
interface WrongTokensSettings {
  log(text: string): void
  /** Runs it after that time, unless the host has stopped by then. */
  later(run: () => void, milliseconds: number): void
}

/** Returns the reply, held back if it refuses one wrong token too many; a missing one is no guess. */
export function createWrongTokens({ log, later }: WrongTokensSettings): <T extends Reply>(call: Call, reply: T) => T {
  let unlogged = 0
  /** Since the last line of the log. */
  let refused = 0
  let isCounting = false

  function tell(): void {
    isCounting = unlogged > 0
    refused = 0
    if (!isCounting) return
    log(`control API: rejected ${unlogged === 1 ? 'a wrong token' : `${unlogged} wrong tokens`}`)
    unlogged = 0
    later(tell, LOG_INTERVAL_MS)
  }

  return (call, reply) => {
    if (reply.status !== 401 || call.header('authorization') === undefined) return reply
    unlogged++
    if (!isCounting) tell()
    refused++
    return refused > PROMPT_REFUSALS ? { ...reply, delay: DELAY_MS } : reply
  }
}
