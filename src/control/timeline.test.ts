import { describe, expect, it } from 'vitest'
import { toCall } from '../../test/support/call.ts'
import { createEngine, createMock, type Mock, type MockOptions } from '../mock/mock.ts'
import { openOptions } from '../mock/mock-options.ts'
import { scenarios } from '../scenario/shipped.ts'
import { methods } from './methods.ts'

const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'available' } as const
const start = (options: MockOptions = {}) =>
  createMock({ pets: [rex], now: '2030-01-01', frozen: true, ...options })
const create = ({ answer }: Mock, name = 'Mia', key?: string) =>
  answer(toCall('POST', '/v1/pets', { name, categoryId: 1 }, key))
const list = ({ answer }: Mock, key?: string) => answer(toCall('GET', '/v1/pets', undefined, key))
const names = ({ control }: Mock) => control.pets.list().pets.map(({ name }) => name)
const refused = (status: number) => expect.objectContaining({ name: 'UsageError', status })

describe('the timeline', () => {
  it('dates a change of the clock by the time before it, which the state before it has too', () => {
    const { control } = start()
    control.clock.set('2031-01-01')
    expect(control.timeline()).toMatchObject([{ at: '2030-01-01T00:00:00.000Z' }])
    expect(control.state({ before: 1 }).now).toBe('2030-01-01T00:00:00.000Z')
  })

  it('of all sandboxes together shows the last thousand rows, or as many as you ask for', () => {
    const mock = start({ sandbox: true })
    for (let index = 0; index < 1_001; index++) list(mock, index % 2 ? 'a-key' : 'b-key')
    expect(mock.control.timeline({ sandbox: '*' }).map(({ id }) => id)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index + 2),
    )
    expect(mock.control.requests({ sandbox: '*', limit: 2_000 })).toHaveLength(1_001)
  })

  it('has requests and changes in one sequence of ids', () => {
    const mock = start()
    const { control } = mock
    list(mock)
    control.faults.add({ operation: 'createPet', status: 503, times: 2 })
    create(mock)
    control.assume({ 'invalid-query': 'clamp' })
    control.pets.update(1, { status: 'sold' })
    control.latency.set(200)
    control.clock.advance('P1D')
    control.load({ ...scenarios['sold-out'] })
    expect(control.requests()).toEqual([])
    control.undo()
    const rows = control
      .timeline()
      .map((row) =>
        row.type === 'request' ? [row.id, row.method, row.status] : [row.id, row.changed],
      )
    expect(rows).toEqual([
      [1, 'GET', 200],
      [2, [{ kind: 'fault', id: '1' }]],
      [3, 'POST', 503],
      [4, [{ kind: 'choice', id: 'invalid-query' }]],
      [5, [{ kind: 'pet', id: '1' }]],
      [6, [{ kind: 'latency', id: '' }]],
      [7, [{ kind: 'clock', id: '' }]],
      [8, []],
      [9, []],
    ])
    expect(control.timeline({ limit: 2 }).map(({ id }) => id)).toEqual([8, 9])
    expect(control.timeline({ status: 503 }).map(({ id }) => id)).toEqual([3])
    expect(control.timeline().flatMap((row) => (row.type === 'request' ? [row.json] : []))).toEqual(
      [undefined, { name: 'Mia', categoryId: 1 }],
    )
  })

  it('has a sentence for each change', async () => {
    const mock = start({ sandbox: true })
    const { control } = mock
    control.faults.add({ operation: 'createPet', status: 503, times: 2 })
    control.faults.remove('1')
    control.assume({ 'invalid-query': 'clamp' })
    control.pets.update(1, {
      status: 'sold',
      name: 'A name that is longer than anybody would like to read',
    })
    control.pets.update(1, { status: null })
    control.pets.add({ name: 'Bo', categoryId: 1 })
    control.pets.remove(1)
    control.latency.set(200)
    control.latency.set([200, 800])
    control.latency.set(null)
    control.clock.set('2030-01-01')
    control.clock.advance('P1D')
    control.clock.freeze(false)
    control.clock.set('2031-01-01')
    control.clock.set('2032-01-01', { frozen: true })
    control.clock.set('2033-01-01', { frozen: false })
    control.clock.set(null)
    for (const operation of ['listPets', 'getPet', 'createPet', '*'] as const)
      control.faults.add({ operation, drop: true })
    control.faults.clear()
    control.rewind(2)
    control.undo()
    control.undo(control.timeline().at(-1)?.id)
    control.assume({
      'invalid-query': 'clamp',
      'list-order': 'newest-first',
      'error-codes': 'snake',
      'media-type': 'unsupported',
    })
    control.assume({
      'invalid-query': 'reject',
      'list-order': 'oldest-first',
      'media-type': 'bad-request',
    })
    list(mock, 'a-long-key')
    control.removeSandbox('a-long-key')
    const before = control.timeline()
    control.clearRequests()
    control.load(scenarios['sold-out'])
    control.reset()
    const rows = [...before, ...control.timeline()]
    const lines = rows.map((row) =>
      row.type === 'change' ? `${row.method}: ${row.text}` : row.target,
    )
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('changes.golden.txt')
  })

  it('lets a fault count again after a rewind, and after it was added again, which is a change', () => {
    const fault = { operation: 'createPet', status: 503, times: 1, id: 'a b' } as const
    const mock = start({ faults: [fault] })
    create(mock)
    mock.control.rewind(1)
    expect([create(mock).status, create(mock).status]).toEqual([503, 201])
    mock.control.faults.add(fault)
    expect(mock.control.timeline().at(-1)).toMatchObject({
      changed: [{ kind: 'fault', id: 'a b' }],
    })
    expect(create(mock).status).toBe(503)
    mock.control.undo()
    expect([create(mock).status, mock.control.diff().faults]).toEqual([
      201,
      { added: [], removed: [] },
    ])
    const used = [
      { before: { ...fault, seen: 0, applied: 0 }, after: { ...fault, seen: 2, applied: 1 } },
    ]
    expect(mock.control.diff({ since: 1, before: 5 }).faults).toEqual({
      added: [],
      removed: [],
      used,
    })
  })

  it('has no row for what changes nothing', () => {
    const { control } = start({ sandbox: true })
    const sandbox = control.sandbox('a-key')
    control.assume({ 'invalid-query': 'reject' })
    control.faults.clear()
    control.latency.set(null)
    control.pets.update(1, { name: 'Rex', status: undefined as never })
    expect([sandbox.pets.remove(9), sandbox.faults.remove('x'), control.sandboxes()]).toEqual([
      false,
      false,
      [],
    ])
    expect(() => control.pets.update(9, {})).toThrow(refused(404))
    expect(control.timeline()).toEqual([])
  })

  it('has a row for every method that changes something, as an event too', async () => {
    const mock = start({ sandbox: true })
    const { control } = mock
    const heard: string[] = []
    control.subscribe((event) => event.type === 'change' && heard.push(event.row.method))
    create(mock, 'Mia', 'a-key')
    const recording = control.recording({ sandbox: '*' })
    const calls: Record<string, () => unknown> = {
      'pets.add': () => control.pets.add({ name: 'Bo', categoryId: 1 }),
      'pets.update': () => control.pets.update(1, { name: 'Max' }),
      'pets.remove': () => control.pets.remove(1),
      'faults.add': () => control.faults.add({ operation: '*', status: 500 }),
      'faults.remove': () => control.faults.remove('1'),
      'faults.clear': () =>
        control.faults.add({ operation: '*', status: 500 }) && control.faults.clear(),
      'clock.set': () => control.clock.set('2031-01-01'),
      'clock.advance': () => control.clock.advance('P1D'),
      'clock.freeze': () => control.clock.freeze(false),
      'latency.set': () => control.latency.set(1),
      'keys.set': () => control.keys.set(['qa-key-1']),
      assume: () => control.assume({ 'invalid-query': 'clamp' }),
      undo: () => control.undo(),
      rewind: () => control.rewind(control.timeline().at(-1)?.id ?? 0),
      makeReal: () => control.makeReal(control.timeline().at(-1)?.id ?? 0),
      removeSandbox: () => control.removeSandbox('a-key'),
      clearRequests: () => control.clearRequests(),
      load: () => control.load({ pets: [] }),
      reset: () => control.reset(),
      openRecording: () => control.openRecording(recording),
    }
    // A release changes no state.
    const changing = Object.entries(methods).filter(
      ([name, { isWrite }]) => isWrite && name !== 'release',
    )
    expect(Object.keys(calls).sort()).toEqual(changing.map(([name]) => name).sort())
    for (const [name, run] of Object.entries(calls)) {
      await run()
      expect(control.timeline().at(-1)).toMatchObject({ type: 'change', method: name })
    }
    await Promise.resolve()
    expect(heard).toEqual(expect.arrayContaining(Object.keys(calls)))
  })
})

