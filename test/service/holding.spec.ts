import { expect, it } from 'vitest'
import { type Api, onEveryHost } from '../support/hosts.ts'

/** Asks for something else until this many responses are held. */
async function untilHeld({ mock, ask }: Api, count: number): Promise<number[]> {
  for (;;) {
    const held = mock.control.held()
    if (held.length === count) return held.map(({ id }) => id)
    await ask('/v1/elsewhere')
  }
}

/** Direct calls do not wait: they are their own host. */
const WAITING_HOSTS = ['fetch', 'node', 'http2', 'msw', 'worker'] as const

onEveryHost((start) => {
  async function hold(count: number) {
    const api = await start({ pets: [{ name: 'Rex', categoryId: 1 }] })
    api.mock.control.faults.add({ operation: 'listPets', hold: true })
    const answered: number[] = []
    const sent: Promise<number>[] = []
    let ids: number[] = []
    for (let number = 1; number <= count; number++) {
      sent.push(
        api.ask(`/v1/pets?limit=${number}`).then(({ status }) => {
          answered.push(number)
          return status
        }),
      )
      ids = await untilHeld(api, number)
    }
    return { ...api, answered, sent, ids }
  }

  it.each([[[2, 1]], [[3, 1, 2]]])('held responses arrive in the order %j', async (order) => {
    const { mock, answered, sent, ids } = await hold(order.length)
    for (const number of order) {
      expect(mock.control.release(ids[number - 1])).toEqual([ids[number - 1]])
      await sent[number - 1]
    }
    expect(answered).toEqual(order)
    expect(mock.control.held()).toEqual([])
    const rows = mock.control.requests({ operation: 'listPets' })
    expect(rows.map(({ outcome, status }) => [outcome, status])).toEqual(
      order.map(() => ['sent', 200]),
    )
  })

  it('a held response is replaced or lost by its release, and dropped by a reset', async () => {
    const { mock, sent, ids } = await hold(3)
    const [replaced, lost, dropped] = sent
    const isLost = expect(lost).rejects.toThrow()
    const isDropped = expect(dropped).rejects.toThrow()
    mock.control.release(ids[0], { status: 503 })
    expect(await replaced).toBe(503)
    mock.control.release(ids[1], 'lost')
    await isLost
    mock.control.reset()
    await isDropped
    const row = mock.control.timeline().find(({ id }) => id === ids[2])
    expect(row).toMatchObject({
      outcome: 'dropped',
      status: 0,
      notes: ['Dropped while it was held: reset to default'],
    })
  })
}, WAITING_HOSTS)
