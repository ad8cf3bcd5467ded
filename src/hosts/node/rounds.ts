// Requests that arrive together are answered together, and only then sent. To go from the parser
// through the engine to the socket and back for each of them costs 24 to 45 % more processor time
// (docs/decisions/requests-in-rounds.md).
import { contain, type Exchange, timers } from './exchange.ts'

export type Rounds = ReturnType<typeof createRounds>

type Work = (exchange: Exchange) => void

export function createRounds() {
  let answers = createQueue()
  let sends: Queue | undefined

  function run(): void {
    const joined = answers
    const ready = createQueue()
    answers = createQueue()
    sends = ready
    runAll(joined)
    sends = undefined
    runAll(ready)
  }

  return {
    join(exchange: Exchange, answer: Work): void {
      if (answers.exchanges.length === 0) timers.setImmediate(run)
      add(answers, exchange, answer)
    },
    send(exchange: Exchange, work: Work): void {
      if (sends) add(sends, exchange, work)
      else contain(exchange, work)
    },
  }
}

/** Each exchange with the work at the same place: a function for both would be made per request. */
interface Queue {
  readonly exchanges: Exchange[]
  readonly works: Work[]
}

const createQueue = (): Queue => ({ exchanges: [], works: [] })

function add({ exchanges, works }: Queue, exchange: Exchange, work: Work): void {
  exchanges.push(exchange)
  works.push(work)
}

function runAll({ exchanges, works }: Queue): void {
  for (let index = 0; index < exchanges.length; index++) {
    contain(exchanges[index] as Exchange, works[index] as Work)
  }
}
