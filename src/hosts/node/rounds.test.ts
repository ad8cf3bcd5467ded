import { expect, it } from 'vitest'
import type { Exchange } from './channel.ts'
import { createRounds } from './rounds.ts'

it('a request that arrives while the queue is busy runs before the rest of the queue', async () => {
  const rounds = createRounds()
  const exchange = {} as Exchange
  const seen: string[] = []
  const work = (milliseconds: number) => {
    for (const end = performance.now() + milliseconds; performance.now() < end; );
  }
  const done = new Promise<void>((resolve) => {
    rounds.queue(exchange, () => {
      seen.push('slow')
      work(60)
      // As a client that connects meanwhile: it takes some turns of the event loop.
      setTimeout(() => rounds.join(exchange, () => seen.push('quick')), 5)
    })
    rounds.queue(exchange, () => {
      seen.push('slow too')
      resolve()
    })
  })
  await done
  expect(seen).toEqual(['slow', 'quick', 'slow too'])
})
