import { describe, expect, it } from 'vitest'
import { change, exchange, still, surround } from '../../test/support/log-rows.ts'
import { MAX_LOG_BYTES, MAX_LOGS_BYTES } from '../contract/limits.ts'
import { hash } from '../contract/random.ts'
import { sizeOfPet } from './catalogue.ts'
import type { KeptChange, KeptRequest, KeptRow } from './kept-row.ts'
import { sizeOfRow } from './log.ts'
import { createMemory } from './memory.ts'
import { isChange } from './row.ts'
import type { LogFilter } from './row-filter.ts'
import { restoreRow, saveRow } from './saved-row.ts'
import { showRow } from './show-row.ts'
import { addPet, beginState, createOrigin, type State } from './state.ts'
import type { Timeline } from './timeline.ts'

const state = beginState(createOrigin({}), still)

const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id)

/** The request logs of a mock whose states do not change. */
const createLogs = (count: number, maxRequests?: number) => {
  const { timelines } = surround(undefined, maxRequests)
  return Array.from({ length: count }, () => timelines.create(() => state)) as [
    Timeline,
    ...Timeline[],
  ]
}
const createLog = (maxRequests?: number) => createLogs(1, maxRequests)[0]

/** Adds such rows; returns the last id. */
function add(
  timeline: Timeline,
  create: () => KeptRequest | KeptChange = exchange,
  count = 1,
): number {
  for (let index = 0; index < count; index++) timeline.add(create(), state)
  return timeline.lastId
}

describe('the request log', () => {
  it('keeps the last thousand requests and the last ten thousand changes, in one sequence, and numbers on', () => {
    const timeline = createLog()
    add(timeline, exchange, 2_432)
    expect([timeline.requests().length, timeline.oldestId, timeline.lastId]).toEqual([
      1_000, 1_433, 2_432,
    ])
    add(timeline, change, 10_000)
    expect([timeline.rows().length, timeline.rows().at(-1)?.id]).toEqual([11_000, 12_432])
    add(timeline, change)
    expect([
      timeline.oldestId,
      timeline.rows().filter(isChange).length,
      timeline.requests(),
    ]).toEqual([2_434, 10_000, []])
  })

  it.each<[filter: LogFilter, ids: number[], rows?: number[]]>([
    [{}, [1, 2, 3, 4], [1, 2, 3, 4, 5]],
    [{ operation: 'listPets' }, [2]],
    [{ method: 'Patch' }, [3]],
    [{ status: 404 }, [1]],
    [{ status: 0 }, [4]],
    [{ apiKey: 'a-key' }, [2]],
  ])('is filtered by %j', (filter, ids, rows = ids) => {
    const timeline = createLog()
    const asked = { operation: 'listPets' as const, keyDigest: hash('a-key') }
    for (const given of [
      { decidedStatus: 404 },
      asked,
      { method: 'patch' },
      { outcome: 'aborted' } as const,
    ])
      add(timeline, () => ({ ...exchange(), ...given }))
    add(timeline, change)
    expect([idsOf(timeline.requests(filter)), idsOf(timeline.rows(filter))]).toEqual([ids, rows])
  })

  it('shows the requests since the last load, and the rows before it too', () => {
    const timeline = createLog()
    add(timeline)
    add(timeline, () => ({ ...change(), method: 'reset', isWhole: true }))
    add(timeline)
    expect([idsOf(timeline.requests()), idsOf(timeline.rows())]).toEqual([[3], [1, 2, 3]])
    add(timeline, () => ({ ...change(), undoes: 2, isUndo: true, isWhole: true }))
    expect(idsOf(timeline.requests())).toEqual([1, 3])
    add(timeline, () => ({ ...change(), undoes: 4, isWhole: true }))
    expect(idsOf(timeline.requests())).toEqual([3])
  })
})

describe('the states of the rows', () => {
  /** A log of creates, and the states: row 1 is between the first two. */
  function grow(maxRequests: number | undefined, count: number) {
    const memory = createMemory()
    const { timelines } = surround(memory, maxRequests)
    const states: State[] = [state]
    const timeline = timelines.create(() => states.at(-1) as State)
    memory.take(state)
    for (let index = 0; index < count; index++) {
      const before = states.at(-1) as State
      const { state: after } = addPet(before, { name: 'Rex', categoryId: 1 })
      const owned = memory.take(after, before)
      states.push(after)
      timeline.add(index % 2 ? change() : exchange(), before, owned)
    }
    return { memory, timelines, timeline, states, find: timeline.find }
  }

  it('are those before and after it', () => {
    const { states, find, timelines } = grow(3, 7)
    expect([find(1), find(8)]).toEqual([undefined, undefined])
    for (const id of [2, 3, 7]) {
      const { row, after } = find(id) ?? expect.fail()
      const isExact = row.before === states[id - 1] && after === states[id]
      expect([row.id, isExact]).toEqual([id, true])
    }
    expect(timelines.forgetOldestState()).toBe(true)
  })

  it('are given up one by one, the oldest first, and the rows stay', () => {
    const { memory, timelines, timeline, states, find } = grow(undefined, 4)
    const { bytes } = memory
    expect([timelines.forgetOldestState(), timelines.forgetOldestState()]).toEqual([true, true])
    expect([1, 2, 3].map((id) => find(id)?.row.before)).toEqual([undefined, undefined, states[2]])
    expect([find(3)?.after === states[3], idsOf(timeline.rows()), memory.bytes < bytes]).toEqual([
      true,
      [1, 2, 3, 4],
      true,
    ])
    expect([1, 2, 3].map(() => timelines.forgetOldestState())).toEqual([true, true, false])
    timeline.clear()
    expect([timeline.rows(), timelines.forgetOldestState()]).toEqual([[], false])
    for (const before of [undefined, states[4]]) timeline.add(exchange(), before)
    expect(timelines.forgetOldestState()).toBe(true)
  })

  it('are not kept by a log without rows', () => {
    const { timeline, timelines, memory } = grow(0, 4)
    expect([timeline.rows(), timeline.lastId, timelines.forgetOldestState()]).toEqual([
      [],
      4,
      false,
    ])
    const added = 4 * sizeOfPet('{"id":1,"name":"Rex","categoryId":1}')
    expect(memory.bytes).toBe(state.origin.bytes + added)
  })
})

