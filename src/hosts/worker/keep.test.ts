import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSql } from '../../../test/support/sql.ts'
import type { LogEntry } from '../../world/log-entry.ts'
import type { SavedSettings } from '../../world/world.ts'
import { createKeep } from './keep.ts'

const BASE = '{"pets":[]}'
const toSettings = (name: string) => ({ name, nextId: 2n ** 62n }) as unknown as SavedSettings
const SETTINGS = toSettings('a')

function create() {
  const { sql, tables } = createSql()
  const keep = createKeep(sql)
  const start = (base: string, settings: SavedSettings) => {
    keep.clear(['base', 'pets', 'requests'])
    keep.base(base)
    keep.settings(settings)
  }
  const rows = (part: string) => tables.get('kept')?.rows.filter((row) => row.part === part) ?? []
  /** As the next process finds it. */
  const read = () => createKeep(sql).read()
  return { keep, start, read, rows, tables, sql }
}

function createStarted() {
  const all = create()
  all.start(BASE, SETTINGS)
  return all
}

const toEntry = (id: number) => ({ id, request: { body: '' }, response: { body: '' } }) as unknown as LogEntry

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

describe('a stored state', () => {
  it('is absent before it starts', () => expect(create().read()).toBeUndefined())

  it('starts as its scenario has it', () => {
    expect(createStarted().read()).toEqual({ base: BASE, saved: { settings: SETTINGS, pets: [], requestLog: [], awayMs: 0 } })
  })

  it.each([
    [5_000, 5_000],
    [-5_000, 0],
  ])('was away for the time since its last change, by a clock that went on by %i ms: %i', (passed, awayMs) => {
    const { keep, read } = createStarted()
    vi.setSystemTime(2_000_000)
    keep.settings(toSettings('b'))
    vi.setSystemTime(2_000_000 + passed)
    expect(read()?.saved).toMatchObject({ settings: toSettings('b'), awayMs })
  })

  it('has the last change of each animal, ordered by id', () => {
    const { keep, read } = createStarted()
    const changes = [
      { id: '10', text: 'ten' },
      { id: '9', text: 'nine' },
      { id: '2', text: 'two' },
      { id: '2', text: undefined },
      { id: '11', text: '"\\u0000🐕"' },
      { id: '9', text: 'nine again' },
    ]
    for (const change of changes) keep.pet(change)
    expect(read()?.saved.pets).toEqual([
      { id: '2', text: undefined },
      { id: '9', text: 'nine again' },
      { id: '10', text: 'ten' },
      { id: '11', text: '"\\u0000🐕"' },
    ])
  })

  it('loses the parts that are cleared', () => {
    const { keep, read } = createStarted()
    keep.pet({ id: '1', text: 'one' })
    keep.requests([toEntry(1)], 1)
    keep.clear(['requests'])
    expect(read()).toMatchObject({ base: BASE, saved: { settings: SETTINGS, pets: [{ id: '1' }], requestLog: [] } })
    keep.clear(['pets'])
    expect(read()).toMatchObject({ base: BASE, saved: { settings: SETTINGS, pets: [], requestLog: [] } })
  })

  it('loses everything of a scenario when another starts', () => {
    const { keep, start, read } = create()
    start('x'.repeat(2 ** 20), SETTINGS)
    keep.pet({ id: '1', text: 'one' })
    start(BASE, toSettings('b'))
    expect(read()).toEqual({ base: BASE, saved: { settings: toSettings('b'), pets: [], requestLog: [], awayMs: 0 } })
  })
})

describe('a scenario that is too large for one row', () => {
  const MAX = 500_000
  it.each([
    ['as long as one', 'x'.repeat(MAX), [MAX]],
    ['longer by one', 'x'.repeat(MAX + 1), [MAX, 1]],
    ['twice as long', 'x'.repeat(2 * MAX), [MAX, MAX]],
    ['with a pair of surrogates at the cut', `${'x'.repeat(MAX - 1)}🐕\n`, [MAX + 1, 1]],
  ])('is cut between characters: %s', (_, base, lengths) => {
    const { start, read, rows } = create()
    start(base, SETTINGS)
    expect(rows('base').map(({ text }) => String(text).length)).toEqual(lengths)
    expect(read()?.base).toBe(base)
  })

  it('is put together in its order', () => {
    const { start, read } = create()
    const base = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index).repeat(MAX)).join('')
    start(base, SETTINGS)
    expect(read()?.base === base).toBe(true)
  })
})

describe('a stored request log', () => {
  it('loses what is older than its oldest entry', () => {
    const { keep, read } = createStarted()
    const ids = () => read()?.saved.requestLog.map(({ id }) => id)
    keep.requests([toEntry(9), toEntry(10)], 1)
    keep.requests([toEntry(11)], 10)
    expect(ids()).toEqual([10, 11])
    keep.requests([], Number.MAX_SAFE_INTEGER)
    expect(ids()).toEqual([])
  })
})

describe('the list of sandboxes', () => {
  it('is empty, and takes no room, until there is one', () => {
    const { keep, tables } = create()
    expect([keep.keys.all(), keep.keys.count(), keep.keys.has('ann')]).toEqual([[], 0, false])
    expect([...tables.keys()]).toEqual([])
  })

  it('has every key once, in alphabetical order, until it is removed', () => {
    const { keep, sql } = create()
    for (const key of ['zoe', 'ann', 'zoe', 'ben']) keep.keys.add(key)
    for (const { keys } of [keep, createKeep(sql)]) {
      expect([keys.all(), keys.count()]).toEqual([['ann', 'ben', 'zoe'], 3])
      expect(['zoe', 'cyd'].map((key) => keys.has(key))).toEqual([true, false])
    }
    keep.keys.remove('zoe')
    expect([keep.keys.all(), keep.keys.count(), keep.keys.has('zoe')]).toEqual([['ann', 'ben'], 2, false])
  })

  it('is not a stored state', () => {
    const { keep, start, read } = create()
    keep.keys.add('ann')
    expect(read()).toBeUndefined()
    start(BASE, SETTINGS)
    expect([read()?.base, keep.keys.all()]).toEqual([BASE, ['ann']])
  })
})
