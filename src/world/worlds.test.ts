import { describe, expect, it } from 'vitest'
import { change, exchange } from '../../test/support/log-rows.ts'
import { parseScenario } from '../scenario/check.ts'
import { entryFormat } from '../service/entry-format.ts'
import { createMemory, FullError, type Memory } from './catalogue.ts'
import { createRequestLogs } from './request-log.ts'
import { createWorlds } from './worlds.ts'

const rex = { id: 1, name: 'Rex', categoryId: 1 }
const zoo = parseScenario({ name: 'zoo', pets: [rex] })
const pip = { name: 'Pip', categoryId: 1 }

const large = parseScenario({ name: 'large', pets: [{ id: 1, name: 'x'.repeat(5_000), categoryId: 1 }] })

function create(hasSandboxes = true, memory: Memory = createMemory()) {
  const worlds = createWorlds(zoo, hasSandboxes, { realTime: () => 0, memory, requestLogs: createRequestLogs(entryFormat) })
  const heard: string[] = []
  worlds.watch((key) => heard.push(key))
  return { worlds, heard }
}

describe('worlds', () => {
  it('share their memory: animals that many of them start from count once, and what was added in each', () => {
    const memory = createMemory(2 * large.shelf.bytes)
    const { worlds } = create(true, memory)
    worlds.load(large)
    expect(memory.bytes).toBe(large.shelf.bytes)
    for (const key of ['a', 'b', 'c']) worlds.of(key)
    expect(memory.bytes).toBe(large.shelf.bytes)
    const full = new FullError(`The mock is full: its animals may take ${2 * large.shelf.bytes} bytes`)
    worlds.of('a').store({ name: 'x'.repeat(3_000), categoryId: 1 })
    for (const key of ['new', 'a', 'b', undefined])
      expect(() => worlds.of(key).store({ name: 'x'.repeat(3_000), categoryId: 1 })).toThrowError(full)
    expect(worlds.of('b').store(pip)).toBe('{"id":2,"name":"Pip","categoryId":1}')
  })

  it('refuse a scenario that does not fit, and change nothing', () => {
    const memory = createMemory(large.shelf.bytes + zoo.shelf.bytes)
    const { worlds } = create(true, memory)
    worlds.load(large, 'a')
    const twin = { ...large }
    const refused = expect.objectContaining({ name: 'UsageError', status: 507, message: expect.stringMatching(/: \d+ bytes/) })
    expect(() => worlds.load(twin, 'b')).toThrowError(refused)
    expect(() => worlds.load(twin)).toThrowError(refused)
    expect([worlds.keys(), worlds.of().scenario]).toEqual([['a'], 'zoo'])
    // It takes the place of the one that was there.
    worlds.load(twin, 'a', true)
    expect([memory.bytes, worlds.past('a').size]).toEqual([memory.maxBytes, 0])
  })

  it('give back what their animals and their log took when they go, and only then', () => {
    const memory = createMemory()
    const { worlds, heard } = create(true, memory)
    const goes: [key: string, go: () => void][] = [
      ['a', () => worlds.remove('a')],
      ['c', () => worlds.load(zoo, 'c')],
      ['d', () => Array.from({ length: 256 }, (_, index) => worlds.of(`k${index}`))],
    ]
    for (const [key, go] of goes) {
      const { store, requestLog } = worlds.of(key)
      store(pip)
      requestLog.add(exchange())
      expect([memory.bytes > zoo.shelf.bytes, requestLog.requests().length]).toEqual([true, 1])
      go()
      requestLog.add(exchange())
      expect([memory.bytes, requestLog.requests()]).toEqual([zoo.shelf.bytes, []])
    }
    // Each is heard when it comes and when it goes.
    expect(heard.filter((key) => !key.startsWith('k'))).toEqual(['a', 'a', 'c', 'd', 'c', 'd'])
    for (const key of ['k7', undefined]) {
      const { requestLog } = worlds.of(key)
      requestLog.add(exchange())
      worlds.change(key, () => {})
      requestLog.add(exchange())
      expect(requestLog.requests()).toHaveLength(2)
    }
    // What a sandbox started from stays as long as one of them does.
    worlds.load(large, 'k7')
    worlds.load(large, 'k8')
    worlds.remove('k7')
    expect(memory.bytes).toBe(zoo.shelf.bytes + large.shelf.bytes)
    worlds.remove('k8')
    expect(memory.bytes).toBe(zoo.shelf.bytes)
  })

  it('are kept when they are replaced, three for each key', () => {
    const { worlds } = create()
    const addRow = (key: string) => worlds.of(key).requestLog.add(exchange())
    worlds.of('a').store(pip)
    worlds.load({ ...large }, 'a', true)
    addRow('a')
    for (let count = 0; count < 5; count++) {
      worlds.reset('b')
      addRow('b')
    }
    expect([[...worlds.past('a').keys()], [...worlds.past('b').keys()]]).toEqual([[1], [4, 5, 6]])
    expect([worlds.bringBack(1, 'a'), worlds.bringBack(1, 'a'), worlds.bringBack(4, 'x')]).toEqual([true, false, false])
    expect([worlds.of('a').catalogue.count().all, [...worlds.past('a').keys()]]).toEqual([2, [7]])
  })

  it('are at most 256, and the one that has been idle longest goes first; a look is no use, nor is a change that is refused', () => {
    const { worlds } = create()
    for (let index = 0; index < 256; index++) worlds.of(`k${index}`)
    worlds.of('k0')
    worlds.peek('k1')
    for (const key of ['k1', 'refused']) expect(() => worlds.change(key, () => expect.fail())).toThrow()
    worlds.of('one-more')
    expect([worlds.keys().length, worlds.keys()[0], worlds.keys().slice(-2)]).toEqual([256, 'k2', ['k0', 'one-more']])
  })

  it('that were replaced longest ago give way first, to a world or an animal for which there is no room', () => {
    const { worlds } = create(true, createMemory(7 * large.shelf.bytes))
    const load = (key: string | undefined, keeps: boolean) => worlds.load({ ...large }, key, keeps)
    for (const key of ['a', undefined]) load(key, false)
    for (const key of ['a', undefined, 'a', undefined]) {
      load(key, true)
      worlds.of(key).requestLog.add(change())
    }
    for (const [key, kept] of Object.entries({ b: '1 3 2 4', c: '3 2 4', d: '3 4' })) {
      load(key, true)
      expect([...worlds.past('a').keys(), ...worlds.past().keys()].join(' ')).toBe(kept)
    }
    worlds.of('d').store(pip)
    expect([worlds.past('a').size, worlds.past('b').size, worlds.past('nobody').size]).toEqual([0, 1, 0])
  })

  it('go on as they were saved, after the time since then, and are reset to their start', () => {
    const { worlds } = create()
    const world = worlds.of('a')
    const { requestLog, catalogue, faults } = world
    world.store(pip)
    world.clock.set('2030-01-01')
    faults.remove(faults.add({ operation: '*', status: 503 }).id)
    requestLog.add(exchange())
    const rows = requestLog.rows().map(requestLog.show)
    const settings = world.settings()
    worlds.of('b')
    worlds.resume(zoo, { settings, pets: catalogue.saved(), requestLog: rows, awayMs: 5_000 }, 'b')
    const resumed = worlds.of('b')
    expect(resumed.settings()).toEqual({ ...settings, now: '2030-01-01T00:00:05.000Z', lastFaultId: 1, clockWasTurned: true })
    expect([resumed.catalogue.count(), resumed.requestLog.oldestId, worlds.past('b').size]).toEqual([catalogue.count(), 1, 0])
    worlds.reset('b')
    expect(worlds.of('b').state()).toEqual(worlds.of().state())
  })
})
