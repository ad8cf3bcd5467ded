import { expect, it } from 'vitest'
import { createChangeLog } from './change-log.ts'

it('counts every change, and tells what changeLog were before', () => {
  const changeLog = createChangeLog()
  const latency = changeLog.cell('latency', 1)
  latency.set(2)
  latency.set(2)
  changeLog.note('pet', '7', undefined)
  latency.set(3)
  expect([changeLog.revision, [...changeLog.between(0)], [...changeLog.between(1)], [...changeLog.between(1, 2)]]).toEqual([
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
})

it('forgets old changes, and says so', () => {
  const changeLog = createChangeLog()
  const count = changeLog.cell('count', 0)
  for (let next = 1; next <= 2_500; next++) count.set(next)
  for (const revision of [999, 1_000]) {
    changeLog.forget(revision)
    expect([changeLog.knows(revision - 1), changeLog.knows(revision), changeLog.revision]).toEqual([false, true, 2_500])
  }
  changeLog.forget(1_200)
  expect([...changeLog.between(1_200)]).toEqual([['count', 1_200]])
  changeLog.forget(2_500)
  expect([changeLog.revision, [...changeLog.between(2_500)]]).toEqual([2_500, []])
})
