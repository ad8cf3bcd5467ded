import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { version } from '../generated/version.ts'
import { createMock } from '../mock/mock.ts'
import type { MockEvent, RequestFilter } from './control.ts'

const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' as const }
const list = { method: 'GET', target: '/v1/pets', header: (name: string) => (name === 'authorization' ? 'Bearer k' : undefined) }

describe('control', () => {
  it('sums a world up', () => {
    const { control } = createMock({ scenario: { name: 'zoo', pets: [rex, { ...rex, id: 2 }, { id: 3, name: 'Coco', categoryId: 1 }] } })
    expect(control.summary()).toEqual({ version, scenario: 'zoo', pets: 3, byStatus: { sold: 2 } })
  })

  it('hands nothing out that leads back into the world', () => {
    const { control } = createMock({ apiKeys: ['a'], faults: [{ operation: '*', delay: [1, 2] }] })
    const before = structuredClone(control.state())
    const given = [control.state(), { faults: control.faults.list() }] as unknown as Record<string, Record<string, unknown>>[]
    for (const part of given.flatMap(Object.values)) {
      if (typeof part === 'object') for (const key of Object.keys(part)) part[key] = 'changed'
    }
    for (const fault of control.faults.list()) expect(Object.isFrozen(fault.delay)).toBe(true)
    expect(control.state()).toEqual(before)
  })

  it('takes nothing in that leads out of it', () => {
    const fault = { operation: '*' as const, delay: [1, 2] as [number, number] }
    const { control } = createMock({ faults: [fault] })
    control.faults.add(fault)
    fault.delay[0] = 9
    expect(control.faults.list().map(({ delay }) => delay)).toEqual([
      [1, 2],
      [1, 2],
    ])
  })

  it('lists animals that are equal in the order of their ids, in either direction', () => {
    const { control } = createMock({ pets: [rex, { ...rex, id: 2 }] })
    control.pets.add({ name: 'Rex', categoryId: 1 })
    control.pets.update(1, { categoryId: 2 })
    control.pets.update(2, { categoryId: 2 })
    const idsOf = (sort: 'name' | '-name') => control.pets.list({ sort, changed: true }).pets.map(({ id }) => id)
    expect([idsOf('name'), idsOf('-name')]).toEqual([
      [1, 2, 3],
      [3, 2, 1],
    ])
  })

  it('leaves a field of an animal as it is if its change is undefined', () => {
    const { control } = createMock({ pets: [rex] })
    expect(control.pets.update(1, { name: undefined, status: 'sold' } as never)).toEqual({ ...rex, status: 'sold' })
  })

  it('takes the bytes of another realm for bytes', () => {
    const { answer } = createMock({ pets: [] })
    const headers: Record<string, string> = { authorization: 'Bearer k', 'content-type': 'application/json' }
    const body = runInNewContext('Uint8Array.from(text, (character) => character.charCodeAt(0))', { text: '{"name":"Pip","categoryId":1}' })
    expect(body).not.toBeInstanceOf(Uint8Array)
    expect(answer({ method: 'POST', target: '/v1/pets', header: (name) => headers[name], body }).status).toBe(201)
  })

  it('takes a fault for the same that was given again, whatever the order of its fields', () => {
    const { control } = createMock({ faults: [{ operation: '*', status: 500, rate: 0.5, times: 2, id: 'a' }] })
    control.faults.remove('a')
    expect(control.diff().faults.removed).toHaveLength(1)
    control.faults.add({ id: 'a', times: 2, rate: 0.5, status: 500, operation: '*' })
    expect(control.diff().faults).toEqual({ added: [], removed: [] })
  })

  it('stops the clock by default, and lets it run when told to', () => {
    const { control } = createMock({ now: '2026-11-15' })
    control.clock.freeze()
    expect(control.clock.get().frozen).toBe(true)
    control.clock.freeze(false)
    expect(control.clock.get().frozen).toBe(false)
  })

  it('takes a choice that is undefined for none', () => {
    const { control } = createMock({ assume: { 'list-order': 'newest-first' } })
    control.assume({ 'list-order': undefined } as never)
    expect(control.state().assume?.['list-order']).toBe('newest-first')
  })

  it('keeps the ids of faults over a snapshot, and never gives one out twice', () => {
    const { control } = createMock()
    for (let count = 0; count < 3; count++) control.faults.add({ operation: '*', status: 500 })
    control.faults.remove('2')
    control.load(control.state())
    expect(control.faults.list().map(({ id }) => id)).toEqual(['1', '3'])
    expect(control.faults.add({ operation: '*', status: 500 }).id).toBe('4')
    const twins = ['a', '1', 'a'].map((id) => ({ operation: '*' as const, status: 500, id }))
    expect(() => control.load({ faults: twins })).toThrow('faults[2].id: duplicate id "a" (also faults[0])')
    expect(control.faults.list().map(({ id }) => id)).toEqual(['1', '3', '4'])
  })

  it('reports a request when its response is delayed, and again when it ends', async () => {
    const { control, answer } = createMock({ pets: [rex], latency: 5 })
    const heard: unknown[] = []
    control.subscribe((event) => heard.push('entry' in event ? [event.type, event.entry.id, event.entry.outcome] : event))
    const { settle } = answer({ ...list, reportsOutcome: true })
    await Promise.resolve()
    expect(heard).toEqual([['begin', 1, 'waiting']])
    settle?.('sent')
    await Promise.resolve()
    expect(heard.slice(1)).toEqual([['request', 1, 'sent']])
  })

  it('lists delayed requests with the others if asked to, until their state is replaced', () => {
    const { control, answer } = createMock({ sandbox: true })
    const ask = (key: string) =>
      answer({ ...list, header: (name) => (name === 'authorization' ? `Bearer ${key}` : undefined), reportsOutcome: true })
    for (const key of ['a', 'b']) control.sandbox(key).latency.set(5)
    const { settle } = ask('a')
    ask('b')
    ask('a')
    const show = (filter: RequestFilter) => control.requests({ ...filter, sandbox: '*' }).map(({ id, outcome }) => `${id} ${outcome}`)
    settle?.('sent')
    expect(show({})).toEqual(['3 sent'])
    expect(show({ waiting: true })).toEqual(['3 sent', '4 waiting', '5 waiting'])
    expect(show({ waiting: true, limit: 1 })).toEqual(['5 waiting'])
    expect(show({ waiting: true, status: 200 })).toEqual(['3 sent'])
    expect(control.sandbox('b').requests({ waiting: true })).toHaveLength(1)
    control.sandbox('a').reset()
    expect(show({ waiting: true })).toEqual(['4 waiting'])
  })

  it('tells every listener of an event, even after one that throws, and answers all the same', async () => {
    const { control, answer } = createMock({ pets: [rex] })
    const heard: MockEvent['type'][] = []
    const uncaught = new Promise((resolve) => {
      const own = process.listeners('uncaughtException')
      process.removeAllListeners('uncaughtException')
      process.once('uncaughtException', (error) => {
        for (const listener of own) process.on('uncaughtException', listener)
        resolve(error)
      })
    })
    const error = new Error('of the listener')
    const stop = control.subscribe(() => {
      throw error
    })
    control.subscribe(({ type }) => heard.push(type))
    expect(answer(list).status).toBe(200)
    expect(await uncaught).toBe(error)
    expect(heard).toEqual(['request'])
    stop()
  })
})
