import { expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { type Ask, onEveryHost } from '../support/hosts.ts'

const asks: [title: string, status: number, ask: Ask][] = [
  ['a list', 200, {}],
  ['a missing key', 401, { key: null }],
  ['OPTIONS', 204, { method: 'OPTIONS' }],
]

onEveryHost((start) => {
  it.each(asks)('delays %s (%i)', async (_, status, ask) => {
    const api = await start({ scenario: { pets: animals, now: '2031-01-01', latency: 30 } })
    const before = performance.now()
    expect((await api.ask(ask)).status).toBe(status)
    expect(performance.now() - before).toBeGreaterThanOrEqual(29)
    expect(api.mock.control.requests()[0]?.durationMs).toBeGreaterThanOrEqual(29)
  })
})
