import { describe, expect, it } from 'vitest'
import { change, exchange } from '../../test/support/log-rows.ts'
import { contract } from '../generated/contract.ts'
import { MAX_LOGGED_BODY_CHARACTERS } from '../limits.ts'
import { hash } from '../random.ts'
import { entryFormat } from '../service/entry-format.ts'
import { type Change, isChange } from './change.ts'
import { createChangeLog } from './change-log.ts'
import { addNote, cutBody, type LogFilter, type LogRow, sizeOfRow } from './log-entry.ts'
import { createRequestLogs, type RequestLog, type RequestLogLimits } from './request-log.ts'

const createRequestLog = (limits?: RequestLogLimits) => createRequestLogs(entryFormat, limits).create([])

function addNext(requestLog: RequestLog, body = ''): number {
  const one = exchange(body)
  requestLog.add(one)
  return one.id
}

describe('the request log', () => {
  it('fills its limits to the last byte, and forgets beyond them', () => {
    const size = sizeOfRow(exchange())
    const both = createRequestLogs(entryFormat, { totalBytes: 2 * size })
    const [one, other] = [both.create([]), both.create([])]
    one.add(exchange())
    other.add(exchange())
    expect([one.requests().length, other.requests().length]).toEqual([1, 1])
    other.add(exchange())
    expect(one.requests().length + other.requests().length).toBe(2)
    const single = createRequestLogs(entryFormat, { bytes: 2 * size }).create([])
    for (let turn = 0; turn < 2; turn++) single.add(exchange())
    expect(single.requests()).toHaveLength(2)
    single.add(exchange())
    expect(single.requests().map(({ id }) => id)).toEqual([2, 3])
  })

  it('keeps the last thousand requests, with the changes between them, and numbers on', () => {
    const requestLog = createRequestLog()
    for (let index = 0; index < 5_432; index++) requestLog.add(exchange())
    const entries = requestLog.requests()
    expect(entries).toHaveLength(1_000)
    expect([entries[0]?.id, entries.at(-1)?.id]).toEqual([4_433, 5_432])
    requestLog.add(change())
    expect(requestLog.rows()).toHaveLength(1_001)
  })

  it.each<[field: string, large: Partial<LogRow> | Change]>([
    ['method', { method: 'M'.repeat(16_000) }],
    ['target', { target: 't'.repeat(16_000) }],
    ['header of the request', { fields: ['x-long', 'h'.repeat(16_000)] }],
    ['many headers of the request', { fields: Array(900).fill('x') }],
    ['error', { error: 'e'.repeat(16_000) }],
    ['request body', { requestBody: 'b'.repeat(16_000) }],
    ['problems', { problems: Array(16).fill({ kind: 'text', text: 'p'.repeat(1_000) }) }],
    ['notes', { notes: Array(20).fill('n'.repeat(800)) }],
    ['faults', { faults: Array(160).fill('f'.repeat(100)) }],
    ['struck faults', { struck: Array(160).fill('f'.repeat(100)) }],
    ['sentence', change('c'.repeat(16_000))],
    ['changed items', change('', Array(160).fill('c'.repeat(100)))],
    ['header fields', { responseHeaders: { 'Access-Control-Allow-Origin': 'o'.repeat(16_000) } }],
  ])('counts the %s of a row', (_, large) => {
    const requestLog = createRequestLog({ bytes: 100_000 })
    for (let index = 0; index < 10; index++) requestLog.add({ ...exchange(), ...large })
    expect(requestLog.rows().map(({ id }) => id)).toEqual([8, 9, 10])
  })

  it.each<[filter: LogFilter, ids: number[]]>([
    [{}, [1, 2, 3, 4]],
    [{ operation: 'listPets' }, [2]],
    [{ method: 'POST' }, [3]],
    [{ status: 404 }, [1]],
    [{ status: 0 }, [4]],
    [{ apiKey: 'a-key' }, [2]],
  ])('is filtered by %j', (filter, ids) => {
    const requestLog = createRequestLog()
    requestLog.add({ ...exchange(), status: 404 })
    requestLog.add({ ...exchange(), operation: contract.operations.listPets, keyDigest: hash('a-key') })
    requestLog.add({ ...exchange(), method: 'POST' })
    requestLog.add({ ...exchange(), outcome: 'aborted' })
    expect(requestLog.requests(filter).map(({ id }) => id)).toEqual(ids)
  })

  it('keeps twenty notes of a request, each of a line', () => {
    const recorder: Parameters<typeof addNote>[0] = { notes: [], world: { requestLog: createRequestLog() } }
    for (const length of [300, 301, ...Array(20).fill(1)]) addNote(recorder, 'n'.repeat(length))
    expect(recorder.notes).toEqual(['n'.repeat(300), `${'n'.repeat(300)}…`, ...Array(18).fill('n'), 'and more'])
  })

  it('counts no characters of an error that an exchange does not have', () => {
    const sizeWith = (error: string | undefined) => sizeOfRow({ ...exchange(), error })
    expect(sizeWith('abc') - sizeWith(undefined)).toBe(6)
  })
})

