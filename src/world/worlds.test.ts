import { describe, expect, it } from 'vitest'
import { parseScenario } from '../scenario/check.ts'
import { entryFormat } from '../service/entry-format.ts'
import { createMemory, FullError, type Memory } from './catalogue.ts'
import type { LogRow } from './log-entry.ts'
import { createRequestLogs } from './request-log.ts'
import type { World } from './world.ts'
import { createWorlds } from './worlds.ts'

const exchange = (): LogRow => ({
  id: 0,
  at: 0,
  realAt: 0,
  method: 'GET',
  target: '/v1/pets',
  operation: undefined,
  assumptions: [],
  faults: [],
  surprises: [],
  notes: [],
  error: undefined,
  problems: [],
  outcome: 'sent',
  durationMs: 0,
  key: undefined,
  fields: [],
  requestBody: '',
  status: 200,
  responseHeaders: {},
  responseBody: '',
})
const rex = { id: 1, name: 'Rex', categoryId: 1 }
const zoo = parseScenario({ name: 'zoo', pets: [rex] })
const empty = parseScenario({ name: 'empty' })
const pip = { name: 'Pip', categoryId: 1 }

const large = parseScenario({ name: 'large', pets: [{ id: 1, name: 'x'.repeat(5_000), categoryId: 1 }] })

function create(hasSandboxes = true, memory: Memory = createMemory()) {
  const worlds = createWorlds(zoo, hasSandboxes, { realTime: () => 0, memory, requestLogs: createRequestLogs(entryFormat) })
  const heard: string[] = []
  worlds.watch((key) => heard.push(key))
  return { worlds, heard }
}

describe('worlds', () => {
  it('close the request log of a world that goes, so that it takes no room of the others', () => {
    const { worlds } = create()
    const goes: [World, go: () => void][] = [
      [worlds.of('a'), () => worlds.remove('a')],
      [worlds.of('c'), () => worlds.load(empty, 'c')],
      [worlds.of('d'), () => Array.from({ length: 256 }, (_, index) => worlds.of(`k${index}`))],
    ]
    for (const [{ requestLog }, go] of goes) {
      requestLog.add(exchange())
      expect(requestLog.requests()).toHaveLength(1)
      go()
      requestLog.add(exchange())
      expect(requestLog.requests()).toEqual([])
    }
    for (const key of ['k7', undefined]) {
      const { requestLog } = worlds.of(key)
      requestLog.add(exchange())
      worlds.of(key)
      worlds.change(key, () => {})
      requestLog.add(exchange())
      expect(requestLog.requests()).toHaveLength(2)
    }
  })

  it('share their memory: animals that many of them start from count once, and what was added in each', () => {
    const memory = createMemory(2 * large.shelf.bytes)
    const { worlds } = create(true, memory)
    worlds.load(large)
    expect(memory.bytes).toBe(large.shelf.bytes)
    for (const key of ['a', 'b', 'c']) worlds.of(key)
    expect(memory.bytes).toBe(large.shelf.bytes)
    const full = new FullError(`The mock is full: its animals may take ${2 * large.shelf.bytes} bytes`)
    worlds.of('a').store({ name: 'x'.repeat(3_000), categoryId: 1 })
    for (const key of ['a', 'b', undefined])
      expect(() => worlds.of(key).store({ name: 'x'.repeat(3_000), categoryId: 1 })).toThrowError(full)
    expect(worlds.of('b').store(pip)).toBe('{"id":2,"name":"Pip","categoryId":1}')
  })

  it('refuse a scenario that does not fit, and change nothing', () => {
    const memory = createMemory(large.shelf.bytes + zoo.shelf.bytes)
    const { worlds } = create(true, memory)
    worlds.load(large, 'a')
    const twin = { ...large }
    const refused = expect.objectContaining({ name: 'UsageError', status: 507, message: expect.stringContaining('bytes too large') })
    expect(() => worlds.load(twin, 'b')).toThrowError(refused)
    expect(() => worlds.load(twin)).toThrowError(refused)
    expect([worlds.keys(), worlds.of().scenario]).toEqual([['a'], 'zoo'])
    // It takes the place of the one that was there.
    worlds.load(twin, 'a')
    expect(memory.bytes).toBe(memory.maxBytes)
  })

  it('give back what they took when they go', () => {
    const memory = createMemory()
    const { worlds } = create(true, memory)
    const goes: [key: string | undefined, go: () => void][] = [
      ['a', () => worlds.remove('a')],
      ['c', () => worlds.load(zoo, 'c')],
      ['d', () => Array.from({ length: 256 }, (_, index) => worlds.of(`k${index}`))],
    ]
    for (const [key, go] of goes) {
      worlds.of(key).store(pip)
      expect(memory.bytes).toBeGreaterThan(zoo.shelf.bytes)
      go()
      expect(memory.bytes).toBe(zoo.shelf.bytes)
    }
    // What a sandbox started from stays as long as one of them does.
    worlds.load(large, 'k7')
    worlds.load(large, 'k8')
    worlds.remove('k7')
    expect(memory.bytes).toBe(zoo.shelf.bytes + large.shelf.bytes)
    worlds.remove('k8')
    expect(memory.bytes).toBe(zoo.shelf.bytes)
  })

  it('are kept when they are replaced, three for each key, until there is no room', () => {
    const memory = createMemory(zoo.shelf.bytes + 3 * large.shelf.bytes + 2_000)
    const { worlds } = create(true, memory)
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
    addRow('a')
    worlds.load({ ...large }, 'c')
    worlds.load({ ...large }, 'd')
    expect(worlds.past('a').size).toBe(1)
    // The oldest give way, also to an animal.
    worlds.of('d').store({ name: 'x'.repeat(5_000), categoryId: 1 })
    expect([worlds.past('a').size, worlds.past('b').size]).toEqual([0, 0])
    expect(() => worlds.load({ ...large }, 'e', true)).toThrowError(expect.objectContaining({ status: 507 }))
  })
})
