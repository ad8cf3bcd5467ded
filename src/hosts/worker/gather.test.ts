import { describe, expect, it } from 'vitest'
import type { TrafficEntry } from '../../control/control.ts'
import type { ControlOutcome } from '../../control/control-routes.ts'
import { createGatherer } from './gather.ts'
import type { WorldObject } from './platform.ts'

const MIB = 2 ** 20

/** Sandboxes that answer with these texts; one without a text has failed. */
function create(keys: readonly string[], textOf: (key: string) => string | undefined) {
  const asked: string[] = []
  const cleared: string[] = []
  const failures: string[] = []
  const answer = (key: string) => {
    const text = textOf(key)
    if (text === undefined) throw new Error('file is not a database')
    return text
  }
  const gatherer = createGatherer({
    control: { traffic: () => [] },
    keys: () => keys,
    toObject: (key) =>
      ({
        async traffic() {
          asked.push(key)
          return answer(key)
        },
        async clearTraffic() {
          answer(key)
          cleared.push(key)
        },
      }) as unknown as WorldObject,
    onFailure: (message) => void failures.push(message),
  })
  return { gatherer, asked, cleared, failures }
}

const toText = (key: string, length = 0) =>
  JSON.stringify([{ id: Number(key), realAt: '2030-01-01T00:00:00.000Z', sandbox: key }]).padEnd(length)
const ids = ({ value }: ControlOutcome) => (value as TrafficEntry[]).map(({ id }) => id)

describe('the requests of all sandboxes', () => {
  it('are those of the 64 that came last, to show and to empty', async () => {
    const { gatherer, cleared } = create(
      Array.from({ length: 70 }, (_, index) => String(index)),
      (key) => toText(key),
    )
    const last = Array.from({ length: 64 }, (_, index) => index + 6)
    expect(ids(await gatherer.traffic({}))).toEqual(last)
    await gatherer.clearTraffic()
    expect(cleared.map(Number).sort((one, other) => one - other)).toEqual(last)
  })

  it('may have 64 MiB to the last byte', async () => {
    const { gatherer } = create(['1', '2'], (key) => toText(key, 32 * MIB))
    expect(ids(await gatherer.traffic({}))).toEqual([1, 2])
  })

  it('are at most 64 MiB, without those that came first', async () => {
    const { gatherer, asked } = create(['1', '2', '3', '4', '5'], (key) => toText(key, 20 * MIB))
    expect(ids(await gatherer.traffic({}))).toEqual([3, 4, 5])
    // And no more are asked than it takes to know.
    expect(asked).toEqual(['5', '4', '3', '2'])
  })

  it('are those of all others if one of them fails, which is named', async () => {
    const { gatherer, cleared, failures } = create(['1', '2', '3'], (key) => (key === '2' ? undefined : toText(key)))
    const outcome = await gatherer.traffic({})
    expect(ids(outcome)).toEqual([1, 3])
    expect(outcome.headers).toEqual({ 'X-Mock-Missing-Sandboxes': '2' })
    expect(failures).toEqual(['The sandbox … does not answer: file is not a database'])
    await expect(gatherer.clearTraffic()).rejects.toThrow('Not emptied: 2')
    expect(cleared).toEqual(['3', '1'])
  })
})
