import { expect, it } from 'vitest'
import { MAX_DELAY_MS } from '../limits.ts'
import { parsePrefer } from './strike.ts'

it.each([
  ['code=400', { status: 400, delay: 0, drop: false }],
  ['code=599', { status: 599, delay: 0, drop: false }],
  [`delay=${MAX_DELAY_MS}`, { status: undefined, delay: MAX_DELAY_MS, drop: false }],
  ['delay=0', { status: undefined, delay: 0, drop: false }],
  ['drop', { status: undefined, delay: 0, drop: true }],
])('takes %s', (header, strike) => {
  const notes: string[] = []
  expect(parsePrefer(header, (note) => notes.push(note))).toEqual({ strike: { faults: ['Prefer'], ...strike }, applied: header })
  expect(notes).toEqual([])
})

it.each([
  ['code=399', 'code takes a status from 400 to 599'],
  ['code=600', 'code takes a status from 400 to 599'],
  [`delay=${MAX_DELAY_MS + 1}`, `delay takes milliseconds, at most ${MAX_DELAY_MS}`],
  ['delay', `delay takes milliseconds, at most ${MAX_DELAY_MS}`],
  ['drop=1', 'drop takes no value'],
])('ignores %s with a note', (header, why) => {
  const notes: string[] = []
  expect(parsePrefer(header, (note) => notes.push(note))).toBeUndefined()
  expect(notes).toEqual([`Ignored Prefer: ${header}; ${why}`])
})
