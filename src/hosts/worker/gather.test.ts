import { describe, expect, it } from 'vitest'
import type { TrafficEntry } from '../../control/control.ts'
import { createGatherer } from './gather.ts'
import type { WorldObject } from './platform.ts'

const MIB = 2 ** 20

function create(keys: readonly string[], textOf: (key: string) => string) {
  const asked: string[] = []
  const cleared: string[] = []
  const gatherer = createGatherer({
    control: { traffic: () => [] },
    keys: () => keys,
    toObject: (key) =>
      ({
        async traffic() {
          asked.push(key)
          return textOf(key)
        },
        async clearTraffic() {
          cleared.push(key)
        },
      }) as unknown as WorldObject,
  })
  return { gatherer, asked, cleared }
}

const toText = (key: string, length = 0) =>
  JSON.stringify([{ id: Number(key), realAt: '2030-01-01T00:00:00.000Z', sandbox: key }]).padEnd(length)
const ids = (entries: readonly TrafficEntry[]) => entries.map(({ id }) => id)

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
})