describe('which change stands', () => {
  /** Each change by its id: `-` if it is undone, `!` if it can be undone. */
  const standing = ({ control }: Mock) =>
    control
      .timeline()
      .flatMap((row) =>
        row.type === 'change' ? `${row.id}${row.isUndone ? '-' : ''}${row.canUndo ? '!' : ''}` : [],
      )

  it('cannot be undone before a change that replaced the whole state since, unless that is undone', () => {
    const mock = start()
    const { control } = mock
    control.latency.set(1)
    control.reset()
    control.latency.set(2)
    expect(standing(mock)).toEqual(['1', '2!', '3!'])
    control.undo(2)
    expect(standing(mock)).toEqual(['1!', '2-', '3', '4!'])
    expect(() => control.undo(2)).toThrow(/^Row 2 /)
    expect(() => control.undo(3)).toThrow(/^Row 4 /)
    expect(control.undo()).toMatchObject({ undoes: 1 })
    control.rewind(1)
    expect(standing(mock)).toEqual(['1', '2', '3', '4', '5', '6!'])
  })

  it.each([
    ['as it did before the row of a rewind', 'set, undo 1, rewind 2', '1! 2- 3!'],
    [
      'not if it did not before the row of a rewind',
      'set, undo 1, undo 2, rewind 3',
      '1- 2! 3- 4!',
    ],
    [
      'not if a rewind goes back to after a reset',
      'set, reset, set, undo 2, rewind 4',
      '1 2! 3! 4- 5!',
    ],
    ['not if it was undone before a reset', 'set, undo 1, reset', '1- 2 3!'],
    ['not if it is undone after its redo', 'set, undo 1, undo 2, undo 1', '1- 2! 3- 4!'],
    [
      'if a redo brings it back, but not if the undo came before it',
      'reset, set, undo 1, set, undo 3',
      '1! 2! 3- 4 5!',
    ],
  ])('stands %s', (_, steps, expected) => {
    const mock = start()
    for (const step of steps.split(', ')) {
      const [name, id] = step.split(' ') as ['undo' | 'set', string?]
      if (name === 'set') mock.control.latency.set(5)
      else mock.control.call(name, id ? { id: Number(id) } : {})
    }
    expect(standing(mock).join(' ')).toBe(expected)
  })

  it('can be undone after a rewind to a later row, and after one that left a load behind', () => {
    const mock = start()
    mock.control.latency.set(1)
    list(mock)
    mock.control.load({ pets: [] })
    mock.control.rewind(2)
    expect(standing(mock)).toEqual(['1!', '3', '4!'])
    mock.control.undo(1)
    expect([mock.control.latency.get(), names(mock)]).toEqual([null, ['Rex']])
  })

  it('cannot be undone if it changed no state, or the state before it is gone', () => {
    const mock = start({ sandbox: true })
    list(mock, 'a-key')
    mock.control.removeSandbox('a-key')
    expect(standing(mock)).toEqual(['2'])
    const { control } = createMock({ pets: [rex], requestLog: { rows: 0 } })
    const rows: unknown[] = []
    control.subscribe((event) => event.type === 'change' && rows.push(event.row.canUndo))
    control.latency.set(1)
    return Promise.resolve().then(() => expect(rows).toEqual([false]))
  })

  it('is decided again after an event whose row undoes another, or names nothing that it changed', async () => {
    const mock = start()
    const { control } = mock
    let known: string[] = []
    let reads = 0
    control.subscribe((event) => {
      if (event.type !== 'change') return
      const { id, canUndo, isUndone, undoes, changed } = event.row
      const isEarlier = undoes !== null || changed.length === 0
      if (isEarlier) reads++
      known = isEarlier
        ? standing(mock)
        : [...known, `${id}${isUndone ? '-' : ''}${canUndo ? '!' : ''}`]
    })
    const steps = [
      () => control.latency.set(1),
      () => control.undo(),
      () => control.undo(2),
      () => control.latency.set(3),
      control.reset,
    ]
    for (const step of [...steps, () => control.undo(), () => control.rewind(2)]) {
      step()
      await Promise.resolve()
      expect(known).toEqual(standing(mock))
    }
    expect(reads).toBe(5)
  })
})

