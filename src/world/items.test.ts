import { expect, it } from 'vitest'
import { createItems } from './items.ts'

it('counts every change, and tells what items were before', () => {
  const items = createItems()
  const latency = items.cell('latency', 1)
  latency.set(2)
  latency.set(2)
  items.note('pet', '7', undefined)
  latency.set(3)
  expect([items.revision, [...items.between(0)], [...items.between(1)], [...items.between(1, 2)]]).toEqual([
    3,
    [
      ['latency', 1],
      ['pet 7', undefined],
    ],
    [
      ['pet 7', undefined],
      ['latency', 2],
    ],
    [['pet 7', undefined]],
  ])
  items.set('latency', 1)
  expect([latency.value, items.get('latency'), items.revision]).toEqual([1, 1, 4])
})

it('forgets old changes in batches, and says so', () => {
  const items = createItems()
  const count = items.cell('count', 0)
  for (let next = 1; next <= 2_500; next++) count.set(next)
  items.forget(999)
  expect(items.knows(0)).toBe(true)
  items.forget(1_000)
  expect([items.knows(999), items.knows(1_000), items.revision]).toEqual([false, true, 2_500])
  expect([...items.between(1_200)]).toEqual([['count', 1_200]])
  items.forget(2_500)
  expect([items.revision, [...items.between(2_500)]]).toEqual([2_500, []])
})
