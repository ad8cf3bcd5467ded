// Requests that arrive together are answered together, and only then sent. To go from the parser through the engine to
// the socket and back for each of them costs 24 to 45 % more processor time (docs/decisions/requests-in-rounds.md).
import { attempt, type Exchange } from './exchange.ts'
import { setImmediate } from './timers.ts'

export type Rounds = ReturnType<typeof createRounds>

export function createRounds() {
  let joined: (() => void)[] = []
  let sends: (() => void)[] | undefined

  function run(): void {
    const parts = joined
    const ready: (() => void)[] = []
    joined = []
    sends = ready
    for (const answer of parts) answer()
    sends = undefined
    for (const send of ready) send()
  }

  return {
    join(exchange: Exchange, answer: (exchange: Exchange) => void): void {
      if (joined.length === 0) setImmediate(run)
      joined.push(() => attempt(exchange, answer))
    },
    /** Sends at the end of the round that is under way, or at once if there is none. */
    send(exchange: Exchange, work: () => void): void {
      if (sends) sends.push(() => attempt(exchange, work))
      else attempt(exchange, work)
    },
  }
}
