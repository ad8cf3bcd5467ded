// Requests that arrive together are answered together, and only then sent. To go from the parser through the engine to
// the socket and back for each of them costs 24 to 45 % more processor time (docs/decisions/requests-in-rounds.md).
import { attempt, type Exchange } from './exchange.ts'
import { setImmediate } from './timers.ts'

export type Rounds = ReturnType<typeof createRounds>

/** A round that takes longer ends, so that connections are accepted meanwhile. The rest comes first in the next one. */
const MAX_ROUND_MS = 50

export function createRounds() {
  let joined: (() => void)[] = []
  /** What testers ask for, which may take long: a round takes one of them, after the others. */
  const control: (() => void)[] = []
  let sends: (() => void)[] | undefined
  let isPlanned = false

  function plan(): void {
    if (!isPlanned) setImmediate(run)
    isPlanned = true
  }

  function run(): void {
    const parts = control.length === 0 ? joined : joined.concat(control.splice(0, 1))
    joined = []
    sends = []
    isPlanned = false
    const end = performance.now() + MAX_ROUND_MS
    let done = 0
    for (const answer of parts) {
      answer()
      done++
      if (performance.now() > end) break
    }
    const ready = sends
    sends = undefined
    for (const send of ready) send()
    if (done < parts.length) joined = parts.slice(done).concat(joined)
    if (joined.length + control.length > 0) plan()
  }

  return {
    /** Takes part in the next round. */
    join(exchange: Exchange, answer: (exchange: Exchange) => void): void {
      const parts = exchange.isControl ? control : joined
      parts.push(() => attempt(exchange, answer))
      plan()
    },
    /** Sends at the end of the round that is under way, or at once if there is none. */
    send(exchange: Exchange, work: () => void): void {
      if (sends) sends.push(() => attempt(exchange, work))
      else attempt(exchange, work)
    },
  }
}
