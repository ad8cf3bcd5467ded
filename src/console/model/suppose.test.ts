import { expect, it } from 'vitest'
import type { ControlClient } from '../../control/client/client.ts'
import type { PetPage, WhatIfChange } from '../../control/control.ts'
import type { Fault, LiveFault } from '../../world/faults.ts'
import { createSupposer, supposeFaults, supposePets } from './suppose.ts'

const FAULT = { id: 'a', operation: 'listPets', status: 503, seen: 0, applied: 0 } as LiveFault

async function supposeAfter(
  run: (mock: ControlClient) => unknown,
  change: WhatIfChange = {},
): Promise<WhatIfChange> {
  const supposer = createSupposer({ faults: [FAULT], now: '2030-01-01T00:00:00.000Z' }, change)
  await run(supposer.mock)
  return supposer.readChange()
}

it('what a view does at a moment becomes a supposition', async () => {
  const steps: WhatIfChange[] = []
  let change: WhatIfChange = {}
  for (const run of [
    (mock: ControlClient) => mock.pets.update(7, { status: 'sold' }),
    (mock: ControlClient) => mock.pets.update(7, { name: 'Rex' }),
    (mock: ControlClient) => mock.pets.remove(8),
    (mock: ControlClient) => mock.assume({ 'invalid-query': 'clamp' }),
    (mock: ControlClient) => mock.latency.set(null),
    (mock: ControlClient) => mock.clock.advance(1_000),
  ]) {
    change = await supposeAfter(run, change)
    steps.push(change)
  }
  expect(steps.at(-1)).toEqual({
    pets: { 7: { status: 'sold', name: 'Rex' }, 8: null },
    assume: { 'invalid-query': 'clamp' },
    latency: null,
    at: '2030-01-01T00:00:01.000Z',
  })
})

it('a fault of the moment is taken away, and one that was supposed is forgotten', async () => {
  const added = { ...FAULT, id: 'b' } as Fault
  const withFault = await supposeAfter((mock) => mock.faults.add(added))
  expect(supposeFaults([FAULT], withFault).map(({ id }) => id)).toEqual(['a', 'b'])
  const removed = await supposeAfter((mock) => mock.faults.remove('b'), withFault)
  expect(supposeFaults([FAULT], removed).map(({ id }) => id)).toEqual(['a'])
  const without = await supposeAfter((mock) => mock.faults.remove('a'), removed)
  expect(supposeFaults([FAULT], without)).toEqual([])
})

it('two faults without ids are two, and removing one that replaced another leaves neither', async () => {
  const { id: _, ...fault } = FAULT
  const one = await supposeAfter((mock) => mock.faults.add(fault as Fault))
  const two = await supposeAfter((mock) => mock.faults.add(fault as Fault), one)
  expect(two.with?.map(({ id }) => id)).toEqual(['what-if-1', 'what-if-2'])
  const replaced = await supposeAfter((mock) => mock.faults.add({ ...FAULT, times: 2 } as Fault))
  const removed = await supposeAfter((mock) => mock.faults.remove('a'), replaced)
  expect(removed).toEqual({ without: ['a'] })
})

it('a fault that was supposed and removed again leaves no supposition', async () => {
  const added = await supposeAfter((mock) => mock.faults.add({ ...FAULT, id: 'b' } as Fault))
  expect(await supposeAfter((mock) => mock.faults.remove('b'), added)).toEqual({})
})

it('what replaces the state is refused', async () => {
  await expect(supposeAfter((mock) => mock.load('empty'))).rejects.toThrow('return to now')
})

it('a page of animals shows what is supposed', () => {
  const pets = [7, 8, 9].map((id) => ({ id, name: `n${id}`, categoryId: 1, status: 'sold' }))
  const page = { pets, marks: {} } as unknown as PetPage
  const shown = supposePets(page, { pets: { 7: { status: null }, 8: null } })
  expect(shown.pets).toEqual([{ id: 7, name: 'n7', categoryId: 1 }, pets[2]])
  expect(shown.marks).toEqual({ 7: 'changed', 8: 'changed' })
})