describe('the changes of a row', () => {
  /** A change of ten kilobytes for each row. */
  function fill(limits: RequestLogLimits, count: number) {
    const changeLog = createChangeLog()
    const requestLog = createRequestLogs(entryFormat, limits).create([], undefined, changeLog)
    for (let index = 0; index < count; index++) {
      changeLog.note('pet', '1', 'x'.repeat(5_000), 5_000)
      requestLog.add(index % 2 ? change() : exchange())
    }
    return { ids: requestLog.rows().map(({ id }) => id), knows: (revision: number) => changeLog.knows(revision) }
  }

  it('count as a part of it', () => expect(fill({ bytes: 50_000 }, 9).ids).toEqual([6, 7, 8, 9]))

  it('are known as long as it is kept, and those of the last row always', () => {
    const [all, none] = [fill({}, 1_500), fill({ entries: 0 }, 1_500)]
    expect([all.knows(0), none.knows(0), none.knows(1_499), none.ids]).toEqual([true, false, true, []])
  })
})

it.each<[limits: RequestLogLimits, lastId: number, kept: number, nextId: number]>([
  [{}, 0, 2, 3],
  [{}, 7, 2, 8],
  [{ entries: 0 }, 0, 0, 3],
])('a log with the limits %j goes on from the rows of an earlier one, whose last id was %i', (limits, lastId, kept, nextId) => {
  const [before, after] = [createRequestLog(), createRequestLog(limits)]
  before.add({ ...exchange('{}'), fields: ['accept', '*/*'], error: 'No', key: '…key' })
  before.add(change())
  expect([before.oldestId, after.oldestId]).toEqual([1, undefined])
  after.restore(before.rows().map(before.show), lastId)
  expect(after.rows().map(after.show)).toEqual(before.rows().slice(0, kept).map(before.show))
  expect(after.changes()).toEqual(kept ? before.changes() : [])
  expect(addNext(after)).toBe(nextId)
})

it('a request of the timeline is no change', () => expect(isChange({ type: 'request' })).toBe(false))

describe('the request logs of a mock', () => {
  const large = (body: string) => exchange(body.repeat(10_000))
  const ids = (requestLog: RequestLog) => requestLog.requests().map(({ id }) => id)

  it('have one limit together, and the largest gives way', () => {
    const requestLogs = createRequestLogs(entryFormat, { totalBytes: 110_000 })
    const [busy, quiet] = [requestLogs.create([]), requestLogs.create([])]
    quiet.add(large('q'))
    for (let index = 0; index < 9; index++) busy.add(large('b'))
    expect([ids(quiet), ids(busy)]).toEqual([[1], [7, 8, 9, 10]])
    for (let index = 0; index < 3; index++) quiet.add(large('q'))
    expect([ids(quiet), ids(busy)]).toEqual([
      [12, 13],
      [8, 9, 10],
    ])
  })

  it('make room when one is cleared or closed, and a closed one keeps nothing more', () => {
    const requestLogs = createRequestLogs(entryFormat, { totalBytes: 110_000 })
    const [gone, stays] = [requestLogs.create([]), requestLogs.create([])]
    for (let index = 0; index < 5; index++) gone.add(large('g'))
    gone.close()
    expect(addNext(gone, 'g')).toBe(6)
    expect(gone.requests()).toEqual([])
    for (let index = 0; index < 5; index++) stays.add(large('s'))
    expect(ids(stays)).toEqual([7, 8, 9, 10, 11])
    stays.clear()
    for (let index = 0; index < 5; index++) stays.add(large('s'))
    expect(ids(stays)).toEqual([12, 13, 14, 15, 16])
  })
})

describe('a delayed exchange', () => {
  it('has its place by when it was decided, and shows once it has ended, also after a clear', () => {
    const requestLog = createRequestLog({ entries: 3 })
    const ids = (waiting = false) => requestLog.requests({ waiting }).map(({ id }) => id)
    const delayed: LogRow = { ...exchange(), outcome: 'waiting' }
    requestLog.add(delayed)
    requestLog.add(exchange())
    expect([ids(), ids(true)]).toEqual([[2], [1, 2]])
    expect(requestLog.requests({ waiting: true, status: 0 }).map(requestLog.show)).toMatchObject([
      { id: 1, status: 0, response: { headers: {}, body: '' } },
    ])
    requestLog.clear()
    requestLog.add(exchange())
    delayed.outcome = 'sent'
    expect(ids()).toEqual([1, 3])
  })
})

it('hides a key before a long text is cut inside it', () => {
  const requestLogs = createRequestLogs(entryFormat)
  const requestLog = requestLogs.create(['a-listed-key'])
  const padding = 'x'.repeat(MAX_LOGGED_BODY_CHARACTERS - 4)
  expect(cutBody(`${padding}a-listed-key and more`, requestLog)).toBe(`${padding}…-ke…`)
  expect(cutBody(`${padding}a%2dlisted-key`, requestLog)).not.toContain('a%2')
  expect(cutBody(`${padding}1234`, requestLog)).toBe(`${padding}1234`)
  requestLogs.hide('a-control-token')
  expect(requestLog.hide('a-listed-key and a-control-token')).toBe('…-key and …oken')
})

describe('an entry', () => {
  it('is frozen, and makes its messages when they are read', () => {
    const requestLog = createRequestLogs(entryFormat).create(['a-listed-key'])
    const one = { ...exchange('{"name":"a-listed-key"}'), fields: ['accept', '*/*'], notes: ['a note'] }
    requestLog.add(one)
    const entry = requestLog.show(one)
    expect(entry.response.body).toBe('{"name":"…-key"}')
    expect(Object.getOwnPropertyDescriptor(entry, 'response')?.get).toBeTypeOf('function')
    for (const part of [entry, entry.notes, entry.request, entry.request.headers, entry.response.headers])
      expect(Object.isFrozen(part)).toBe(true)
  })
})
