import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toCall } from '../../test/support/call.ts'
import { histories, play, printAll, settings, statesOf } from '../../test/support/histories.ts'
import { createMock, type Mock, type MockOptions } from '../mock/mock.ts'
import type { Fault } from '../world/faults.ts'
import type { OnwardOptions, OnwardRow, WhatIfChange } from './control.ts'

const RUNS = 60 * Number(process.env.RUNS_FACTOR ?? 1)

const busy: Fault = { id: 'busy', operation: 'createPet', status: 503, times: 1 }
const create = (name: string) => toCall('POST', '/v1/pets', { name, categoryId: 1 })
const get = (path: string) => toCall('GET', `/v1/pets${path}`)

function start(options: MockOptions = {}): Mock {
  const pets = [{ id: 1, name: 'Rex', categoryId: 1 }]
  return createMock({ pets, now: '2030-12-04', frozen: true, ...options })
}

function answerAll(mock: Mock, ...calls: readonly ReturnType<typeof toCall>[]): void {
  for (const call of calls) mock.answer(call)
}

const whatIf = (mock: Mock, id: number, change: WhatIfChange & Partial<OnwardOptions>) =>
  mock.control.whatIf(id, { ...change, onward: true })

/** `1: 503 → 201`, `4: reset to default`, each with its note. */
function print(rows: readonly OnwardRow[]): string[] {
  return rows.map((row) => {
    const note = row.note === null ? '' : ` (${row.note})`
    if (row.type === 'change') return `${row.id}: ${row.text}${note}`
    const body = row.differs?.body && row.differs.status === null ? ' other body' : ''
    return `${row.id}: ${row.was.status} → ${row.would?.status ?? 'unknown'}${body}${note}`
  })
}

