import { expect, it, vi } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createRounds } from './rounds.ts'

const exchange = {} as Exchange

it('requests that arrive together are answered together, and then sent; what arrives meanwhile is in the next round', async () => {
  const { join, send } = createRounds()
  const seen: string[] = []
  const ask = (name: string) => {
    seen.push(name)
    send(exchange, () => seen.push(`${name} sent`))
  }
  join(exchange, () => {
    ask('1')
    join(exchange, () => ask('3'))
  })
  join(exchange, () => ask('2'))
  await vi.waitFor(() => expect(seen).toEqual(['1', '2', '1 sent', '2 sent', '3', '3 sent']))
})
