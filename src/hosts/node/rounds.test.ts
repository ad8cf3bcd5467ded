import { expect, it, onTestFinished, vi } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createRounds } from './rounds.ts'

const exchange = { isControl: false } as Exchange
const control = { isControl: true } as Exchange

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

it('a round takes one request to the control, after the others, so that those wait for one of them at most', async () => {
  const { join, seen, work } = start()
  for (const name of ['control 1', 'control 2'])
    join(control, () => {
      work(60)
      seen.push(name)
    })
  join(exchange, () => {
    seen.push('app 1')
    setImmediate(() => join(exchange, () => seen.push('app 2')))
  })
  await vi.waitFor(() => expect(seen).toEqual(['app 1', 'control 1', 'app 2', 'control 2']))
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