describe('what if, onward', () => {
  it.each<[what: string, change: WhatIfChange]>([
    ['no change', {}],
    [
      'a change that no request can see',
      { with: [{ operation: 'getPet', petId: 77, status: 500 }] },
    ],
  ])('gives every request the response that it got with %s, and touches nothing', (_, change) => {
    fc.assert(
      fc.property(settings, histories(1, 60), fc.nat(10), (options, steps, skipped) => {
        const mock = play(options, steps)
        const before = printAll(mock)
        for (const state of statesOf(mock)) {
          const first = state.timeline({ waiting: true })[skipped]
          if (!first) continue
          const found = state.whatIf(first.id, { ...change, onward: true })
          expect(found.rows.filter((row) => row.type === 'request' && row.differs)).toEqual([])
          expect(found.after.pets).toEqual({ added: [], changed: [], removed: [] })
        }
        expect(printAll(mock)).toBe(before)
      }),
      { numRuns: RUNS },
    )
  })

  it('lists the later requests that would have noticed, and the state at the end', () => {
    const mock = start({ faults: [busy] })
    answerAll(mock, create('Mia'), get('/2'), create('Bo'), get('/2'), get('/1'))
    const found = whatIf(mock, 1, { without: 'faults' })
    expect(print(found.rows)).toEqual([
      '1: 503 → 201',
      '2: 404 → 200',
      '3: 201 → 201 other body',
      '4: 200 → 200 other body (animal 2 would be 3, which it asks for)',
    ])
    expect(found).toMatchObject({
      considered: 5,
      differing: 4,
      stoppedAt: null,
      after: {
        pets: {
          added: [{ id: 3, name: 'Bo' }],
          changed: [{ before: { name: 'Bo' }, after: { id: 2, name: 'Mia' } }],
          removed: [],
        },
        faults: { removed: [{ id: 'busy' }] },
      },
    })
    expect(whatIf(mock, 1, { without: 'faults', all: true }).rows).toHaveLength(5)
  })

  it('finds no animal that would not have been created, and calls an added fault what-if-1', () => {
    const mock = start()
    answerAll(mock, create('Mia'), create('Bo'), get('/2'), get('/3'))
    const found = whatIf(mock, 1, { with: [{ operation: 'createPet', status: 500, times: 1 }] })
    expect(print(found.rows)).toEqual([
      '1: 201 → 500',
      '2: 201 → 201 other body',
      '3: 200 → 404 (animal 2 would not have been created)',
      '4: 200 → 200 other body (animal 3 would be 2, which it asks for)',
    ])
    expect(found.rows[0]).toMatchObject({ would: { faults: ['what-if-1'] } })
    expect(found.after.faults.added).toMatchObject([{ id: 'what-if-1', seen: 2, applied: 1 }])
  })

  it('repeats the changes of a tester by what they changed', () => {
    const mock = start()
    mock.answer(get('/1'))
    mock.control.pets.update(1, { name: 'Max' })
    mock.control.pets.add({ name: 'Own', categoryId: 1 })
    mock.answer(get('/1'))
    const change: WhatIfChange = {
      pets: { 1: { status: 'sold' }, 2: { name: 'Zoe', categoryId: 3 } },
    }
    const { rows, after } = whatIf(mock, 1, change)
    expect(print(rows)).toEqual(['1: 200 → 200 other body', '4: 200 → 200 other body'])
    expect(rows[1]).toMatchObject({
      would: { response: { body: '{"id":1,"name":"Max","categoryId":1,"status":"sold"}' } },
    })
    expect(after.pets).toMatchObject({
      added: [{ id: 3, name: 'Own' }],
      changed: [{ after: { id: 1, name: 'Max', status: 'sold' } }, { after: { name: 'Zoe' } }],
    })
  })

  it('says which change is impossible there', () => {
    const mock = start()
    mock.control.pets.update(1, { status: 'pending' })
    mock.answer(get('/1'))
    mock.control.undo(1)
    mock.control.pets.update(1, { name: 'Max' })
    const undone = whatIf(mock, 2, { pets: { 1: { status: 'sold' } } })
    expect(undone.rows.at(-1)).toMatchObject({
      id: 3,
      note: 'impossible there: animal 1 has changed since row 1',
    })
    expect(undone.after.pets.changed).toMatchObject([{ after: { name: 'Max', status: 'sold' } }])
    const removed = whatIf(mock, 4, { pets: { 1: null } })
    expect(print(removed.rows)).toEqual([
      '4: animal 1: name Rex → Max (impossible there: animal 1 is not there)',
    ])
  })

  it('goes back in the imagined line, and meets the real one before it and at a reset', () => {
    const mock = start({ faults: [busy] })
    answerAll(mock, create('Mia'), get('/1'))
    mock.control.rewind(2)
    mock.answer(get('/2'))
    mock.control.rewind(1)
    mock.answer(get('/2'))
    mock.control.reset()
    mock.answer(get('/2'))
    const found = whatIf(mock, 1, { without: 'faults' })
    expect(print(found.rows)).toEqual([
      '1: 503 → 201',
      '4: 404 → 200',
      '7: reset to default (both lines meet again)',
    ])
    expect(found.after).toMatchObject({ pets: { added: [] }, faults: { removed: [] } })
    expect(print(whatIf(mock, 2, { pets: { 1: null } }).rows)).toEqual([
      '2: 200 → 404',
      '5: went back to before row 1 (both lines meet again)',
      '7: reset to default (both lines meet again)',
    ])
  })

  it('repeats what a request has changed whose body is not in the log', () => {
    const mock = start({ faults: [busy] })
    answerAll(mock, create('Mia'), create('x'.repeat(17_000)), get('/2'))
    expect(print(whatIf(mock, 1, { without: 'faults' }).rows)).toEqual([
      '1: 503 → 201',
      '2: 201 → unknown (it has a cut or binary body)',
      '3: 200 → 200 other body (animal 2 would be 3, which it asks for)',
    ])
  })

  it('counts on from what only the imagined line has seen', () => {
    const mock = start({
      faults: [
        { operation: 'createPet', status: 503 },
        { operation: 'createPet', status: 500, times: 1 },
      ],
    })
    answerAll(mock, create('Mia'), create('Bo'))
    expect(print(whatIf(mock, 1, { without: ['1'] }).rows)).toEqual([
      '1: 503 → 500',
      '2: 503 → 201',
    ])
  })

  it('is ahead of the recorded time until a tester sets the clock', () => {
    const mock = start()
    mock.answer(get('/1'))
    mock.control.clock.advance('1d')
    mock.answer(get('/1'))
    mock.control.clock.set('2030-12-01')
    mock.answer(get('/1'))
    const { rows, after } = whatIf(mock, 1, { at: '2030-12-05' })
    expect(print(rows)).toEqual(['3: 200 → 404'])
    expect(after.clock).toBeNull()
    expect(whatIf(mock, 3, { at: '2031-01-01' }).after.clock).toBeNull()
    expect(whatIf(mock, 5, { at: '2031-01-01' }).after.clock?.after.now).toMatch(/^2031-01-01/)
  })

  it('concerns one sandbox only', () => {
    const mock = createMock({ sandbox: true })
    mock.answer(toCall('GET', '/v1/pets', undefined, 'one-key'))
    mock.answer(toCall('GET', '/v1/pets', undefined, 'other-key'))
    mock.answer(toCall('GET', '/v1/pets/1', undefined, 'one-key'))
    const sandbox = mock.control.sandbox('one-key')
    const found = sandbox.whatIf(1, { onward: true, pets: { 1: null } })
    expect(print(found.rows)).toEqual(['1: 200 → 200 other body', '3: 200 → 404'])
    sandbox.makeReal(1, { pets: { 1: null } })
    expect(sandbox.pets.get(1)).toBeUndefined()
    expect(mock.control.sandbox('other-key').pets.get(1)).toBeDefined()
  })

  it('goes through a thousand rows, and says where it stopped', () => {
    const mock = start({ requestLog: { rows: 1_100 } })
    for (let count = 0; count < 1_002; count++) mock.answer(get('/1'))
    const found = whatIf(mock, 1, { pets: { 1: null } })
    expect(found).toMatchObject({ considered: 1_000, differing: 1_000, stoppedAt: 1_001 })
    expect(found.after.pets.removed).toMatchObject([{ id: 1 }])
    expect(() => mock.control.makeReal(1)).toThrow(expect.objectContaining({ status: 409 }))
  })

  it.each<[change: object, message: RegExp]>([
    [{ onward: true, alternatives: true }, /^alternatives: /],
    [{ all: true }, /^all: /],
    [{ onward: true, pets: { one: null } }, /^pets\.one: /],
    [{ onward: true, pets: { 9: null } }, /^Animal 9 /],
    [{ onward: true, pets: { 9: { name: 'Zoe' } } }, /^pets\.9\.categoryId /],
    [{ onward: true, with: [{ operation: 'getPet' }] }, /^with\[0\]: /],
    [{ onward: true, without: ['other'] }, /^Fault other /],
  ])('%j is refused', (change, message) => {
    const mock = start()
    mock.answer(get('/1'))
    expect(() => mock.control.whatIf(1, change as never)).toThrow(message)
  })
})

