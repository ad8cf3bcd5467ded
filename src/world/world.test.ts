import { expect, it } from 'vitest'
import { entryFormat } from '../service/entry-format.ts'
import { createRequestLogs } from './request-log.ts'
import { createStart, type State } from './start.ts'
import { createWorld } from './world.ts'

const create = (state: State = {}) => createWorld(createStart(state), { realTime: () => 0, requestLogs: createRequestLogs(entryFormat) })

it('every part of a world that changes is an item, which can be put back and changed again', () => {
  const world = create({ nextId: 1, now: '2030-01-01', faults: [{ operation: '*', delay: [1, 9], id: 'slow' }], surprise: { seed: 7 } })
  const { changeLog } = world
  const from = changeLog.revision
  const before = world.state()
  world.store({ name: 'Rex', categoryId: 1 })
  world.faults.strike('listPets')
  world.faults.add({ operation: '*', status: 503 })
  world.countCall('listPets')
  world.choices = { ...world.choices, 'invalid-query': 'clamp' }
  world.latency = 200
  world.clock.set('2031-01-01')
  const after = world.state()
  expect(after.surprise).toEqual({ seed: 7, calls: { listPets: 1 } })
  const changed = [...changeLog.between(from)]
  const items = 'pet 1,next-id,count slow,random,last-fault-id,fault 1,count 1,calls listPets,choice invalid-query,latency,clock'
  expect(changed.map(([item]) => item)).toEqual(items.split(','))
  const again = changed.map(([item]) => [item, changeLog.get(item)] as const)
  for (const [item, value] of [...changed, ...changed]) changeLog.set(item, value)
  expect(world.state()).toEqual(before)
  // What is as it was is no change, and the new fault has not been counted yet.
  expect(changeLog.revision).toBe(from + 2 * changed.length - 1)
  for (const [item, value] of again) changeLog.set(item, value)
  expect(world.state()).toEqual(after)
})

it('a world counts the calls of ten thousand targets; the oldest count gives way', () => {
  const { countCall } = create()
  for (let index = 0; index < 10_000; index++) countCall(`target ${index}`)
  expect([0, 10_000, 0, 2].map((index) => countCall(`target ${index}`))).toEqual([2, 1, 1, 2])
})
