// Wrong control tokens: each is answered late, so that guessing is slow, and they are logged together, so that it is noticed
// and cannot fill the log.
import type { Call, Reply } from '../../service/call.ts'
import { setTimeout } from './timers.ts'

const WRONG_TOKEN_DELAY_MS = 500
/** How long wrong tokens are counted before they are logged again. */
const LOG_INTERVAL_MS = 10_000

/** Gives the reply, held back if it is the refusal of a wrong token; a missing one is no guess. */
export function createWrongTokens(log: (text: string) => void): <T extends Reply>(call: Call, reply: T) => T {
  let unlogged = 0
  let isCounting = false

  function tell(): void {
    if (unlogged === 0) {
      isCounting = false
      return
    }
    log(`control API: rejected ${unlogged === 1 ? 'a wrong token' : `${unlogged} wrong tokens`}`)
    unlogged = 0
    isCounting = true
    setTimeout(tell, LOG_INTERVAL_MS).unref()
  }

  return (call, reply) => {
    if (reply.status !== 401 || call.header('authorization') === undefined) return reply
    unlogged++
    if (!isCounting) tell()
    return { ...reply, delay: WRONG_TOKEN_DELAY_MS }
  }
}
