import { describe, expect, it } from 'vitest'
import { createMock } from '../mock.ts'
import type { MockEvent } from './control.ts'

const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'sold' as const }
const list = { method: 'GET', target: '/v1/pets', header: (name: string) => (name === 'authorization' ? 'Bearer k' : undefined) }

describe('control', () => {
  it('sums a world up', () => {
    const { control } = createMock({ scenario: { name: 'zoo', pets: [rex, { ...rex, id: 2 }, { id: 3, name: 'Coco', categoryId: 1 }] } })
    expect(control.summary()).toEqual({ scenario: 'zoo', pets: 3, byStatus: { sold: 2 } })
  })

  it('hands nothing out that leads back into the world', () => {
    const { control } = createMock({ apiKeys: ['a'], faults: [{ operation: '*', delay: [1, 2] }] })
    const before = structuredClone(control.state())
    const given = [control.state(), { faults: control.faults.list() }] as unknown as Record<string, Record<string, unknown>>[]
    for (const part of given.flatMap(Object.values)) {
      if (typeof part === 'object') for (const key of Object.keys(part)) part[key] = 'changed'
    }
    for (const fault of control.faults.list()) (fault.delay as unknown as number[]).fill(9)
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
    expect(heard).toEqual(['exchange'])
    stop()
  })
})
