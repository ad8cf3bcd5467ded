import { expect, it } from 'vitest'
import type { Change } from '../../control/control.ts'
import { createLastChanges } from './last-changes.ts'

function start() {
  const changes = createLastChanges()
  return {
    ...changes,
    hear: (what: Exclude<Change, 'pets'>, sandbox: string | null = null) => changes.note({ type: 'change', sandbox, what }),
  }
}

it.each(['load', 'reset', 'requests'] as const)('a state is the same one until a %s', (what) => {
  const { watch, hear } = start()
  const isSame = watch([null])
  for (const other of ['faults', 'clock', 'latency', 'assumptions', 'sandboxes'] as const) hear(other)
  hear('reset', 'bob-key')
  expect(isSame()).toBe(true)
  hear(what)
  expect(isSame()).toBe(false)
})

it('nothing is known once events may have been missed', () => {
  const { watch, forget } = start()
  const isSame = watch([null])
  forget()
  expect(isSame()).toBe(false)
})
