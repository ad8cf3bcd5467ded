import { expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { type Ask, onEveryHost } from '../support/hosts.ts'

/** One request for each kind of response. */
const asks: [title: string, status: number, ask: Ask][] = [
  ['a list', 200, {}],
  ['a creation', 201, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Pip","categoryId":1}' }],
  ['a refused body', 400, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
  ['a missing key', 401, { key: null }],
  ['an unknown path', 404, { target: '/v1/nothing' }],
  ['another method', 405, { method: 'DELETE' }],
  ['OPTIONS', 204, { method: 'OPTIONS' }],
  ['a preferred fault', 503, { headers: { prefer: 'code=503' } }],
  ['a removed operation', 404, { target: '/v1/pets/1' }],
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

onEveryHost(
  (start) => {
    it('is drawn between its bounds, the same in every run of a scenario', async () => {
      const delays = async () => {
        const { mock } = await start({ scenario: { latency: [20, 25] } })
        const header = (name: string) => (name === 'authorization' ? 'Bearer key' : undefined)
        return Array.from({ length: 200 }, () => mock.answer({ method: 'GET', target: '/v1/pets', header }).delay)
      }
      const drawn = await delays()
      expect([...new Set(drawn)].sort()).toEqual([20, 21, 22, 23, 24, 25])
      expect(await delays()).toEqual(drawn)
    })
  },
  ['direct'],
)