describe('undo', () => {
  it('takes back the last change that stands, and leaves what happened since', () => {
    const mock = start()
    const { control } = mock
    control.pets.update(1, { status: 'sold' })
    control.assume({ 'default-status': 'pending' })
    create(mock)
    expect(control.undo()).toMatchObject({ id: 4, method: 'undo', undoes: 2, isUndo: true })
    expect(control.undo()).toMatchObject({ id: 5, undoes: 1 })
    expect(() => control.undo()).toThrow(refused(409))
    expect(() => control.undo()).not.toThrow(/undefined/)
    expect(control.pets.list().pets).toEqual([
      rex,
      { id: 2, name: 'Mia', categoryId: 1, status: 'pending' },
    ])
    expect(control.undo(4)).toMatchObject({ undoes: 4, isUndo: false })
    expect(control.state().assume?.['default-status']).toBe('pending')
  })

  it('takes an animal back that was added by hand, and never gives its id out again', () => {
    const mock = start()
    mock.control.pets.add({ name: 'Bo', categoryId: 1 })
    create(mock)
    mock.control.undo()
    expect(names(mock)).toEqual(['Rex', 'Mia'])
    expect(JSON.parse(create(mock).body).id).toBe(4)
    mock.control.undo(3)
    expect(names(mock)).toEqual(['Rex', 'Bo', 'Mia', 'Mia'])
  })

  it('refuses if something else has changed the same since, and names it', () => {
    const { control } = start()
    control.assume({ 'list-order': 'newest-first', 'invalid-query': 'clamp' })
    control.assume({ 'list-order': 'oldest-first' })
    const before = control.state()
    expect(() => control.undo(1)).toThrow(/choice list-order/)
    expect(() => control.undo(1)).toThrow(refused(409))
    expect(control.state()).toEqual(before)
    control.pets.update(1, { name: 'Bo' })
    control.pets.update(1, { name: 'Max' })
    expect(() => control.undo(3)).toThrow(/^animal 1 has changed since row 3 \(row 4: /)
    control.pets.update(1, { name: 'Bo' })
    expect(() => control.undo(3)).toThrow(/^animal 1 has changed since row 3 \(row 5: /)
    control.undo(5)
    // Not the undo, which would only bring the name back.
    expect(() => control.undo(3)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ row: 4 })] }),
    )
    control.undo(2)
    control.undo(1)
    expect(control.diff().assume).toEqual([])
  })

  it.each(['reset', 'load'] as const)(
    'brings back the whole state after a %s, and the other way round',
    (how) => {
      const mock = start()
      const { control } = mock
      create(mock)
      control.faults.add({ operation: 'getPet', status: 503 })
      const before = control.state()
      if (how === 'reset') control.reset()
      else control.load(scenarios['sold-out'])
      const after = control.state()
      const { nextId } = control.state({ pets: false })
      list(mock)
      expect(control.undo()).toMatchObject({ undoes: 3 })
      expect(control.state()).toEqual(before)
      control.undo(5)
      expect([control.state(), control.timeline().map(({ id }) => id)]).toEqual([
        after,
        [1, 2, 3, 4, 5, 6],
      ])
      expect(JSON.parse(create(mock).body).id).toBe(nextId)
    },
  )

  it.each([
    ['a request', 1, 409],
    ['an unknown row', 99, 404],
    ['a clear of the request log', 2, 409],
    ['what is not an id', 0, 400],
  ])('refuses %s', (_, id, status) => {
    const mock = start()
    list(mock)
    mock.control.clearRequests()
    create(mock)
    if (id === 1) expect(() => mock.control.undo(3)).toThrow(refused(409))
    expect(() => mock.control.undo(id)).toThrow(refused(status))
  })
})

