// Requests that arrive together are answered together, and only then sent. To go from the parser
// through the engine to the socket and back for each of them costs 24 to 45 % more processor time
// (docs/decisions/requests-in-rounds.md).
import { contain, type Exchange, timers } from './exchange.ts'

export type Rounds = ReturnType<typeof createRounds>

export function createRounds() {
  let joined: (() => void)[] = []
  let sends: (() => void)[] | undefined

  function run(): void {
    const answers = joined
    const ready: (() => void)[] = []
    joined = []
    sends = ready
    for (const answer of answers) answer()
    sends = undefined
    for (const send of ready) send()
  }

  return {
    join(exchange: Exchange, answer: (exchange: Exchange) => void): void {
      if (joined.length === 0) timers.setImmediate(run)
      joined.push(() => contain(exchange, answer))
    },
    send(exchange: Exchange, work: () => void): void {
      if (sends) sends.push(() => contain(exchange, work))
      else contain(exchange, work)
    },
  }
}
