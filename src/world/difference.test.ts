import { describe, expect, it } from 'vitest'
import { still } from '../../test/support/log-rows.ts'
import { parseScenario } from '../../test/support/parse-scenario.ts'
import { MAX_FAULTS } from '../contract/limits.ts'
import { toPetText } from '../contract/pet.ts'
import { freezeClock } from './clock.ts'
import { compareContents, compareStates, putBack } from './difference.ts'
import type { SeenCall } from './fault-condition.ts'
import { addFault, strikeWith, type TimedFault } from './faults.ts'
import { describeState, toScenario } from './saved-state.ts'
import { addPet, beginState, type State, setPetText } from './state.ts'

const LIST_CALL: SeenCall = {
  operation: 'listPets',
  petId: undefined,
  apiKey: undefined,
  readSent: () => ({ query: {}, headers: {}, body: undefined }),
}

const pet = (id: number, name = 'Rex') => ({ id, name, categoryId: 1 })
const fault = (id: string, status = 503): TimedFault => ({ operation: '*', status, id })
const faults = ['first', 'second', 'third'].map((id) => fault(id))
const origin = parseScenario({ pets: [1, 2, 3].map((id) => pet(id)), faults, latency: [1, 9] })
const start = beginState(origin, still)
const add = (state: State, one: TimedFault): State => addFault(state, one).state
const remove = (state: State, id: string): State => ({
  ...state,
  faults: state.faults.filter((one) => one.fault.id !== id),
})
const call = (state: State): State => ({
  ...state,
  ...strikeWith(state.faults, state.random, LIST_CALL),
})
const choose = (state: State, choice: 'clamp' | 'reject') => ({
  ...state,
  choices: { ...state.choices, 'invalid-query': choice },
})
const freeze = (state: State) => ({ ...state, clock: freezeClock(state.clock, true, still) })
const idsOf = (state: State) => state.faults.map((one) => one.fault.id)
/** The state with everything as it was. */
const undo = (state: State, old: State) =>
  compareStates(old, state).reduce((next, one) => putBack(next, one, old), state)

it.each<
  [
    what: string,
    change: (state: State) => State,
    ...differences: [kind: string, id: unknown, before: unknown, after: unknown][],
  ]
>([
  ['nothing', (state) => ({ ...state })],
  [
    'a new animal',
    (state) => addPet(state, pet(0)).state,
    ['pet', 4, undefined, '{"id":4,"name":"Rex","categoryId":1}'],
  ],
  [
    'another animal',
    (state) => setPetText(state, 2, toPetText(pet(2, 'Mia'))),
    ['pet', 2, expect.stringContaining('Rex'), expect.stringContaining('Mia')],
  ],
  [
    'an animal that is gone',
    (state) => setPetText(state, 3, undefined),
    ['pet', 3, expect.any(String), undefined],
  ],
  [
    'a new fault',
    (state) => add(state, { operation: '*', status: 500 }),
    ['fault', '1', undefined, expect.objectContaining({ seen: 0 })],
  ],
  [
    'a fault that is gone',
    (state) => remove(state, 'second'),
    ['fault', 'second', start.faults[1], undefined],
  ],
  [
    'a fault that was added again',
    (state) => add(state, fault('third')),
    ['fault', 'third', start.faults[2], expect.anything()],
  ],
  ['nothing but counts', call],
  ['a choice', (state) => choose(state, 'clamp'), ['choice', 'invalid-query', 'reject', 'clamp']],
  ['nothing but a copy of the choices', (state) => choose(state, 'reject')],
  ['the latency', (state) => ({ ...state, latency: null }), ['latency', '', [1, 9], null]],
  ['nothing but a copy of the latency', (state) => ({ ...state, latency: [1, 9] })],
  [
    'the clock',
    (state) => freeze(state),
    ['clock', '', start.clock, expect.objectContaining({ frozenAt: 0 })],
  ],
])('two states differ in %s, and that can be put back', (_, change, ...expected) => {
  const changed = change(start)
  const differences = compareStates(start, changed)
  expect(differences).toEqual(
    expected.map(([kind, id, before, after]) => ({ kind, id, before, after })),
  )
  expect(compareContents(origin, changed)).toEqual(
    differences.filter(({ kind }) => kind !== 'clock'),
  )
  const back = undo(changed, start)
  expect(compareStates(start, back)).toEqual([])
  expect(describeState(back, 0)).toEqual(
    describeState({ ...start, nextId: changed.nextId, faults: back.faults }, 0),
  )
  expect(idsOf(back)).toEqual(idsOf(start))
  expect(toScenario(undo(back, changed), 0)).toEqual(toScenario(changed, 0))
})

it('a state does not differ from itself', () => expect(compareStates(start, start)).toEqual([]))

describe('a fault that is put back', () => {
  it('has its own counts and its place, whatever was added or removed since', () => {
    const counted = call(call(start))
    const [difference] = compareStates(counted, remove(counted, 'second'))
    const later = add(remove(call(remove(counted, 'second')), 'first'), fault('fourth'))
    const back = putBack(later, difference as never, counted)
    expect(idsOf(back)).toEqual(['second', 'third', 'fourth'])
    expect(back.faults[0]).toBe(counted.faults[1])
    expect(counted.faults.map(({ seen }) => seen)).toEqual([2, 0, 0])
    expect(idsOf(putBack(add(back, fault('second', 500)), difference as never, counted))).toEqual([
      'second',
      'third',
      'fourth',
    ])
  })

  it('is refused beyond the thousandth, and its number is not used again', () => {
    const full = beginState(
      parseScenario({ faults: Array(MAX_FAULTS).fill({ operation: '*', status: 503 }) }),
      still,
    )
    const fewer = remove(full, '1')
    const [difference] = compareStates(full, fewer)
    expect(putBack(fewer, difference as never, full).faults).toHaveLength(MAX_FAULTS)
    const again = add(fewer, { operation: '*', status: 503 })
    expect(() => putBack(again, difference as never, full)).toThrow('faults: expected at most 1000')
    expect([again.lastFaultId, undo(again, fewer).lastFaultId]).toEqual([1_001, 1_001])
  })
})