describe('an opened recording', () => {
  const read = (mock: Mock) => mock.control.recording({ sandbox: '*' })

  it('has the name of its file, if that is given', async () => {
    const { control } = start()
    const text = read(start())
    await control.openRecording(text)
    expect(control.summary().recording?.file).toBe('recording.jsonl')
    await control.openRecording(text, { file: 'run.jsonl' })
    expect(control.summary().recording?.file).toBe('run.jsonl')
  })

  it('stops the clock at the moment of a row that you go back to', async () => {
    const running = createMock({ pets: [rex] })
    list(running)
    const { control } = start()
    await control.openRecording(read(running))
    control.clock.freeze(false)
    control.rewind(1)
    expect(control.clock.get()).toEqual({ now: control.timeline()[0]?.at, frozen: true })
  })

  it('is refused where states are stored', async () => {
    const text = read(start())
    const stored = start({ storage: { getItem: () => null, setItem: () => {} } })
    const host = createEngine(openOptions('createMock', {}), {
      sandboxes: { keys: () => [], remove: () => false },
    })
    for (const { control } of [stored, host.mock])
      await expect(control.openRecording(text)).rejects.toThrow(refused(400))
  })
})

describe('rewind', () => {
  it('can be undone as a whole', () => {
    const mock = start()
    create(mock, 'Mia')
    mock.control.rewind(1)
    expect(names(mock)).toEqual(['Rex'])
    expect(() => mock.control.rewind(9)).toThrow(refused(404))
    expect(mock.control.undo()).toMatchObject({ undoes: 2 })
    create(mock, 'Bo')
    expect(names(mock)).toEqual(['Rex', 'Mia', 'Bo'])
    mock.control.rewind(1)
    create(mock, 'Cy')
    mock.control.undo()
    expect(names(mock)).toEqual(['Rex', 'Mia', 'Bo'])
  })

  it('leaves responses that are decided as they are', () => {
    const mock = start({ latency: 50 })
    const reply = mock.answer({
      ...toCall('POST', '/v1/pets', { name: 'Late', categoryId: 1 }),
      reportsOutcome: true,
    })
    mock.control.rewind(1)
    expect([reply.status, names(mock)]).toEqual([201, ['Rex']])
    reply.settle?.('sent')
    expect(mock.control.requests()).toMatchObject([{ id: 1, status: 201, outcome: 'sent' }])
  })

  it('touches no other sandbox, and names that of a row', () => {
    const mock = start({ sandbox: true })
    create(mock, 'Mia', 'a-key')
    create(mock, 'Bo', 'b-key')
    expect(() => mock.control.sandbox('a-key').rewind(2)).toThrow(/b-key/)
    expect(() => mock.control.sandbox('a-key').rewind(2)).toThrow(refused(409))
    mock.control.sandbox('a-key').rewind(1)
    expect(['a-key', 'b-key'].map((key) => mock.control.sandbox(key).summary().pets)).toEqual([
      1, 2,
    ])
  })

  it.each(['undo', 'rewind'] as const)(
    'of a load that creates a sandbox, %s brings back what the sandbox would have been',
    (way) => {
      const sandbox = start({ sandbox: true }).control.sandbox('a-key')
      sandbox.load({ pets: [] })
      sandbox[way](sandbox.timeline()[0]?.id as number)
      expect(sandbox.summary().pets).toBe(1)
      sandbox.undo(sandbox.timeline().at(-1)?.id)
      expect(sandbox.summary().pets).toBe(0)
    },
  )
})

