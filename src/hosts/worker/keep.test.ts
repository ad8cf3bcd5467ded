import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSql } from '../../../test/support/sql.ts'
import type { JournalEntry } from '../../world/journal-entry.ts'
import type { WorldRest } from '../../world/world.ts'
import { createKeep } from './keep.ts'

const BASE = '{"pets":[]}'
const toRest = (name: string) => ({ name, nextId: 2n ** 62n }) as unknown as WorldRest
const REST = toRest('a')

function create() {
  const { sql, tables } = createSql()
  const keep = createKeep(sql)
  const rows = (part: string) => tables.get('world')?.rows.filter((row) => row.part === part) ?? []
  /** As the next process finds it. */
  const read = () => createKeep(sql).read()
  return { keep, read, rows, tables, sql }
}

function createStarted() {
  const all = create()
  all.keep.start(BASE, REST)
  return all
}

const toEntry = (id: number, length = 0) =>
  ({ id, request: { body: 'x'.repeat(length) }, response: { body: '' } }) as unknown as JournalEntry
const toAnswered = (id: number, length: number) => ({ ...toEntry(id), response: { body: 'y'.repeat(length) } }) as unknown as JournalEntry

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

describe('a world that is kept', () => {
  it('is nothing before it starts', () => expect(create().read()).toBeUndefined())

  it('starts as its scenario has it', () => {
    expect(createStarted().read()).toEqual({ base: BASE, isListed: false, left: { rest: REST, pets: [], journal: [], awayMs: 0 } })
  })

  it.each([
    [5_000, 5_000],
    [-5_000, 0],
  ])('was away for the time since its last change, by a clock that went on by %i ms: %i', (passed, awayMs) => {
    const { keep, read } = createStarted()
    vi.setSystemTime(2_000_000)
    keep.rest(toRest('b'))
    vi.setSystemTime(2_000_000 + passed)
    expect(read()?.left).toMatchObject({ rest: toRest('b'), awayMs })
  })

  it('has the last of the changes of each animal, by their ids', () => {
    const { keep, read } = createStarted()
    keep.pets([
      { id: '10', text: 'ten' },
      { id: '9', text: 'nine' },
      { id: '2', text: 'two' },
      { id: '2', text: undefined },
    ])
    keep.pets([{ id: '11', text: 'eleven' }])
    keep.pets([{ id: '9', text: 'nine again' }])
    expect(read()?.left.pets).toEqual([
      { id: '2', text: undefined },
      { id: '9', text: 'nine again' },
      { id: '10', text: 'ten' },
      { id: '11', text: 'eleven' },
    ])
  })

  it('has animals of any length, those that are too long for a statement with others too', () => {
    const { keep, read, sql } = createStarted()
    const texts = ['a', 'b', 'c'.repeat(2 ** 20), 'd', '"\\u0000🐕"', 'e'.repeat(2 ** 17)]
    const pets = texts.map((text, index) => ({ id: String(index + 1), text }))
    const exec = vi.spyOn(sql, 'exec')
    keep.pets(pets)
    // The first two, the long one, two more, and the other long one.
    expect(exec).toHaveBeenCalledTimes(4)
    expect(read()?.left.pets).toEqual(pets)
  })

  it('forgets animals and journal by a reset, and the journal alone when that is emptied', () => {
    const { keep, read } = createStarted()
    keep.pets([{ id: '1', text: 'one' }])
    keep.journal([toEntry(1)], 1)
    keep.clearJournal(toRest('b'))
    expect(read()).toMatchObject({ base: BASE, left: { rest: toRest('b'), pets: [{ id: '1' }], journal: [] } })
    keep.journal([toEntry(2)], 2)
    keep.reset(toRest('c'))
    expect(read()).toMatchObject({ base: BASE, left: { rest: toRest('c'), pets: [], journal: [] } })
  })

  it('forgets everything of a scenario when another starts, but not that it is listed', () => {
    const { keep, read } = create()
    keep.start('x'.repeat(2 ** 20), REST)
    keep.listed()
    keep.pets([{ id: '1', text: 'one' }])
    keep.start(BASE, toRest('b'))
    expect(read()).toEqual({ base: BASE, isListed: true, left: { rest: toRest('b'), pets: [], journal: [], awayMs: 0 } })
  })
})

