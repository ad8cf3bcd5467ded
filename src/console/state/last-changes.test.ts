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

it.each(['load', 'reset', 'requests', 'undo'] as const)('a change is the last one until a %s that this page did not make', async (what) => {
  const { make, hear } = start()
  const [result, isLast] = await make([null], async () => 'done')
  expect([result, isLast()]).toEqual(['done', true])
  hear('load')
  expect(isLast()).toBe(true)
  hear(what)
  expect(isLast()).toBe(false)
})

it('what replaces nothing, and what happens elsewhere, is no matter', async () => {
  const { make, hear, note } = start()
  const [, isLast] = await make(['ann-key'], async () => hear('requests', 'ann-key'))
  for (const what of ['faults', 'clock', 'latency', 'assumptions', 'sandboxes'] as const) hear(what, 'ann-key')
  note({ type: 'change', sandbox: 'ann-key', what: 'pets', id: 1, pet: null })
  hear('reset', 'bob-key')
  hear('reset')
  expect(isLast()).toBe(true)
})

it('two changes of this page in quick succession, whose events come late, are not taken for those of others', async () => {
  const { make, hear } = start()
  const [, isFirstLast] = await make([null], async () => {})
  const [, isSecondLast] = await make([null], async () => {})
  hear('load')
  hear('reset')
  expect([isFirstLast(), isSecondLast()]).toEqual([false, true])
})

it('a change that was refused is not waited for', async () => {
  const { make, watch, hear } = start()
  await expect(make([null], () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  const isSame = watch([null])
  expect(isSame()).toBe(true)
  hear('load')
  expect(isSame()).toBe(false)
})

it('nothing is known any more once events may have been missed', async () => {
  const { make, forget } = start()
  const [, isLast] = await make([null], async () => {})
  forget()
  expect(isLast()).toBe(false)
})