describe('the state before a row', () => {
  it('is a scenario with its moment, frozen, and without API keys, which it says', () => {
    const mock = start({ apiKeys: ['any-key'], frozen: false })
    create(mock)
    mock.control.faults.add({ operation: 'listPets', status: 503, times: 1 })
    list(mock)
    mock.control.clock.set('2035-01-01')
    const state = mock.control.state({ before: 3 })
    expect(state).toMatchObject({ frozen: true, pets: [rex, { id: 2 }], faults: [{ id: '1' }] })
    expect(state.now?.slice(0, 10)).toBe('2030-01-01')
    expect(state).not.toHaveProperty('apiKeys')
    const again = createMock({ scenario: state })
    expect(list(again)).toMatchObject({ status: 503 })
    expect(mock.control.state({ before: 1, pets: false })).not.toHaveProperty('pets')
  })

  it.each<[options: MockOptions, isSame: boolean]>([
    [{}, true],
    [{ apiKeys: ['any-key'], assume: { 'valid-keys': 'any' } }, false],
    [{ assume: { 'valid-keys': 'listed' } }, false],
  ])('with %j is described by its row alone: %s', (options, isSame) => {
    const mock = start(options)
    list(mock)
    const { description, assume } = mock.control.state({ before: 1 })
    expect([description === 'Before row 1', assume]).toEqual([isSame, undefined])
  })

  it('differs from the scenario by the clock of then', () => {
    const { control } = start()
    control.clock.set('2031-01-01', { frozen: false })
    control.latency.set(1)
    control.clock.set(null)
    control.latency.set(2)
    const now = control.timeline()[1]?.at
    const [before, first, second] = [
      { now: '2030-01-01T00:00:00.000Z', frozen: true },
      { now, frozen: false },
      { now: null, frozen: false },
    ]
    const clocks = [1, 2, 4].map((row) => control.diff({ before: row }).clock)
    expect(clocks).toEqual([null, { before, after: first }, { before, after: second }])
  })

  it('differs from the state before another row', () => {
    const { control } = start()
    control.latency.set(1)
    control.pets.remove(1)
    control.latency.set(2)
    const { latency, pets, clock } = control.diff({ since: 2, before: 3 })
    expect([latency, pets.removed.length, clock]).toEqual([null, 1, null])
    expect(control.diff({ since: 2 }).latency).toEqual({ before: 1, after: 2 })
    control.reset()
    control.reset()
    expect(control.diff({ since: 4 }).clock).toBeNull()
    expect(control.diff({ since: 3, before: 2 }).pets.added).toHaveLength(1)
  })

  it('has the counts of then: calls that surprises saw, and those of a fault that came back', () => {
    const surprised = start({ surprise: { seed: 3 } })
    list(surprised)
    list(surprised)
    expect(surprised.control.state({ before: 1 }).surprise).toEqual({ seed: 3 })
    const faulty = start()
    faulty.control.faults.add({ operation: 'listPets', status: 503, times: 1 })
    list(faulty)
    faulty.control.undo(1)
    expect(faulty.control.state({ before: 3 }).faults).toMatchObject([
      { id: '1', seen: 1, applied: 1 },
    ])
  })
})