describe('make real', () => {
  it('brings the end of the imagined line, as one change that undo takes back', () => {
    const mock = start({ faults: [busy] })
    answerAll(mock, create('Mia'), create('Bo'))
    const before = mock.control.state()
    const row = mock.control.makeReal(1, { without: 'faults' })
    expect(row).toMatchObject({
      method: 'makeReal',
      text: 'made real: from row 1 on, without faults',
      isWhole: true,
      canUndo: true,
      backTo: 1,
    })
    const names = mock.control.pets.list().pets.map(({ name }) => name)
    expect([names, mock.control.faults.list()]).toEqual([['Rex', 'Mia', 'Bo'], []])
    mock.control.undo()
    expect(mock.control.state()).toEqual(before)
  })

  it('begins at a change too, but then with no other request', () => {
    const mock = start()
    mock.control.assume({ 'invalid-query': 'clamp' })
    mock.control.makeReal(1, { pets: { 1: { name: 'Max' } } })
    expect(mock.control.pets.get(1)).toMatchObject({ name: 'Max' })
    expect(() => mock.control.makeReal(1, { request: { body: '' } })).toThrow(/^request: /)
  })

  it('numbers the faults that it adds on', () => {
    const mock = start()
    mock.answer(get('/1'))
    const added: WhatIfChange = { with: [{ operation: 'getPet', status: 500 }] }
    mock.control.makeReal(1, added)
    mock.answer(get('/1'))
    mock.control.makeReal(3, added)
    expect(mock.control.faults.list().map(({ id }) => id)).toEqual(['what-if-1', 'what-if-2'])
  })
})