describe('a scenario that is too large for one row', () => {
  const MAX = 2 ** 19
  it.each([
    ['as long as one', 'x'.repeat(MAX), [MAX]],
    ['longer by one', 'x'.repeat(MAX + 1), [MAX, 1]],
    ['twice as long', 'x'.repeat(2 * MAX), [MAX, MAX]],
    ['with a pair of surrogates at the cut', `${'x'.repeat(MAX - 1)}🐕x`, [MAX - 1, 3]],
    ['with one right before the cut', `${'x'.repeat(MAX - 2)}🐕x`, [MAX, 1]],
    ['with one at its end', `${'x'.repeat(MAX - 2)}🐕`, [MAX]],
  ])('is cut between characters: %s', (_, base, lengths) => {
    const { keep, read, rows } = create()
    keep.start(base, REST)
    expect(rows('base').map(({ text }) => String(text).length)).toEqual(lengths)
    expect(read()?.base).toBe(base)
  })

  it('is put together in its order', () => {
    const { keep, read } = create()
    const base = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index).repeat(MAX)).join('')
    keep.start(base, REST)
    expect(read()?.base === base).toBe(true)
  })
})

describe('a journal that is kept', () => {
  const ids = (read: ReturnType<typeof create>['read']) => read()?.left.journal.map(({ id }) => id)

  it('has several entries in a row, as far as their bodies have room in it', () => {
    const { keep, read, rows } = createStarted()
    keep.journal([toEntry(1), toEntry(2), toEntry(3, 2 ** 17), toEntry(4), toAnswered(5, 2 ** 17), toEntry(6)], 1)
    expect(rows('journal').map(({ id }) => id)).toEqual([2, 3, 4, 5, 6])
    expect(ids(read)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('has so many of them that all have room, whatever else is in them', () => {
    const { keep, rows } = createStarted()
    // 65 entries without bodies take 130,000 characters, and the next one has none left of 131,072 to bring with it.
    keep.journal(
      Array.from({ length: 65 }, (_, index) => toEntry(index + 1)),
      1,
    )
    expect(rows('journal').map(({ id }) => id)).toEqual([65])
    keep.journal([...Array.from({ length: 65 }, (_, index) => toEntry(index + 101)), toEntry(166, 1_072), toEntry(167, 1)], 1)
    expect(rows('journal').map(({ id }) => id)).toEqual([65, 166, 167])
  })

  it('forgets what is older than its oldest entry, as far as the whole row is', () => {
    const { keep, read } = createStarted()
    keep.journal([toEntry(1), toEntry(2)], 1)
    keep.journal([toEntry(3), toEntry(4)], 3)
    keep.journal([toEntry(5)], 4)
    expect(ids(read)).toEqual([3, 4, 5])
    keep.journal([toEntry(6)], 5)
    expect(ids(read)).toEqual([5, 6])
    keep.journal([], Number.MAX_SAFE_INTEGER)
    expect(ids(read)).toEqual([])
  })
})

describe('the list of sandboxes', () => {
  it('is empty, and takes no room, until there is one', () => {
    const { keep, tables } = create()
    keep.keys.remove('ann')
    expect([keep.keys.all(), keep.keys.count(), keep.keys.has('ann')]).toEqual([[], 0, false])
    expect([...tables.keys()]).toEqual([])
  })

  it('has every key once, the first one first, until it is removed', () => {
    const { keep, sql } = create()
    expect(['zoe', 'ann', 'zoe', 'ben'].map((key) => keep.keys.add(key))).toEqual([true, true, false, true])
    for (const { keys } of [keep, createKeep(sql)]) {
      expect([keys.all(), keys.count()]).toEqual([['zoe', 'ann', 'ben'], 3])
      expect(['zoe', 'cyd'].map((key) => keys.has(key))).toEqual([true, false])
    }
    keep.keys.remove('zoe')
    expect([keep.keys.all(), keep.keys.count(), keep.keys.has('zoe'), keep.keys.add('zoe')]).toEqual([['ann', 'ben'], 2, false, true])
    expect(keep.keys.all()).toEqual(['ann', 'ben', 'zoe'])
  })
})
