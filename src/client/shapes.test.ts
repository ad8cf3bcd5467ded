import { expect, it } from 'vitest'
import { findViolations, type Schema } from '../contract/schema.ts'
import * as shapes from './shapes.ts'

const MESSAGE = { headers: {}, body: 'b' }
const ENTRY = {
  id: 1,
  at: 'a',
  realAt: 'b',
  method: 'GET',
  target: '/',
  status: 200,
  durationMs: 0.5,
  assumptions: ['a'],
  faults: ['1'],
  notes: ['a'],
  operation: 'getPet',
  key: 'k',
  error: 'e',
  outcome: 'sent',
  request: MESSAGE,
  answer: MESSAGE,
}
const HEALTH = { status: 'ok', version: '1', scenario: 's', pets: 1 }
const FAULT = { id: '1', operation: '*', seen: 1, struck: 1 }
const RIGHT: readonly [name: string, shape: Schema, value: unknown][] = [
  ['health', shapes.health, HEALTH],
  ['undone', shapes.undone, { ...HEALTH, undone: 'load' }],
  ['state', shapes.state, { pets: [{}] }],
  ['scenario', shapes.scenario, { name: 'a' }],
  ['changes', shapes.changes, { added: [1], changed: [2], removed: [3] }],
  ['diff', shapes.diff, { scenario: 'a', pets: { added: [{}], changed: [{}], removed: [{}] }, faults: {}, assume: [{}] }],
  ['latency', shapes.latency, { latency: [1, 2] }],
  ['pet', shapes.pet, { id: 2n ** 60n }],
  ['petPage', shapes.petPage, { total: 1, byStatus: {}, changed: 0, matches: 1, pets: [{ id: 1 }] }],
  ['scenarios', shapes.scenarios, [{ name: 'a', pets: 1 }]],
  ['faults', shapes.faults, [FAULT]],
  ['clock', shapes.clock, { now: 'a', frozen: true }],
  ['assumptions', shapes.assumptions, [{ id: 'a', question: 'b', choice: 'c', default: 'd' }]],
  ['sandboxes', shapes.sandboxes, ['a']],
  ['coverage', shapes.coverage, { format: 1, contract: 'a', requests: 1, cells: {} }],
  ['openapi', shapes.openapi, { openapi: '3', paths: {} }],
  ['entries', shapes.entries, [ENTRY]],
  ['traffic', shapes.traffic, [{ ...ENTRY, sandbox: 'k' }]],
  ['an exchange', shapes.event, { type: 'exchange', entry: ENTRY }],
  ['a beginning', shapes.event, { type: 'begin', entry: ENTRY }],
  ['a change', shapes.event, { type: 'change', what: 'reset' }],
  ['error', shapes.error(404), { code: 'a', message: 'b', status: 404 }],
]

const fits = (shape: Schema, value: unknown) => findViolations(shape, value).length === 0

/** The value with one of its parts, at any depth, left out or of no type that the mock sends there. */
function* spoil(value: unknown): Generator<unknown> {
  yield Symbol('of no type')
  if (Array.isArray(value)) for (const part of spoil(value[0])) yield [part]
  else if (typeof value === 'object' && value !== null)
    for (const [name, field] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
      for (const part of spoil(field)) yield { ...value, [name]: part }
    }
}

it.each(RIGHT)('%s fits with every part in its place, and with more beside it', (_, shape, value) => {
  expect(fits(shape, value)).toBe(true)
  if (!Array.isArray(value)) expect(fits(shape, { ...(value as object), more: 1 })).toBe(true)
})

it.each(RIGHT.filter(([name]) => name !== 'latency'))(
  '%s does not fit with a part that is missing or of another type',
  (_, shape, value) => {
    for (const wrong of spoil(value)) expect([fits(shape, wrong), wrong]).toEqual([false, wrong])
  },
)

it('lets an entry have no operation, no key, no error and no sandbox', () => {
  expect(fits(shapes.traffic, [{ ...ENTRY, operation: null, key: null, error: null, sandbox: null }])).toBe(true)
})

it('tells what is only nearly the mock', () => {
  expect(fits(shapes.health, { ...HEALTH, status: 'up' })).toBe(false)
  expect(fits(shapes.coverage, { format: 2, contract: 'a', requests: 1, cells: {} })).toBe(false)
  expect(fits(shapes.error(404), { code: 'a', message: 'b', status: 400 })).toBe(false)
  expect(fits(shapes.event, { type: 'other', what: 'reset' })).toBe(false)
  expect(fits(shapes.entries, [{ ...ENTRY, answer: { headers: { host: 'a' }, body: '' } }])).toBe(true)
  expect(fits(shapes.entries, [{ ...ENTRY, answer: { headers: { host: 1 }, body: '' } }])).toBe(false)
  expect(fits(shapes.latency, {})).toBe(false)
  expect(fits(shapes.latency, 5)).toBe(false)
})