it.each<[maxRequests: number, lastId: number, kept: number, nextId: number]>([
  [1_000, 0, 2, 3],
  [1_000, 7, 2, 8],
  [0, 0, 0, 3],
])(
  'a timeline of at most %i requests goes on from the rows of an earlier one, whose last id was %i',
  (maxRequests, lastId, kept, nextId) => {
    const [before, after] = [createLog(), createLog(maxRequests)]
    add(before, () => ({
      ...exchange('{}'),
      requestHeaders: { accept: '*/*' },
      decidedError: 'No',
      key: '…key',
    }))
    add(before, () => ({ ...change(), method: 'reset', isWhole: true }))
    expect([before.oldestId, after.oldestId]).toEqual([1, undefined])
    const show = (row: KeptRow) => showRow(row, null)
    const shown = before.rows().map(show)
    const saved = before.rows().map((row) => saveRow(row, null))
    after.restore(saved.map(restoreRow), lastId)
    const expected = shown
      .slice(0, kept)
      .map((row) => ({ ...row, ...(isChange(row) && { canUndo: false }) }))
    expect(after.rows().map(show)).toEqual(expected)
    expect([idsOf(after.rows().filter(isChange)), after.requests()]).toEqual([kept ? [2] : [], []])
    expect(after.rows().map((row) => row.before)).toEqual(Array(kept).fill(undefined))
    expect(add(after)).toBe(nextId)
    if (kept) expect(after.find(nextId)?.row.before).toBe(state)
  },
)

describe('the timelines of a mock', () => {
  const size = 2 ** 16
  const large = () => exchange('b'.repeat((size - sizeOfRow(exchange())) / 2))
  const count = MAX_LOG_BYTES / size

  /** As many as fit with all rows that each may have, and one without rows. */
  function fill() {
    const [empty, ...full] = createLogs(MAX_LOGS_BYTES / MAX_LOG_BYTES + 1)
    for (const log of full) add(log, large, count)
    return { empty, full, counts: () => [empty, ...full].map((log) => log.requests().length) }
  }

  it('fill their limits to the last byte; beyond them the oldest row goes, of all together that of the largest', () => {
    const { empty, full, counts } = fill()
    expect(counts()).toEqual([0, count, count, count, count])
    add(full[1] as Timeline, large)
    expect([counts(), full[1]?.oldestId]).toEqual([[0, count, count, count, count], count + 2])
    add(empty, large)
    expect(counts()).toEqual([1, count - 1, count, count, count])
  })

  it.each(['clear', 'empty'] as const)('make room when %s is called on one', (method) => {
    const { empty, full, counts } = fill()
    const { lastId } = empty
    full[0]?.[method]()
    expect([full[0]?.rows(), empty.lastId]).toEqual([[], lastId])
    add(empty, large, count)
    expect(counts()).toEqual([count, 0, count, count, count])
  })
})

it('a delayed exchange has its place by when it was decided, and shows once it has ended, also after a clear', () => {
  const timeline = createLog(3)
  const ids = (waiting = false) => idsOf(timeline.requests({ waiting }))
  const delayed: KeptRequest = { ...exchange(), outcome: 'waiting' }
  add(timeline, () => delayed)
  add(timeline)
  expect([ids(), ids(true)]).toEqual([[2], [1, 2]])
  expect(timeline.requests({ waiting: true, status: 0 })).toEqual([])
  const [shown] = timeline.requests({ waiting: true }).map((row) => showRow(row, null))
  expect(shown).toMatchObject({ id: 1, status: 0, response: { headers: {}, body: '' } })
  timeline.clear()
  expect(delayed.before).toBeUndefined()
  add(timeline)
  delayed.outcome = 'sent'
  expect([ids(), timeline.find(3)?.row.before]).toEqual([[1, 3], state])
  timeline.empty()
  expect(timeline.rows()).toEqual([])
})
