import { readFileSync, writeFileSync } from 'node:fs'
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

async function startWithSandboxes(file: string, sandbox = true) {
  const engine = createEngine(openOptions('test', { pets: [pet(1)], sandbox }))
  const { isResumed, stop } = await persistIn(file, engine, createMemory())
  return { ...engine.mock, isResumed, stop }
}

const addAs = ({ answer }: Awaited<ReturnType<typeof startWithSandboxes>>, name: string) =>
  answer({
    ...toCall('POST', '/v1/pets', { name, categoryId: 1 }),
    headers: {
      authorization: 'Bearer any-key',
      'content-type': 'application/json',
      'x-mock-sandbox': name,
    },
  }).status

it('a mock with --persist and --sandbox keeps each sandbox with its settings, in the order of their use', async () => {
  const file = createFile()
  const first = await startWithSandboxes(file)
  expect(['a', 'team/b', 'c'].map((name) => addAs(first, name))).toEqual([201, 201, 201])
  first.control.sandbox('team/b').keys.set(['any-key'])
  first.control.sandbox('team/b').faults.add({ operation: 'listPets', status: 503 })
  first.control.pets.remove(1)
  first.control.removeSandbox('c')
  await events()
  await first.stop()
  const second = await startWithSandboxes(file)
  expect(second.isResumed).toBe(true)
  expect(second.control.sandboxes()).toEqual(['a', 'team/b'])
  expect(second.control.pets.list().total).toBe(0)
  const own = second.control.sandbox('team/b')
  expect(own.state()).toMatchObject({
    pets: [pet(1), { id: 2, name: 'team/b', categoryId: 1 }],
    apiKeys: ['any-key'],
    faults: [{ operation: 'listPets', status: 503 }],
  })
  own.reset()
  expect(own.state().pets).toEqual([pet(1)])
  await second.stop()
})

it('a file of --persist without sandboxes is the shared state of a mock with sandboxes', async () => {
  const file = createFile()
  const first = await startWithSandboxes(file, false)
  first.control.pets.remove(1)
  await events()
  await first.stop()
  const second = await startWithSandboxes(file)
  expect([second.control.pets.list().total, second.control.sandboxes()]).toEqual([0, []])
  await second.stop()
})

const kept = (state: object, sandbox = 'a') => ({ state: {}, sandboxes: [{ sandbox, state }] })

it.each([
  [kept({}), false, 'has the states of sandboxes; start the mock with --sandbox'],
  [kept({ pets: [{ id: 1 }] }), true, 'sandboxes[0].state: pets[0].name'],
  [kept({}, 'a b'), true, 'sandboxes[0].sandbox'],
  [{ state: {} }, true, 'sandboxes'],
])(
  'a mock refuses to go on from the file %j, and leaves it alone',
  async (given, hasSandboxes, message) => {
    const file = createFile()
    const text = JSON.stringify(given)
    writeFileSync(file, text)
    await expect(startWithSandboxes(file, hasSandboxes)).rejects.toThrow(message)
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)
