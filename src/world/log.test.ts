import { expect, it } from 'vitest'
import { change, exchange, still } from '../../test/support/log-rows.ts'
import type { KeptChange, KeptRequest, KeptRow } from './kept-row.ts'
import { createLog, forgetOldestState, keepRow, type Logs, listRows, sizeOfRow } from './log.ts'
import { createMemory } from './memory.ts'
import { beginState, createOrigin } from './state.ts'

/** Whether the wanted object is a value in this one, however deep. */
function reaches(from: unknown, wanted: object): boolean {
  if (from === wanted) return true
  if (typeof from !== 'object' || from === null) return false
  return Object.values(from).some((value) => reaches(value, wanted))
}

it('a row that has given up its state keeps its text, but no longer the origin of that state', () => {
  const origin = createOrigin({})
  const memory = createMemory()
  const before = beginState(origin, still)
  memory.take(before)
  const owned = memory.take(beginState(createOrigin({}), still), before)
  const logs: Logs = { maxRequests: 9, memory, filled: new Set(), lastId: 0, bytes: 0 }
  const log = createLog()
  const hasOrigin = () => reaches(log.entries.list(), origin)
  keepRow(log, change('Loaded'), before, owned, logs)
  expect(hasOrigin()).toBe(true)
  expect(forgetOldestState(logs)).toBe(true)
  expect(hasOrigin()).toBe(false)
  expect(listRows(log)).toMatchObject([{ text: 'Loaded' }])
})

it.each<[field: string, large: Partial<KeptRequest> | KeptChange]>([
  ['method', { method: 'M'.repeat(16_000) }],
  ['target', { target: 't'.repeat(16_000) }],
  ['header of the request', { requestHeaders: { 'x-long': 'h'.repeat(16_000) } }],
  [
    'many headers of the request',
    {
      requestHeaders: Object.fromEntries(Array.from({ length: 400 }, (_, nth) => [`x${nth}`, 'x'])),
    },
  ],
  ['error', { decidedError: 'e'.repeat(16_000) }],
  ['request body', { requestBody: 'b'.repeat(16_000) }],
  ['problems', { decidedProblems: Array(16).fill({ kind: 'text', text: 'p'.repeat(950) }) }],
  ['notes', { notes: Array(20).fill('n'.repeat(800)) }],
  ['faults', { faults: Array(160).fill('f'.repeat(100)) }],
  ['struck faults', { struck: Array(160).fill('f'.repeat(100)) }],
  ['sentence', change('c'.repeat(16_000))],
  ['changed items', change('', Array(500).fill({ kind: 'pet', id: '1' }))],
  ['header fields', { responseHeaders: { 'Access-Control-Allow-Origin': 'o'.repeat(16_000) } }],
])('the size of a row counts its %s', (_, large) => {
  expect(Math.floor(100_000 / sizeOfRow({ ...exchange(), ...large } as KeptRow))).toBe(3)
})

it('the size of a request counts no characters of an error that it does not have', () => {
  const sizeWith = (decidedError: string | null) => sizeOfRow({ ...exchange(), decidedError })
  expect(sizeWith('abc') - sizeWith(null)).toBe(6)
})
