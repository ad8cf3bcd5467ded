import { expect, it, onTestFinished, vi } from 'vitest'
import type { Exchange } from './channel.ts'
import { createRounds } from './rounds.ts'

const exchange = {} as Exchange

/** Rounds, and work that takes its time at once. */
function start() {
  let time = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => time)
  onTestFinished(() => now.mockRestore())
  const work = (milliseconds: number) => {
    time += milliseconds
  }
  return { ...createRounds(), seen: [] as string[], work }
}

it('a request that arrives while the queue is busy runs before the rest of the queue', async () => {
  const { queue, join, seen, work } = start()
  queue(exchange, () => {
    seen.push('slow')
    work(60)
    // As a client that connects meanwhile: it takes some turns of the event loop.
    setTimeout(() => join(exchange, () => seen.push('quick')), 5)
  })
  await new Promise((resolve) => queue(exchange, () => resolve(seen.push('slow too'))))
  expect(seen).toEqual(['slow', 'quick', 'slow too'])
})

it.each([
  [25, ['1', '2', '3', '1 sent', '2 sent', '3 sent']],
  [51, ['1', '1 sent', '2', '2 sent', '3', '3 sent']],
])('requests of %i ms are answered together for 50 ms, and then sent', async (milliseconds, expected) => {
  const { join, send, seen, work } = start()
  for (const name of ['1', '2', '3'])
    join(exchange, () => {
      work(milliseconds)
      seen.push(name)
      send(exchange, () => seen.push(`${name} sent`))
    })
  await vi.waitFor(() => expect(seen).toEqual(expected))
})
