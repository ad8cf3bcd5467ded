import { expect, it } from 'vitest'
import { still } from '../../test/support/log-rows.ts'
import { createChange } from './kept-row.ts'
import { createMemory } from './memory.ts'
import { addPet, beginState, createOrigin } from './state.ts'
import { createUnreadTimelines } from './unread-timelines.ts'
import { createWorlds } from './worlds.ts'

it('counts rows, and keeps neither them nor the states before them', () => {
  const memory = createMemory()
  const timelines = createUnreadTimelines(memory)
  const origin = createOrigin({ pets: [] })
  const worlds = createWorlds(origin, false, { times: still, timelines, memory })
  const world = worlds.of()
  const bytes: number[] = []
  for (let turn = 1; turn <= 3; turn++) {
    const { state } = addPet(beginState(origin, still), { name: 'Rex', categoryId: 1 })
    const row = createChange({ at: 0, realAt: 0, method: 'reset', text: 'again' })
    world.advance(row, state)
    expect(row.id).toBe(turn)
    bytes.push(memory.bytes)
  }
  expect(new Set(bytes).size).toBe(1)
  expect(world.timeline.rows()).toEqual([])
  expect(timelines.forgetOldestState()).toBe(false)
})
