import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../world/journal-entry.ts'
import { describeCount, toExchangeScenario, toLine } from './scenario-draft.ts'

const entry = { method: 'POST', target: '/v1/pets', status: 503, operation: 'createPet', faults: ['1'] } as unknown as JournalEntry

describe('toExchangeScenario', () => {
  it('keeps a fault that is still there', () => {
    const faults = [{ id: '1', operation: 'createPet', status: 503 }] as const
    expect(toExchangeScenario(entry, { name: 'zoo', pets: [], faults })).toEqual({
      name: 'createPet-503',
      description: 'POST /v1/pets gets 503',
      pets: [],
      faults,
    })
  })

  it('lets a fault that struck the request strike the next one for certain, and changes no other', () => {
    const other = { id: '2', operation: 'createPet', status: 500, times: 1, seen: 2, applied: 1 } as const
    const faults = [other, { id: '1', operation: '*', status: 503, times: 1, after: 3, rate: 0.5, seen: 5, applied: 1 }] as const
    expect(toExchangeScenario(entry, { faults }).faults).toEqual([{ id: '1', operation: '*', status: 503, times: 1 }, other])
  })

  it.each<[Partial<JournalEntry>, object[]]>([
    [{ faults: ['1'] }, [{ operation: 'createPet', status: 503 }]],
    [{ faults: ['Prefer'], status: 0 }, [{ operation: 'createPet', drop: true }]],
  ])('puts back one that is gone: %j', (part, faults) => {
    expect(toExchangeScenario({ ...entry, ...part }, {}).faults).toEqual(faults)
  })

  it.each<Partial<JournalEntry>>([
    { faults: [], status: 400 },
    { faults: ['2'], status: 200 },
    { faults: ['1'], operation: null },
  ])('adds none where none is needed: %j', (part) => {
    expect(toExchangeScenario({ ...entry, ...part }, {}).faults).toBeUndefined()
  })
})

describe('toLine', () => {
  it.each([
    ['a:b.yaml:12 pets[3].status: expected sold', 12],
    ['a:b.yaml: unexpected end at line 3, column 11', 3],
    ['a:b.yaml: expected at most 5 bytes', undefined],
    ['and 3 more', undefined],
  ])('finds the line of %j', (problem, line) => {
    expect(toLine(problem, 'a:b.yaml')).toBe(line)
  })
})

it.each([
  [['a'], '1 problem'],
  [['a', 'b'], '2 problems'],
  [['a', 'b', 'and 500 more'], '502 problems, the first 2 shown'],
  [['a', 'and at least 5900 more'], 'At least 5,901 problems, the first 1 shown'],
])('%j are %s', (problems, text) => {
  expect(describeCount(problems)).toBe(text)
})
