import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { toCall } from '../../../test/support/call.ts'
import { createFolder } from '../../../test/support/cli-process.ts'
import { UsageError } from '../../contract/errors.ts'
import { createEngine } from '../../mock/mock.ts'
import { openOptions } from '../../mock/mock-options.ts'
import { createMemory } from '../../world/memory.ts'
import { persistIn } from './persist.ts'

const pet = (id: number) => ({ id, name: 'x'.repeat(1_000), categoryId: 1 })

const events = () => new Promise((resolve) => setTimeout(resolve))

const createFile = () => join(createFolder(), 'state.json')

async function start(file: string, pets: readonly ReturnType<typeof pet>[], maxBytes: number) {
  const memory = createMemory(maxBytes)
  const engine = createEngine(openOptions('test', { pets }), undefined, memory)
  const { stop } = await persistIn(file, engine, memory)
  const { answer, control } = engine.mock
  const call = toCall('POST', '/v1/pets', { name: pet(0).name, categoryId: 1 })
  return { stop, control, create: () => answer(call).status }
}

it('a mock with --persist refuses animals that do not fit, and restarts with all others', async () => {
  const file = createFile()
  const first = await start(file, [pet(1)], 4_000)
  expect([first.create(), first.create(), first.create(), first.create()]).toEqual([
    201, 201, 507, 507,
  ])
  await events()
  await first.stop()
  expect(readFileSync(file).length).toBeLessThan(4_000)
  // The animals of its scenario count too, but what was kept is never refused.
  const second = await start(file, [pet(7), pet(8)], 4_000)
  expect(second.control.state().pets).toEqual([1, 2, 3].map(pet))
  expect(second.create()).toBe(507)
  second.control.pets.remove(1)
  await events()
  await second.stop()
  expect((await start(file, [], 4_000)).create()).toBe(201)
})

it('a mock with --persist does not start from a scenario that does not fit', async () => {
  await expect(start(createFile(), [1, 2, 3, 4, 5].map(pet), 5_000)).rejects.toThrow(UsageError)
})

it('a mock with --persist writes one state at a time under rapid changes, and the last one when it stops', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = createFile()
  const engine = createEngine(openOptions('test', { pets: [] }))
  const { control } = engine.mock
  const print = vi.fn()
  // A state that is printed says whether it was calibrated.
  Object.defineProperty(engine.worlds.of().state, 'calibrated', { get: print })
  const { stop } = await persistIn(file, engine, createMemory())
  for (let count = 1; count <= 20; count++) {
    control.pets.add({ name: 'Rex', categoryId: count })
    await Promise.resolve()
    vi.advanceTimersByTime(1_000)
  }
  await stop()
  expect([1, 2]).toContain(print.mock.calls.length)
  expect(readFileSync(file, 'utf8')).toContain('"categoryId":20')
})
