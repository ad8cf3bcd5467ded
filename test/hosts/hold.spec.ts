import { describe, expect, it } from 'vitest'
import { createMock, type Mock } from '../../src/mock/mock.ts'
import { hosts } from '../support/hosts.ts'

const headers = { authorization: 'Bearer test-key' }
/** Direct calls do not wait: they are their own host. */
const { direct, ...waiting } = hosts

/** Resolves when this many responses are held. */
function whenHeld({ control }: Mock, amount: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (control.held().length === amount) resolve()
    }
    control.subscribe(look)
    look()
  })
}

describe.each(Object.entries(waiting))('on %s', (_, carry) => {
  async function start() {
    const mock = createMock({ pets: [{ name: 'Rex', categoryId: 1 }] })
    const wire = await carry(mock)
    const answered: number[] = []
    async function list(number: number): Promise<number> {
      const ask = { method: 'GET', target: `/v1/pets?limit=${number}`, headers, body: undefined }
      const answer = await wire(ask)
      answered.push(number)
      return answer.status
    }
    return { mock, answered, list, wire }
  }

  it.each([[[2, 1]], [[3, 1, 2]]])('held responses arrive in the order %j', async (order) => {
    const { mock, answered, list } = await start()
    mock.control.faults.add({ operation: 'listPets', hold: true })
    const sent: Promise<number>[] = []
    for (let number = 1; number <= order.length; number++) {
      sent.push(list(number))
      await whenHeld(mock, number)
    }
    const ids = mock.control.held().map(({ id }) => id)
    for (const number of order) {
      expect(mock.control.release(ids[number - 1])).toEqual([ids[number - 1]])
      await sent[number - 1]
    }
    expect(answered).toEqual(order)
    expect(mock.control.held()).toEqual([])
    const outcomes = mock.control.requests().map(({ outcome, status }) => [outcome, status])
    expect(outcomes).toEqual(order.map(() => ['sent', 200]))
  })

  it('a held response is replaced or lost by its release, and dropped by a reset', async () => {
    const { mock, list } = await start()
    const { control } = mock
    control.faults.add({ operation: 'listPets', hold: true })
    const [one, two, three] = [list(1), list(2), list(3)]
    const lost = expect(two).rejects.toThrow()
    const dropped = expect(three).rejects.toThrow()
    await whenHeld(mock, 3)
    const [first, second] = control.held().map(({ target }) => target.at(-1))
    const idOf = (number: number) =>
      control.held().find(({ target }) => target.endsWith(`=${number}`))?.id
    expect([first, second]).toHaveLength(2)
    control.release(idOf(1), { status: 503 })
    expect(await one).toBe(503)
    control.release(idOf(2), 'lost')
    await lost
    const third = idOf(3)
    control.reset()
    await dropped
    expect(control.timeline().find(({ id }) => id === third)).toMatchObject({
      outcome: 'dropped',
      status: 0,
      notes: ['Dropped while it was held: reset to default'],
    })
  })
})
